/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.Mutability;
import io.wovyr.persistence.storage.spi.RecordType.Removal;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a batch demands of the rows it writes and of those it only looks at. */
abstract class GuardsArea extends Area {
  GuardsArea(StorageContract contract) {
    super(contract);
  }

  /** A conflict names a failed condition truly, and tells what is stored or nothing. */
  static void assertFailed(Conflict conflict, Key key, Expectation expected, Optional<Row> stored) {
    Failed failed =
        conflict.failed().stream()
            .filter(one -> one.key().equals(key) && one.expectation().equals(expected))
            .findFirst()
            .orElseGet(() -> fail(conflict + " does not name " + key + " " + expected));
    failed.actual().ifPresent(actual -> assertEquals(stored, Optional.of(actual)));
  }

  private static void assertStale(Conflict conflict, Row before, Optional<Row> stored) {
    assertFailed(conflict, before.key(), new Expectation.VersionIs(before.version()), stored);
  }

  @Test
  void anInsertOfATakenKeyConflicts() {
    for (RecordType type : RecordTypes.all()) {
      KitTenant tenant = tenant();
      Row stored = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      Row other = SampleRows.full(tenant.id(), stored.key());

      Conflict conflict = tenant.conflict(new Mutation.Insert(other));

      assertFailed(conflict, stored.key(), new Expectation.Absent(), Optional.of(stored));
      assertEquals(stored, tenant.stored(stored.key()));
    }
  }

  @Test
  void anUpdateOfAStaleVersionConflicts() {
    for (RecordType type : mutableTypes()) {
      KitTenant tenant = tenant();
      Row first = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      Row second = tenant.update(first, SampleRows.next(first));

      assertStale(
          tenant.conflict(new Mutation.Update(first, SampleRows.next(first))),
          first,
          Optional.of(second));
      assertEquals(second, tenant.stored(first.key()));
    }
  }

  @Test
  void anUpdateFromAVersionThatIsNotThereYetConflicts() {
    KitTenant tenant = tenant();
    Row first = tenant.insert(tenant.head(UUID.randomUUID()));
    Row imagined = SampleRows.next(first);

    assertStale(
        tenant.conflict(new Mutation.Update(imagined, SampleRows.next(imagined))),
        imagined,
        Optional.of(first));
    assertEquals(first, tenant.stored(first.key()));
  }

  @Test
  void anUpdateOrDeleteOfAMissingRowConflictsAndWritesNothing() {
    for (RecordType type : mutableTypes()) {
      KitTenant tenant = tenant();
      Row missing = SampleRows.full(tenant.id(), SampleRows.key(type));

      assertStale(
          tenant.conflict(new Mutation.Update(missing, SampleRows.next(missing))),
          missing,
          Optional.empty());
      if (type.removal() == Removal.BY_BATCH) {
        assertStale(tenant.conflict(new Mutation.Delete(missing)), missing, Optional.empty());
      }
      assertEquals(Optional.empty(), tenant.read(missing.key()));
    }
  }

  @Test
  void aDeleteOfAStaleVersionConflicts() {
    for (RecordType type : removedTypes()) {
      KitTenant tenant = tenant();
      Row first = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      Row second = tenant.update(first, SampleRows.next(first));

      assertStale(tenant.conflict(new Mutation.Delete(first)), first, Optional.of(second));
      assertEquals(second, tenant.stored(first.key()));
      tenant.committed(new Mutation.Delete(second));
      assertEquals(Optional.empty(), tenant.read(first.key()));
    }
  }

  @Test
  void aRowInsertedAgainContinuesItsVersion() {
    KitTenant tenant = tenant();
    Row first = tenant.insert(tenant.row(Key.of(RecordTypes.FEED_CURSOR, "again")));
    tenant.committed(new Mutation.Delete(first));

    Row again = tenant.insert(SampleRows.next(first));

    assertEquals(2, tenant.stored(first.key()).version());
    assertStale(
        tenant.conflict(new Mutation.Update(first, SampleRows.next(first))),
        first,
        Optional.of(again));
  }

