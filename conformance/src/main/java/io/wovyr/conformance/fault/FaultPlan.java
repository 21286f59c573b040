/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

import java.util.Optional;
import java.util.Random;

/**
 * Decides which writes fail and how. Thread-safe where it is used by several threads.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface FaultPlan {
  /** The fault of the next write; empty when it goes well. */
  Optional<Fault> next();

  /** No faults but those asked for by {@link FaultyStorage#failNext}. */
  static FaultPlan none() {
    return Optional::empty;
  }

  /**
   * Faults at random, the same ones for the same seed and order of calls.
   *
   * @param probability of a fault, 0 to 1
   * @param among the faults to choose from; all where none are named
   */
  static FaultPlan random(long seed, double probability, Fault... among) {
    Random random = new Random(seed);
    Fault[] choice = among.length == 0 ? Fault.values() : among.clone();
    return () -> {
      synchronized (random) {
        return random.nextDouble() < probability
            ? Optional.of(choice[random.nextInt(choice.length)])
            : Optional.empty();
      }
    };
  }
}
