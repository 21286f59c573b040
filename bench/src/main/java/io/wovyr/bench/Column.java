/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.lease.Lease;
import java.util.UUID;

/**
 * One way of doing the work, a column of the result. All columns begin with executions that the
 * layer made and leased ({@link Ground}), write the same rows under the same guards, and go on from
 * there. Thread-safe; each execution is used by one thread.
 */
interface Column extends AutoCloseable {
  /** Heads the column. */
  String name();

  /** Takes over an execution that was just made and leased. */
  Execution execution(UUID id, Lease lease) throws Exception;

  /** Reads one execution's record by its id; false when it is not there. */
  boolean find(UUID id) throws Exception;

  @Override
  void close() throws Exception;

  /** An execution that remembers where it stands. Not thread-safe. */
  interface Execution {
    /**
     * One durable step: one event of 200 bytes and the head's update under its version and lease,
     * in one commit that is on the disk.
     */
    void step() throws Exception;

    /**
     * One larger commit: the lifecycle goes from RUNNING to WAITING or back, with its event and its
     * history, and two more events.
     */
    void transaction() throws Exception;

    /** Reads all events in order; says how many there are. */
    int load() throws Exception;
  }
}
