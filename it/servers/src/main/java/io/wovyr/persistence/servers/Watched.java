/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Class loaders of deployments that should be gone when they are undeployed. They are kept in the
 * JVM's system properties, where other deployments find them, weakly.
 */
final class Watched {
  private static final String KEY = "wovyr.test.watched-class-loaders";

  private Watched() {}

  static void add(ClassLoader... loaders) {
    synchronized (System.getProperties()) {
      List<WeakReference<ClassLoader>> all = all();
      for (ClassLoader loader : loaders) {
        if (all.stream().noneMatch(known -> known.get() == loader)) {
          all.add(new WeakReference<>(loader));
        }
      }
    }
  }

  /** Those that are still there. */
  static long count() {
    synchronized (System.getProperties()) {
      return all().stream().filter(known -> known.get() != null).count();
    }
  }

  @SuppressWarnings("unchecked") // Only this class puts it there, in whatever deployment.
  private static List<WeakReference<ClassLoader>> all() {
    return (List<WeakReference<ClassLoader>>)
        System.getProperties().computeIfAbsent(KEY, key -> new ArrayList<>());
  }
}
