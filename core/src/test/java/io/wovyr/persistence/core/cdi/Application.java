/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** An application on Weld SE, with the settings of one test and requests that the test makes. */
final class Application implements AutoCloseable {
  private static final ThreadLocal<Map<String, String>> CURRENT = ThreadLocal.withInitial(Map::of);

  private final SeContainer container;

  private Application(SeContainer container) {
    this.container = container;
  }

  /** Over a store in memory, nothing sealed unless the settings say so. */
  static Application start(Map<String, String> settings, Class<?>... beans) {
    Map<String, String> all = new HashMap<>(Map.of("wovyr.sealing.provider", "none"));
    all.putAll(settings);
    CURRENT.set(all);
    return new Application(
        SeContainerInitializer.newInstance()
            .disableDiscovery()
            .addExtensions(new WovyrExtension())
            .addBeanClasses(
                PersistenceProducer.class,
                RepositoryProducer.class,
                CurrentRepositories.class,
                Callers.class,
                Plugins.class,
                ConfiguredSettings.class,
                ClaimTenantResolver.class,
                HeaderTenantResolver.class,
                HostTenantResolver.class,
                Settings.class)
            .addBeanClasses(beans)
            .initialize());
  }

  <T> T get(Class<T> type) {
    return container.select(type).get();
  }

  boolean has(Class<?> type) {
    return container.select(type).isResolvable();
  }

  /** What a request answers, on this thread. */
  <T> T in(Request request, Callable<T> body) {
    RequestContextController context = container.select(RequestContextController.class).get();
    context.activate();
    try {
      container.select(CurrentRequest.class).get().is(request);
      return body.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      context.deactivate();
    }
  }

  @Override
  public void close() {
    container.close();
  }

  /** What a request says of itself. */
  record Request(
      Optional<String> actor,
      Set<String> groups,
      Map<String, String> claims,
      Map<String, List<String>> headers,
      Optional<String> host) {
    static Request by(String actor, String... groups) {
      return new Request(Optional.of(actor), Set.of(groups), Map.of(), Map.of(), Optional.empty());
    }

    static Request anonymous() {
      return new Request(Optional.empty(), Set.of(), Map.of(), Map.of(), Optional.empty());
    }

    Request claiming(String tenant) {
      return new Request(actor, groups, Map.of("tenant_id", tenant), headers, host);
    }

    Request withHeader(String name, String... values) {
      return new Request(actor, groups, claims, Map.of(name, List.of(values)), host);
    }

    Request to(String hostName) {
      return new Request(actor, groups, claims, headers, Optional.of(hostName));
    }
  }

  /** Requests of an application's own kind, as an application offers them. */
  @RequestScoped
  static class CurrentRequest implements IncomingRequest {
    private Request request = Request.anonymous();

    void is(Request value) {
      request = value;
    }

    @Override
    public Optional<String> actor() {
      return request.actor();
    }

    @Override
    public boolean isInRole(String role) {
      return request.groups().contains(role);
    }

    @Override
    public Optional<String> claim(String name) {
      return Optional.ofNullable(request.claims().get(name));
    }

    @Override
    public List<String> header(String name) {
      return request.headers().getOrDefault(name, List.of());
    }

    @Override
    public Optional<String> host() {
      return request.host();
    }
  }

  /** The only store there is. */
  @ApplicationScoped
  static class Memory {
    @Produces
    @ApplicationScoped
    StorageProvider memory() {
      return new MemoryStorageProvider();
    }
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
