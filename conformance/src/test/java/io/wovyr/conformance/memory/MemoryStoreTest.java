/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What only the reference promises; everything else the kit asks of it. */
class MemoryStoreTest {
  private static final Scope TENANT = Scope.tenant("nord");
  private static final Instant DUE = Instant.parse("2026-03-01T10:00:00Z");

  @Test
  void refusesABeforeImageThatWouldLeaveABrokenIndex() {
    Storage storage = new MemoryStore(MemorySettings.defaults()).open();
    Row marker = marker(UUID.randomUUID(), DUE);
    commit(storage, new Mutation.Insert(marker));
    Row liar = marker.with("expiresAt", DUE.plusSeconds(1));

    assertThrows(IllegalArgumentException.class, () -> commit(storage, new Mutation.Delete(liar)));
    assertEquals(Optional.of(marker), read(storage, marker.key()));
  }

  @Test
  void refusesBatchesOfAFormerEpoch() {
    MemoryStore store = new MemoryStore(MemorySettings.defaults());
    Storage storage = store.open();
    Batch batch = batch(storage, new Mutation.Insert(marker(UUID.randomUUID(), DUE)));
    store.raiseEpoch();

    assertThrows(Unavailable.class, () -> storage.commit(batch, soon()));
    assertEquals(2, storage.identity().epoch());
  }

  @Test
  void appliesTheBatchesOfOneCallInReverseWhenToldTo() {
    MemorySettings reversed =
        MemorySettings.defaults().withCommitOrder(MemorySettings.CommitOrder.REVERSED);
    Storage storage = new MemoryStore(reversed).open();
    Row marker = marker(UUID.randomUUID(), DUE);
    Batch first = batch(storage, new Mutation.Insert(marker));
    Batch second = batch(storage, new Mutation.Insert(marker));

    List<CommitOutcome> outcomes = storage.commit(List.of(first, second), soon());

    assertInstanceOf(Conflict.class, outcomes.get(0));
    assertInstanceOf(Committed.class, outcomes.get(1));
  }

  @Test
  void tellsNothingOfWhatIsStoredWhenToldNotToRead() {
    Storage storage = new MemoryStore(MemorySettings.defaults().withoutActualInConflicts()).open();
    Row marker = marker(UUID.randomUUID(), DUE);
    commit(storage, new Mutation.Insert(marker));

    Conflict conflict = (Conflict) commit(storage, new Mutation.Insert(marker));

    assertEquals(Optional.empty(), conflict.failed().get(0).actual());
  }

  @Test
  void shortPagesBeginEmptyAndLoseNothing() {
    Storage storage = new MemoryStore(MemorySettings.defaults().withShortPages()).open();
    for (int i = 0; i < 7; i++) {
      commit(storage, new Mutation.Insert(marker(UUID.randomUUID(), DUE)));
    }
    List<Key> seen = new ArrayList<>();
    Optional<String> next = Optional.empty();
    int emptyPages = 0;
    do {
      Scan scan = Scan.byKey(RecordTypes.COMMIT_MARKER, List.of(), 4).after(next);
      Page<Row> page = storage.scan(TENANT, scan, ReadOptions.strong(soon()));
      page.items().forEach(row -> seen.add(row.key()));
      emptyPages += page.items().isEmpty() ? 1 : 0;
      next = page.next();
    } while (next.isPresent());

    assertEquals(7, seen.size());
    assertEquals(seen.stream().sorted().toList(), seen);
    assertEquals(1, emptyPages);
  }

  @Test
  void aClosedHandleAnswersUnavailableAndAnotherSeesEverything() {
    MemoryStore store = new MemoryStore(MemorySettings.defaults());
    Storage storage = store.open();
    Row marker = marker(UUID.randomUUID(), DUE);
    commit(storage, new Mutation.Insert(marker));
    storage.close();

    assertThrows(Unavailable.class, () -> read(storage, marker.key()));
    assertTrue(storage.health().problem().isPresent());
    assertEquals(Optional.of(marker), read(store.open(), marker.key()));
  }

  private static Row marker(UUID id, Instant expiresAt) {
    RecordHeader header =
        new RecordHeader(
            UUID.randomUUID(), TENANT.tenantId(), 1, DUE, DUE, "kit", 1, 1, 1, Bytes.EMPTY);
    return new Row(Key.of(RecordTypes.COMMIT_MARKER, id), header, Arrays.asList(false, expiresAt));
  }

  private static Batch batch(Storage storage, Mutation mutation) {
    return new Batch(
        UUID.randomUUID(),
        storage.identity().epoch(),
        TENANT,
        Optional.empty(),
        List.of(mutation),
        List.of());
  }

  private static CommitOutcome commit(Storage storage, Mutation mutation) {
    return storage.commit(batch(storage, mutation), soon());
  }

  private static Optional<Row> read(Storage storage, Key key) {
    return storage.read(TENANT, List.of(key), ReadOptions.strong(soon())).get(0);
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(5));
  }
}
