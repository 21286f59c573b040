/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDB;

/** Directories in a directory; the engine runs in this process. */
final class RocksDbStore implements Store {
  private final Path directory;
  private final AtomicInteger grounds = new AtomicInteger();

  RocksDbStore(Path directory) {
    this.directory = directory;
  }

  @Override
  public String describe() {
    RocksDB.loadLibrary();
    return "rocksdb " + RocksDB.rocksdbVersion() + ", synced log";
  }

  @Override
  public Ground newGround() {
    Path store;
    do {
      // What an earlier run left in the same directory is no empty store.
      store = directory.resolve("bench-" + grounds.incrementAndGet() + ".rocksdb");
    } while (Files.exists(store));
    return RocksDbGround.make(store);
  }

  @Override
  public Usage usage() {
    return new Usage(Processes.ownWrittenBytes(), Double.NaN, Double.NaN, Processes.ownCpuNanos());
  }

  @Override
  public WireCount count(Ground ground, Ground.Way way, int steps) {
    return WireCount.NONE;
  }

  @Override
  public void close() {}
}
