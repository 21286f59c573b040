/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteJDBCLoader;

/** Files in a directory; the engine runs in this process. */
final class SqliteStore implements Store {
  private final Path directory;
  private final AtomicInteger grounds = new AtomicInteger();

  SqliteStore(Path directory) {
    this.directory = directory;
  }

  @Override
  public String describe() {
    return "sqlite " + SQLiteJDBCLoader.getVersion() + ", WAL, synchronous=FULL";
  }

  @Override
  public Ground newGround() {
    Path file;
    do {
      // What an earlier run left in the same directory is no empty store.
      file = directory.resolve("bench-" + grounds.incrementAndGet() + ".db");
    } while (Files.exists(file));
    return SqliteGround.make(file);
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
