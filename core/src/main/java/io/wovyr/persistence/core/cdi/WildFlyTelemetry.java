/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * WildFly (seen in 39) shows the beans of MicroProfile Telemetry to every EAR, but registers what
 * they are configured by for the WARs in it only: an EAR without one would not deploy. There this
 * has WildFly's own extension register it, as for a WAR; everywhere else it does nothing.
 */
final class WildFlyTelemetry {
  private static final Logger LOG = LoggerFactory.getLogger(WildFlyTelemetry.class);
  private static final String EXTENSION =
      "org.wildfly.extension.microprofile.telemetry.api.MicroProfileTelemetryCdiExtension";

  private WildFlyTelemetry() {}

  static void complete(AfterBeanDiscovery discovery, BeanManager beans) {
    try {
      Class<? extends Extension> type =
          Class.forName(EXTENSION, false, WildFlyTelemetry.class.getClassLoader())
              .asSubclass(Extension.class);
      if (!isRegistered(type, beans)) {
        type.getMethod(
                "registerOpenTelemetryConfigBean", AfterBeanDiscovery.class, BeanManager.class)
            .invoke(
                type.getConstructor(Map.class).newInstance(Map.of("otel.service.name", "wovyr")),
                discovery,
                beans);
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.trace("there is no telemetry of WildFly's to complete", e);
    }
  }

  private static boolean isRegistered(Class<? extends Extension> type, BeanManager beans) {
    try {
      return beans.getExtension(type) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
