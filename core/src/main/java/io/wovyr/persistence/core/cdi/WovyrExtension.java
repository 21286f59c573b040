/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.Persistence;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessInjectionPoint;
import java.lang.reflect.Type;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Opens the application's persistence when the application starts, if it injects one: a wrong
 * setting fails the start and not the first request. An application that injects none needs no
 * settings. Adds what knows HTTP requests where there are servlets, and a check of the store where
 * there is MicroProfile Health.
 *
 * @since 0.1
 */
public class WovyrExtension implements Extension {
  // Public, with this constructor: found by ServiceLoader.

  private static final String SERVLETS = "jakarta.servlet.http.HttpServletRequest";
  private static final String HEALTH = "org.eclipse.microprofile.health.HealthCheck";
  static final String HTTP_REQUEST = "io.wovyr.persistence.core.cdi.web.ServletIncomingRequest";

  private final Set<Class<?>> injected = RepositoryProducer.types();
  private final AtomicBoolean used = new AtomicBoolean();

  /** For the container. */
  public WovyrExtension() {}

  void addHttpRequest(@Observes BeforeBeanDiscovery discovery) {
    if (isHere(SERVLETS)) {
      Class<?> bean = load(HTTP_REQUEST);
      discovery.addAnnotatedType(bean, bean.getName());
    }
  }

  private static boolean isHere(String name) {
    try {
      load(name);
      return true;
    } catch (IllegalStateException | LinkageError e) {
      return false;
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, WovyrExtension.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " is not here", e);
    }
  }

  void notice(@Observes ProcessInjectionPoint<?, ?> event) {
    Type type = event.getInjectionPoint().getType();
    if (type == Persistence.class || injected.contains(type)) {
      used.set(true);
    }
  }

  /** By now all injection points were seen. */
  void addHealthCheck(@Observes AfterBeanDiscovery discovery, BeanManager beans) {
    if (used.get() && isHere(HEALTH)) {
      HealthChecks.add(
          discovery, () -> beans.createInstance().select(PersistenceProducer.class).get().health());
    }
  }

  void completeTelemetry(@Observes AfterBeanDiscovery discovery, BeanManager beans) {
    WildFlyTelemetry.complete(discovery, beans);
  }

  void open(@Observes Startup started, BeanManager beans) {
    if (used.get()) {
      // Any call: the bean behind the proxy is made, and that opens the store.
      beans.createInstance().select(Persistence.class).get().provider();
    }
  }
}
