/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.sql.SQLException;
import java.util.UUID;

/**
 * One way of doing the work, a column of the result. Its durable step is: one event of 200 bytes
 * and the head's update under its version, in one commit that is on the disk. Thread-safe; each
 * execution is used by one thread.
 */
interface Column extends AutoCloseable {
  /** Heads the column. */
  String name();

  /** A new execution to step and load. */
  Execution create(UUID id) throws Exception;

  @Override
  void close() throws SQLException;

  /** An execution that remembers where it stands. Not thread-safe. */
  interface Execution {
    /** One durable step. */
    void step() throws Exception;

    /** Reads all events in order; says how many bytes of payload they have. */
    long load() throws Exception;
  }
}
