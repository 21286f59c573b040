/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.inject.spi.BeforeShutdown;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;

/** An application with a driver of its own, in a JVM that has one of the same name. */
class DriverReleaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Loads the release and the driver by itself, as an EAR does, whoever else has them. */
  private static final class Application extends URLClassLoader {
    Application() {
      super(
          new URL[] {placeOf(DriverRelease.class), placeOf(Driver.class)},
          DriverReleaseTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean own =
          name.startsWith("org.postgresql.") || name.equals(DriverRelease.class.getName());
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return own ? findClass(name) : super.loadClass(name, resolve);
      }
    }

    void end() throws ReflectiveOperationException {
      Class<?> type = loadClass(DriverRelease.class.getName());
      Method release = type.getDeclaredMethod("release", BeforeShutdown.class);
      release.setAccessible(true);
      release.invoke(type.getConstructor().newInstance(), (Object) null);
    }

    private static URL placeOf(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }
  }

  @BeforeEach
  void theServerHasTheDriverToo() {
    assertThat(DriverManager.drivers()).hasAtLeastOneElementOfType(Driver.class);
  }

  @Test
  void anApplicationThatUsedItsDriverCanBeUnloaded() throws Exception {
    assertGone(ended(true));
  }

  @Test
  @DisplayName(
      "C112: one that never used its driver can be unloaded, though to look at the drivers of the"
          + " server loads it")
  void anApplicationThatNeverUsedItsDriverCanBeUnloaded() throws Exception {
    assertGone(ended(false));
  }

  @Test
  void theDriverOfTheServerStays() throws Exception {
    ended(true);

    assertThat(DriverManager.drivers()).hasAtLeastOneElementOfType(Driver.class);
  }

  private static WeakReference<ClassLoader> ended(boolean used) throws Exception {
    try (Application application = new Application()) {
      if (used) {
        Class.forName(Driver.class.getName(), true, application);
      }
      application.end();
      return new WeakReference<>(application);
    }
  }

  private static void assertGone(WeakReference<ClassLoader> application) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (application.get() != null && System.nanoTime() - until < 0) {
      System.gc();
    }
    assertThat(application.get()).as("the application's class loader").isNull();
  }
}
