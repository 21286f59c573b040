/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A store that breaks one promise, and the contract that must notice.
 *
 * @param promise what it breaks, in words
 * @param area in which the kit must find it
 * @param contract name of the test that must fail
 * @param rounds of the races
 * @param open makes the store, given the settings of all broken stores
 */
record Broken(
    String promise,
    String area,
    String contract,
    int rounds,
    Function<MemorySettings, StoreAndHandles> open) {
  private static final int FEW_ROUNDS = 40;

  /** For what never comes. */
  private static final Duration BRIEF = Duration.ofSeconds(2);

  /** Where nothing is broken, all comes. */
  private static final Duration AMPLE = Duration.ofMinutes(1);

  /** The store, and what its handles do instead of what it does. */
  record StoreAndHandles(MemoryStore store, UnaryOperator<Storage> handle) {}

  /** Broken inside the store. */
  static Broken store(
      String promise, String area, String contract, Function<MemorySettings, MemoryStore> store) {
    return new Broken(
        promise,
        area,
        contract,
        FEW_ROUNDS,
        settings -> new StoreAndHandles(store.apply(settings), handle -> handle));
  }

  /** Broken by a decorator of the reference. */
  static Broken handle(
      String promise, String area, String contract, UnaryOperator<Storage> handle) {
    return new Broken(
        promise,
        area,
        contract,
        FEW_ROUNDS,
        settings -> new StoreAndHandles(new MemoryStore(settings), handle));
  }

  /** Broken inside the store, which is told what its handles are asked. */
  static Broken both(
      String promise,
      String area,
      String contract,
      Function<MemorySettings, StoreAndHandles> open) {
    return new Broken(promise, area, contract, FEW_ROUNDS, open);
  }

  /** With as many rounds as a real race has. */
  Broken raced() {
    return new Broken(promise, area, contract, 2_000, open);
  }

  StorageUnderTest underTest() {
    SteppedClock clock = new SteppedClock(Instant.parse("2026-05-01T08:00:00Z"));
    StoreAndHandles made = open.apply(MemorySettings.defaults().withClock(clock));
    return new BrokenUnderTest(made, clock, rounds, contract.isEmpty() ? AMPLE : BRIEF);
  }

  @Override
  public String toString() {
    return area + ": " + promise;
  }

  private record BrokenUnderTest(
      StoreAndHandles made, SteppedClock clock, int rounds, Duration patience)
      implements StorageUnderTest {
    @Override
    public String provider() {
      return "broken";
    }

    @Override
    public Storage open() {
      return made.handle().apply(made.store().open());
    }

    @Override
    public Optional<RowLock> lock(Scope scope, Key key) {
      return Optional.of(made.store().lock(scope, key)::run);
    }

    @Override
    public void passTime(Duration duration) {
      clock.advance(duration);
    }
  }
}
