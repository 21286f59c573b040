/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The reference in the shapes of the stores to come. */
class ReferenceShapesTest {
  /** Half as roomy as the smallest store: everything that is tight is as tight as it gets. */
  private static final Limits TIGHT = new Limits(4_096, 100, 65_536, 25, 1);

  /** As a key-value store without a clock: small, compares without reading, in any order. */
  @Nested
  final class KeyValue extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return new Shaped(
          "memory-key-value",
          MemorySettings.defaults()
              .withLimits(TIGHT)
              .withoutClock()
              .withoutActualInConflicts()
              .withCommitOrder(MemorySettings.CommitOrder.SHUFFLED)
              .withShortPages());
    }
  }

  /** With the last batch of a call first. */
  @Nested
  final class Reversed extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return new Shaped(
          "memory-reversed",
          MemorySettings.defaults().withCommitOrder(MemorySettings.CommitOrder.REVERSED));
    }
  }

  /** With a hundred items a batch, and one batch a call. */
  @Nested
  final class OneBatchACall extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return new Shaped(
          "memory-one-batch",
          MemorySettings.defaults().withLimits(new Limits(65_536, 100, 1 << 20, 1, 0)));
    }
  }

  /** Without a clock, roomy. */
  @Nested
  final class NoClock extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return new Shaped("memory-no-clock", MemorySettings.defaults().withoutClock());
    }
  }

  /** With a clock that is moved, and compares without reading. */
  @Nested
  final class SteppedClocked extends StorageContract {
    private final SteppedClock clock = new SteppedClock(Instant.parse("2026-05-01T08:00:00Z"));

    @Override
    protected StorageUnderTest storageUnderTest() {
      return new Shaped(
          "memory-stepped-clock",
          MemorySettings.defaults().withClock(clock).withoutActualInConflicts()) {
        @Override
        public void passTime(Duration duration) {
          clock.advance(duration);
        }
      };
    }
  }

  /** Fewer rounds: the full races run over the reference as it comes. */
  private static class Shaped implements StorageUnderTest {
    private static final int ROUNDS = 300;

    private final MemoryUnderTest memory;

    Shaped(String name, MemorySettings settings) {
      memory = new MemoryUnderTest(name, settings);
    }

    @Override
    public String provider() {
      return memory.provider();
    }

    @Override
    public Storage open() {
      return memory.open();
    }

    @Override
    public int rounds() {
      return ROUNDS;
    }

    @Override
    public Optional<RowLock> lock(Scope scope, Key key) {
      return memory.lock(scope, key);
    }
  }
}
