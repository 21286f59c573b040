/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import java.util.ArrayList;
import java.util.List;

/** Counts what committed transactions cost. Thread-safe. */
final class FakeCounts {
  /**
   * What one committed transaction cost.
   *
   * @param roundTrips how often the client had to wait: for the read version, for each set of reads
   *     sent at once, for the commit
   * @param bytes of keys, values and conflict ranges, as the cluster counts them
   */
  record Cost(
      int roundTrips,
      int reads,
      int readConflicts,
      int writeConflicts,
      int mutations,
      long bytes) {}

  private final List<Cost> costs = new ArrayList<>();

  synchronized void committed(Of counted) {
    costs.add(counted.cost());
  }

  /** Of all committed since it was last asked, in order. */
  synchronized List<Cost> take() {
    List<Cost> taken = List.copyOf(costs);
    costs.clear();
    return taken;
  }

  /** Counts one transaction. For one thread. */
  static final class Of {
    private int readVersions;
    private int waves;
    private int reads;
    private int readConflicts;
    private int writeConflicts;
    private int mutations;
    private long bytes;
    private boolean open;

    void readVersion() {
      readVersions++;
    }

    void read(int keys) {
      reads += keys;
      if (!open) {
        open = true;
        waves++;
      }
    }

    /** Somebody waits: what is read after this is another round trip. */
    void awaited() {
      open = false;
    }

    void commit(int readRanges, int writeRanges, List<FakeTransaction.Mutation> changes) {
      readConflicts = readRanges;
      writeConflicts = writeRanges;
      mutations = changes.size();
    }

    void sent(long size) {
      bytes = size;
    }

    private Cost cost() {
      return new Cost(
          readVersions + waves + 1, reads, readConflicts, writeConflicts, mutations, bytes);
    }
  }
}
