/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.cdi;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.Extension;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the JDBC drivers that came with an application back from {@link DriverManager} when the
 * application ends: they register themselves when they are loaded, and the JVM would keep them, and
 * all of the application's classes with them, for ever. Drivers of the class path or of a server
 * are left alone. Thread-safe, no state.
 *
 * @since 0.1
 */
public final class DriverRelease implements Extension {
  private static final Logger LOG = LoggerFactory.getLogger(DriverRelease.class);

  /** For CDI, which finds it by {@link java.util.ServiceLoader}. */
  public DriverRelease() {}

  void release(@Observes BeforeShutdown end) {
    ClassLoader own = DriverRelease.class.getClassLoader();
    if (own != ClassLoader.getSystemClassLoader()) {
      releaseAll(own);
    }
  }

  /**
   * Until there are none: to tell which drivers a caller may see, {@link DriverManager} loads those
   * of a server by their names from the caller's class loader, and the application's own copy of
   * such a driver registers itself meanwhile.
   */
  private static void releaseAll(ClassLoader own) {
    for (List<Driver> drivers = driversOf(own); !drivers.isEmpty(); drivers = driversOf(own)) {
      for (Driver driver : drivers) {
        try {
          DriverManager.deregisterDriver(driver);
        } catch (SQLException e) {
          LOG.warn(
              "WOVYR-0301 the JDBC driver {} stays registered when its application has ended",
              driver.getClass().getName(),
              e);
          return;
        }
      }
    }
  }

  private static List<Driver> driversOf(ClassLoader own) {
    // The first look registers what the second one finds.
    long unused = DriverManager.drivers().count();
    return DriverManager.drivers()
        .filter(driver -> driver.getClass().getClassLoader() == own)
        .toList();
  }
}
