/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.kv.rocksdb.RocksDbStorageProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** A directory of its own, and beside it one for what is done by hand: a store has one owner. */
final class RocksDbGround extends Ground {
  private final Path store;

  private RocksDbGround(Path store) {
    super(new RocksDbStorageProvider(), settings(store));
    this.store = store;
  }

  private static Map<String, String> settings(Path store) {
    return Map.of("path", store.toString());
  }

  static RocksDbGround make(Path store) {
    Objects.requireNonNull(new RocksDbStorageProvider().migrator())
        .migrate(settings(store), step -> {});
    return new RocksDbGround(store);
  }

  @Override
  Column floor() {
    return new RocksDbFloor(store.resolveSibling(store.getFileName() + ".by-hand"));
  }

  @Override
  Connection administrator() {
    throw new UnsupportedOperationException("RocksDB has no SQL");
  }

  @Override
  List<UUID> copies(List<Copy> rows, Object original, int count) {
    throw new UnsupportedOperationException("RocksDB has no SQL");
  }

  @Override
  double fullScans() {
    return Double.NaN;
  }

  @Override
  HeadUpdates headUpdates() {
    return HeadUpdates.UNKNOWN;
  }
}
