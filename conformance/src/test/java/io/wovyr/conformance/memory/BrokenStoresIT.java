/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.conformance.StorageContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
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
    Set<String> failures = BrokenRun.of(broken.underTest(), broken.area()).failed();

    assertTrue(
        failures.contains(broken.area() + "/" + broken.contract()),
        () -> "expected " + broken.contract() + " to fail; failed: " + failures);
  }

  @Test
  void theReferenceRunTheSameWayFailsNowhereAndIsReported() throws IOException {
    Broken sound = Broken.store("none", "", "", MemoryStore::new);
    Path report = BrokenRun.REPORTS.resolve("broken.json");
    Files.deleteIfExists(report);

    BrokenRun.Results results = BrokenRun.of(sound.underTest());

    assertEquals(Set.of(), results.failed());
    assertTrue(results.passed().size() > 140, "it ran: " + results.passed().size());
    assertTrue(Files.exists(report), "the report of all contracts");
  }

  /**
   * The reference joins no JTA transaction: a store that does has broken ones of its own, as
   * PostgreSQL has.
   */
  private static final String ELSEWHERE = "JTA transactions of callers";

  @Test
  void everyAreaHasABrokenStore() {
    Set<String> areas =
        Arrays.stream(StorageContract.class.getDeclaredClasses())
            .map(area -> area.getAnnotation(DisplayName.class).value())
            .filter(area -> !area.equals(TwoProcessesIT.AREA) && !area.equals(ELSEWHERE))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(
        areas, brokenStores().map(Broken::area).collect(Collectors.toCollection(TreeSet::new)));
  }
}
