/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Stores that are dear to make: one for all tests of a contract, its handles used again by the next
 * test. Closed after all tests.
 */
public final class SharedStores implements AutoCloseable {
  private final Function<String, Supplier<Storage>> maker;
  private final Map<String, Handles> stores = new LinkedHashMap<>();

  /**
   * @param maker makes an empty store of this name and answers what opens it
   */
  public SharedStores(Function<String, Supplier<Storage>> maker) {
    this.maker = maker;
  }

  /** The store of a contract. */
  public synchronized TestStore of(Class<?> contract) {
    return new Lent(
        stores.computeIfAbsent(
            contract.getSimpleName(), name -> new Handles(maker.apply(name), new ArrayDeque<>())));
  }

  @Override
  public synchronized void close() {
    stores.values().forEach(handles -> handles.free().forEach(Storage::close));
    stores.clear();
  }

  private record Handles(Supplier<Storage> opener, Deque<Storage> free) {}

  /** A store lent to one test; closing gives its handles back. */
  private static final class Lent implements TestStore {
    private final Handles handles;
    private final Deque<Storage> used = new ArrayDeque<>();

    Lent(Handles handles) {
      this.handles = handles;
    }

    @Override
    public Storage open() {
      Storage free = handles.free().poll();
      Storage handle = free == null ? handles.opener().get() : free;
      used.add(handle);
      return new KeptOpen(handle);
    }

    @Override
    public void close() {
      handles.free().addAll(used);
      used.clear();
    }
  }

  /** A handle that only {@link SharedStores#close()} closes. */
  private static final class KeptOpen extends ForwardingStorage {
    KeptOpen(Storage handle) {
      super(handle);
    }

    @Override
    public void close() {
      // The next test uses it.
    }
  }
}
