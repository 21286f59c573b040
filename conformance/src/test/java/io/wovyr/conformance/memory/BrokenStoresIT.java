/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every promise that a store can break, broken once: the kit must say which one. */
class BrokenStoresIT {
  static Stream<Broken> brokenStores() {
    return Stream.of(
            BrokenWrites.all(),
            BrokenTimes.all(),
            BrokenRows.all(),
            BrokenFeeds.all(),
            BrokenWalls.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenStores")
  void theRightContractFails(Broken broken) {
    Set<String> failures = BrokenRun.failuresOf(broken.underTest(), broken.area());

    assertTrue(
        failures.contains(broken.area() + "/" + broken.contract()),
        () -> "expected " + broken.contract() + " to fail; failed: " + failures);
  }

  @Test
  void theReferenceRunTheSameWayFailsNowhere() {
    Broken sound = Broken.store("none", "", "", MemoryStore::new);

    Set<String> failures = BrokenRun.failuresOf(sound.underTest());

    assertTrue(failures.isEmpty(), () -> "failed: " + failures);
  }
}