  @Test
  void aCheckHoldsOrConflictsAndChangesNothing() {
    KitTenant tenant = tenant();
    Row checked = tenant.insert(tenant.head(UUID.randomUUID()));
    Key missing = Key.of(RecordTypes.HEAD, UUID.randomUUID());
    Row written = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "written"));
    List<Mutation> insert = List.of(new Mutation.Insert(written));

    Batch.VersionIs stale = new Batch.VersionIs(checked.key(), 2);
    assertFailed(
        tenant.conflict(tenant.batch(insert, List.of(stale))),
        checked.key(),
        new Expectation.VersionIs(2),
        Optional.of(checked));
    assertFailed(
        tenant.conflict(tenant.batch(insert, List.of(new Batch.VersionIs(missing, 1)))),
        missing,
        new Expectation.VersionIs(1),
        Optional.empty());
    assertEquals(Optional.empty(), tenant.read(written.key()));

    tenant.committed(tenant.batch(insert, List.of(new Batch.VersionIs(checked.key(), 1))));
    assertEquals(written, tenant.stored(written.key()));
    assertEquals(checked, tenant.stored(checked.key()));
  }

  @Test
  void everyHeadOfABatchIsGuarded() {
    int heads = 5;
    for (int stale = 0; stale < heads; stale++) {
      KitTenant tenant = tenant();
      List<Row> before = new java.util.ArrayList<>();
      for (int i = 0; i < heads; i++) {
        before.add(tenant.insert(tenant.head(UUID.randomUUID())));
      }
      Row moved = before.get(stale);
      Row movedOn = tenant.update(moved, SampleRows.next(moved));

      Conflict conflict = tenant.conflict(tenant.batch(raised(before), List.of()));

      assertStale(conflict, moved, Optional.of(movedOn));
      for (int i = 0; i < heads; i++) {
        assertEquals(i == stale ? 2 : 1, tenant.stored(before.get(i).key()).version());
      }
      before.set(stale, movedOn);
      tenant.committed(tenant.batch(raised(before), List.of()));
    }
  }

  private static List<Mutation> raised(List<Row> heads) {
    return heads.stream()
        .<Mutation>map(head -> new Mutation.Update(head, SampleRows.next(head)))
        .toList();
  }

  @Test
  @DisplayName("C010: the version decides, never a time")
  void c010TheVersionDecidesNeverATime() {
    KitTenant tenant = tenant();
    Row first = tenant.insert(tenant.head(UUID.randomUUID()));
    RecordHeader earlier =
        first.header().next(first.header().updatedAt().minus(Duration.ofDays(1)), "slow-clock");

    Row second = tenant.update(first, first.with(earlier));

    assertEquals(second, tenant.stored(first.key()));
    assertTrue(second.header().updatedAt().isBefore(first.header().updatedAt()));
  }

  @Test
  void anUpdateReplacesTheWholeRow() {
    for (RecordType type : mutableTypes()) {
      KitTenant tenant = tenant();
      Row full = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      Row minimal =
          SampleRows.minimal(tenant.id(), full.key()).with(SampleRows.next(full).header());

      tenant.update(full, minimal);
      assertEquals(minimal, tenant.stored(full.key()));

      Row fullAgain = full.with(SampleRows.next(minimal).header());
      tenant.update(minimal, fullAgain);
      assertEquals(fullAgain, tenant.stored(full.key()));
    }
  }

  private static List<RecordType> removedTypes() {
    return RecordTypes.all().stream().filter(type -> type.removal() == Removal.BY_BATCH).toList();
  }

  private static List<RecordType> mutableTypes() {
    return RecordTypes.all().stream()
        .filter(type -> type.mutability() == Mutability.MUTABLE)
        .toList();
  }
}
