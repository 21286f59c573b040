/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Row;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two processes over one store: the same promises, across them. */
@Needs(Capability.MULTI_PROCESS)
abstract class ProcessesArea extends Area {
  ProcessesArea(StorageContract contract) {
    super(contract);
  }

  private OtherJvm start(KitTenant tenant) {
    StorageUnderTest.OtherProcess how = subject().otherProcess().orElse(null);
    assumeTrue(how != null, "the fixture tells no way to open the store from another process");
    return OtherJvm.start(Objects.requireNonNull(how), tenant);
  }

  @Test
  void exactlyOneOfTwoProcessesTakesAnExecution() {
    KitTenant tenant = tenant();
    try (OtherJvm other = start(tenant)) {
      int wonHere = 0;
      for (int round = 0; round < subject().rounds(); round++) {
        UUID execution = UUID.randomUUID();
        Row head = tenant.insert(tenant.head(execution));

        other.ask(RaceWorker.Task.TAKE, execution, 1);
        boolean here = RaceWorker.takes(tenant, execution, "here");
        boolean there = other.answer().equals("won");

        assertEquals(!here, there, "exactly one wins round " + round);
        assertEquals(here ? "here" : "other", tenant.stored(head.key()).get("owner"));
        wonHere += here ? 1 : 0;
      }
      assertTrue(wonHere > 0, "this process wins now and then");
    }
  }

  @Test
  @DisplayName("C108: counters that two processes raise lose nothing")
  void c108CountersThatTwoProcessesRaiseLoseNothing() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row counter = tenant.insert(tenant.head(execution));
    int each = rounds(40);
    try (OtherJvm other = start(tenant);
        Race race = new Race(4)) {
      other.ask(RaceWorker.Task.RAISE, execution, 4 * each);
      race.round(i -> ContentionArea.raise(tenant, counter, each));
      assertEquals(String.valueOf(4 * each), other.answer());
    }
    assertEquals(8L * each, KitTenant.lastSequence(tenant.stored(counter.key())));
  }

  @Test
  void whatAKilledProcessCommittedIsThereAndWhatItDidNotFinishIsNot() {
    KitTenant tenant = tenant();
    for (int kill = 0; kill < 3; kill++) {
      UUID execution = UUID.randomUUID();
      Row head = tenant.insert(tenant.head(execution));
      try (OtherJvm other = start(tenant)) {
        other.ask(RaceWorker.Task.POUR, execution, 1);
        long told = 0;
        while (told < 20) {
          told = Long.parseLong(other.answer());
        }
        List<String> rest = other.kill();
        told = rest.isEmpty() ? told : Math.max(told, lastWhole(rest, told));

        long last = KitTenant.lastSequence(tenant.stored(head.key()));
        assertTrue(last >= told, "it told of " + told + ", stored are " + last);
        assertEquals(
            LongStream.rangeClosed(1, last).boxed().toList(),
            tenant.events(execution).stream().map(event -> event.key().values().get(1)).toList());
        assertEquals(
            last,
            tenant.follow(Optional.empty(), 1).stream()
                .filter(entry -> entry.row().key().values().get(0).equals(execution))
                .count());
        tenant.committed(tenant.step(tenant.stored(head.key())));
      }
    }
  }

  /** The last number of what was still in the pipe; its last line may be cut by the kill. */
  private static long lastWhole(List<String> lines, long otherwise) {
    return lines.size() < 2 ? otherwise : Long.parseLong(lines.get(lines.size() - 2));
  }
}
