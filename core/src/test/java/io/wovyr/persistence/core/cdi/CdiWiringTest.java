/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;

class CdiWiringTest {
  /** An application's bean, as an engine developer writes it. */
  @ApplicationScoped
  static class OrderService {
    @Inject Persistence persistence;

    String provider() {
      return persistence.provider();
    }

    WorkflowExecution start(String order) {
      Repositories repositories = persistence.as(Caller.of("acme", "order-service", Role.WRITER));
      return repositories
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withWorkflowId(order))
          .orThrow()
          .records(WorkflowExecution.class)
          .get(0);
    }
  }

  /** The providers there are. */
  @ApplicationScoped
  static class Providers {
    @Produces
    @ApplicationScoped
    StorageProvider memory() {
      return new MemoryStorageProvider();
    }
  }

  @Test
  void injectsAPersistenceOverTheOnlyProvider() {
    try (SeContainer container = container(Map.of("wovyr.sealing.provider", "none"))) {
      OrderService service = container.select(OrderService.class).get();
      assertThat(service.start("order-1").workflowId()).isEqualTo("order-1");
      assertThat(service.provider()).isEqualTo(new MemoryStorageProvider().name());
    }
  }

  @Test
  void namesTheChoicesWhenTheProviderIsMissing() {
    try (SeContainer container = container(Map.of("wovyr.storage.provider", "oracle"))) {
      OrderService service = container.select(OrderService.class).get();
      assertThatThrownBy(() -> service.start("order-1"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("oracle")
          .hasMessageContaining(new MemoryStorageProvider().name());
    }
  }

  private static SeContainer container(Map<String, String> settings) {
    CURRENT.set(settings);
    return SeContainerInitializer.newInstance()
        .disableDiscovery()
        .addBeanClasses(
            PersistenceProducer.class, OrderService.class, Providers.class, Settings.class)
        .initialize();
  }

  /** Settings of one test. */
  @ApplicationScoped
  static class Settings {
    @Produces
    Config config() {
      return ConfigProviderResolver.instance()
          .getBuilder()
          .withSources(new MapSource(CURRENT.get()))
          .build();
    }
  }

  private static final ThreadLocal<Map<String, String>> CURRENT = ThreadLocal.withInitial(Map::of);

  private record MapSource(Map<String, String> values) implements ConfigSource {
    @Override
    public Set<String> getPropertyNames() {
      return values.keySet();
    }

    @Override
    public String getValue(String name) {
      return values.get(name);
    }

    @Override
    public String getName() {
      return "test";
    }
  }
}
