/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Of all who saw the same before-image, exactly one takes the work. */
abstract class TakeoverArea extends Area {
  TakeoverArea(StorageContract contract) {
    super(contract);
  }

  private static Batch claim(KitTenant tenant, Row head, String owner) {
    return tenant.batch(new Mutation.Update(head, FencingArea.takenBy(head, owner)));
  }

  @Test
  void exactlyOneOfManyTakesAnExecution() {
    KitTenant tenant = tenant();
    Row free = tenant.insert(tenant.head(UUID.randomUUID()));
    try (Race race = new Race()) {
      Row head = free;
      for (int round = 0; round < subject().rounds(); round++) {
        List<Batch> claims = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          claims.add(claim(tenant, head, "worker-" + i));
        }
        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(claims.get(i)));

        assertEquals(1, committed(outcomes), "winners of round " + round);
        Row won = tenant.stored(head.key());
        assertEquals("worker-" + winner(outcomes), won.get("owner"), "the winner holds it");
        assertEquals(head.version() + 1, won.version());
        head = won;
      }
    }
  }

  private static int winner(List<CommitOutcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Committed) {
        return i;
      }
    }
    throw new AssertionError("nobody won");
  }

  @Test
  @DisplayName("C085: a second recovery with an old list gets nothing")
  void c085ASecondRecoveryWithAnOldListGetsNothing() {
    KitTenant tenant = tenant();
    List<Row> list = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      list.add(tenant.insert(tenant.head(UUID.randomUUID())));
    }

    assertEquals(10, claimAll(tenant, list, "recovery-1"));
    assertEquals(0, claimAll(tenant, list, "recovery-2"));

    for (Row head : list) {
      assertEquals("recovery-1", tenant.stored(head.key()).get("owner"));
    }
  }

  @Test
  @DisplayName("C085: two recoveries at the same time share a list without an overlap")
  void c085TwoRecoveriesAtOnceShareTheList() {
    KitTenant tenant = tenant();
    List<Row> list = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      list.add(tenant.insert(tenant.head(UUID.randomUUID())));
    }
    try (Race race = new Race(2)) {
      List<Integer> claimed = race.round(i -> claimAll(tenant, list, "recovery-" + i));

      assertEquals(50, claimed.get(0) + claimed.get(1));
      for (int i = 0; i < 2; i++) {
        String owner = "recovery-" + i;
        long held =
            list.stream()
                .filter(head -> owner.equals(tenant.stored(head.key()).get("owner")))
                .count();
        assertEquals((long) claimed.get(i), held, "held by " + owner);
      }
    }
  }

  private static int claimAll(KitTenant tenant, List<Row> list, String owner) {
    int claimed = 0;
    for (Row head : list) {
      claimed += tenant.commit(claim(tenant, head, owner)) instanceof Committed ? 1 : 0;
    }
    return claimed;
  }

  @Test
  void whoLostReadsWhoWon() {
    KitTenant tenant = tenant();
    Row name = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "sealer")));
    tenant.committed(claim(tenant, name, "winner"));

    tenant.conflict(claim(tenant, name, "loser"));

    Row read = tenant.stored(name.key());
    assertEquals("winner", read.get("owner"));
    assertTrue(read.version() > name.version());
  }
}
