/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.storage.spi.Health;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness by MicroProfile Health: up while a write would be tried. There is no check of liveness:
 * a program is not cured by a restart of what its database suffers from. Loaded only where the API
 * is.
 */
final class HealthChecks {
  private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
  private static final String NAME = "wovyr-persistence";

  private HealthChecks() {}

  static void add(AfterBeanDiscovery discovery, Supplier<Health> store) {
    discovery
        .<HealthCheck>addBean()
        .addType(HealthCheck.class)
        .addQualifier(Readiness.Literal.INSTANCE)
        .scope(ApplicationScoped.class)
        .createWith(context -> readiness(store));
  }

  /** Whoever may ask is not told what is wrong, only the log is. */
  private static HealthCheck readiness(Supplier<Health> store) {
    AtomicReference<String> told = new AtomicReference<>("");
    return () -> {
      Health health = store.get();
      String problem = health.problem().orElse("");
      if (!told.getAndSet(problem).equals(problem)) {
        LOG.warn("WOVYR-0112 the store: {}", problem.isEmpty() ? "well again" : problem);
      }
      HealthCheckResponseBuilder response =
          HealthCheckResponse.named(NAME).status(health.writable());
      health
          .feedLag()
          .map(Duration::toMillis)
          .ifPresent(lag -> response.withData("feedLagMillis", lag));
      health
          .replicationLag()
          .map(Duration::toMillis)
          .ifPresent(lag -> response.withData("replicationLagMillis", lag));
      return response.build();
    };
  }
}
