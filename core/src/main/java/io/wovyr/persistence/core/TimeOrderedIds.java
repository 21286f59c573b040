/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * UUIDs of version 7 (RFC 9562), ordered by the millisecond. A generator draws its random bits
 * under a lock; with one for all, threads queued behind whichever was suspended while it held that
 * lock. So there are several, each with a source of its own, and a thread keeps to one.
 * Thread-safe.
 */
final class TimeOrderedIds {
  private static final int GENERATORS = 32;

  private final NoArgGenerator[] generators =
      Stream.generate(() -> Generators.timeBasedEpochGenerator(new RandomBlocks()))
          .limit(GENERATORS)
          .toArray(NoArgGenerator[]::new);

  UUID next() {
    return generators[(int) (Thread.currentThread().getId() % GENERATORS)].generate();
  }
}
