/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** SQLite stores that fail, or feel, as a test wants. Public for the service loader. */
public final class FailingProvider implements StorageProvider {
  static final String NAME = "failing";

  private static volatile @Nullable Supplier<RuntimeException> readFailure;
  private static volatile @Nullable Health health;

  static void failReadsWith(Supplier<RuntimeException> failure) {
    readFailure = failure;
  }

  static void reportHealth(Health other) {
    health = other;
  }

  static void heal() {
    readFailure = null;
    health = null;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public Storage open(Map<String, String> settings) {
    Storage real = Providers.named("sqlite").open(settings);
    return (Storage)
        Proxy.newProxyInstance(
            FailingProvider.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> call(real, method, arguments));
  }

  private static @Nullable Object call(Storage real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Supplier<RuntimeException> failure = readFailure;
    if (failure != null && method.getName().startsWith("scan")) {
      throw failure.get();
    }
    Health reported = health;
    if (reported != null && method.getName().equals("health")) {
      return reported;
    }
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
