/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.sql.SQLException;

/** The kind of store under measurement, and where it is. Thread-safe. */
interface Store extends AutoCloseable {
  /** One line for the head of the result. */
  String describe();

  /** A migrated, empty store of its own. */
  Ground newGround() throws Exception;

  /** What the store has used so far. */
  Usage usage() throws SQLException;

  /**
   * Opens a ground's column over a wire that counts, runs so many steps, and says what one step
   * sent.
   */
  WireCount count(Ground ground, Ground.Way way, int steps) throws Exception;

  @Override
  void close() throws Exception;
}
