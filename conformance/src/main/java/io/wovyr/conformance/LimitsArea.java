/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What fits is written; one beyond is refused before anything is, naming the limit. */
abstract class LimitsArea extends Area {
  private static final long MOST_BYTES = 80L << 20;
  private static final int MOST_ITEMS = 20_000;

  LimitsArea(StorageContract contract) {
    super(contract);
  }

  private Limits limits() {
    return storage().limits();
  }

  /** An event of exactly so many bytes. */
  private static Row sized(KitTenant tenant, UUID execution, long sequence, int bytes) {
    Row bare = tenant.event(execution, sequence);
    byte[] filling = new byte[bytes - bare.sizeBytes()];
    Arrays.fill(filling, (byte) sequence);
    Row sized = bare.with("changes", Bytes.wrap(filling));
    assertEquals(bytes, sized.sizeBytes());
    return sized;
  }

  private void assertRejected(String limit, List<Batch> batches) {
    Rejected rejected =
        assertThrows(Rejected.class, () -> storage().commit(batches, KitTenant.deadline()), limit);
    assertTrue(
        String.valueOf(rejected.getMessage()).contains(limit),
        "the message names " + limit + ": " + rejected.getMessage());
  }

  private static void assertNothing(KitTenant tenant) {
    for (RecordType type : RecordTypes.all()) {
      assertEquals(List.of(), tenant.all(Scan.byKey(type, List.of(), 10)), "rows of " + type);
    }
  }

  @Test
  void everyLimitIsAtLeastWhatCoreNeeds() {
    assertTrue(limits().recordBytes() >= 1_024, "recordBytes");
    assertTrue(limits().batchItems() >= 10, "batchItems");
    assertTrue(limits().batchBytes() >= limits().recordBytes(), "batchBytes");
    assertTrue(limits().mergedBatches() >= 1, "mergedBatches");
    assertTrue(limits().itemsPerIndexEntry() >= 0, "itemsPerIndexEntry");
  }

  @Test
  void aRecordAtTheLimitIsWrittenAndOneByteMoreIsRejected() {
    int most = limits().recordBytes();
    assumeTrue(most <= MOST_BYTES, () -> "recordBytes of " + most + " is more than the kit tries");
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row beyond = sized(tenant, execution, 1, most + 1);
    assertRejected("recordBytes", List.of(tenant.batch(new Mutation.Insert(beyond))));
    assertNothing(tenant);

    Row largest = tenant.insert(sized(tenant, execution, 1, most));
    assertEquals(largest, tenant.stored(largest.key()));

    Row head = tenant.insert(tenant.row(Key.of(RecordTypes.EXECUTION, execution)));
    int room = most - head.sizeBytes() + 1;
    Row grown = SampleRows.next(head).with("searchAttributes", filling(room));
    assertTrue(grown.sizeBytes() > most);
    assertRejected("recordBytes", List.of(tenant.batch(new Mutation.Update(head, grown))));
    assertEquals(head, tenant.stored(head.key()));
  }

  private static List<String> filling(int bytes) {
    List<String> filling = new ArrayList<>();
    for (int left = bytes; left > 0; left -= 500) {
      filling.add("x".repeat(500));
    }
    return filling;
  }

  /** Inserts of events, {@code count} of them. */
  private static List<Mutation> inserts(KitTenant tenant, UUID execution, int count) {
    List<Mutation> inserts = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      inserts.add(new Mutation.Insert(tenant.event(execution, i)));
    }
    return inserts;
  }

  @Test
  void aBatchAtTheLimitOfItemsIsWrittenAndOneMoreIsRejected() {
    int most = limits().batchItems();
    assumeTrue(most <= MOST_ITEMS, () -> "batchItems of " + most + " is more than the kit tries");
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Batch beyond = tenant.batch(inserts(tenant, execution, most + 1), List.of());
    assertEquals(most + 1, beyond.items(limits()));
    assertRejected("batchItems", List.of(beyond));
    assertNothing(tenant);

    tenant.committed(tenant.batch(inserts(tenant, execution, most), List.of()));
    assertEquals(most, tenant.events(execution).size());
  }

  @Test
  void checksCountAsItems() {
    int most = limits().batchItems();
    assumeTrue(most <= MOST_ITEMS, () -> "batchItems of " + most + " is more than the kit tries");
    KitTenant tenant = tenant();
    Row checked = tenant.insert(tenant.head(UUID.randomUUID()));
    List<Batch.VersionIs> check = List.of(new Batch.VersionIs(checked.key(), 1));
    UUID execution = UUID.randomUUID();

    assertRejected("batchItems", List.of(tenant.batch(inserts(tenant, execution, most), check)));
    assertEquals(List.of(), tenant.events(execution));
    tenant.committed(tenant.batch(inserts(tenant, execution, most - 1), check));
  }

  @Test
  void indexEntriesCountWhereTheStoreSaysSo() {
    assumeTrue(
        limits().itemsPerIndexEntry() > 0 && limits().batchItems() <= MOST_ITEMS,
        "the store keeps indexes by itself (itemsPerIndexEntry is 0)");
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    int each = 1 + limits().itemsPerIndexEntry();
    int fitting = limits().batchItems() / each;
    List<Mutation> signals = new ArrayList<>();
    for (int i = 1; i <= fitting + 1; i++) {
      signals.add(new Mutation.Insert(tenant.event(execution, i).with("dedupeKey", "s" + i)));
    }
    assertRejected("batchItems", List.of(tenant.batch(signals, List.of())));
    assertEquals(List.of(), tenant.events(execution));

    tenant.committed(tenant.batch(signals.subList(0, fitting), List.of()));
    assertEquals(fitting, tenant.events(execution).size());
  }

  @Test
  void aBatchAtTheLimitOfBytesIsWrittenAndOneMoreIsRejected() {
    long most = limits().batchBytes();
    long rows = (most + limits().recordBytes() - 1) / limits().recordBytes();
    assumeTrue(
        most <= MOST_BYTES && rows <= limits().batchItems(),
        () -> "batchBytes of " + most + " is more than the kit tries, or batchItems allow");
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    assertRejected(
        "batchBytes", List.of(tenant.batch(filled(tenant, execution, most + 1), List.of())));
    assertNothing(tenant);

    List<Mutation> fitting = filled(tenant, execution, most);
    tenant.committed(tenant.batch(fitting, List.of()));
    for (Mutation insert : List.of(fitting.get(0), fitting.get(fitting.size() - 1))) {
      assertEquals(((Mutation.Insert) insert).after(), tenant.stored(insert.key()));
    }
  }

  /** Events of exactly so many bytes together. */
  private List<Mutation> filled(KitTenant tenant, UUID execution, long bytes) {
    List<Mutation> inserts = new ArrayList<>();
    int smallest = tenant.event(execution, 1).sizeBytes();
    long left = bytes;
    while (left > 0) {
      long next = Math.min(left, limits().recordBytes());
      if (left - next > 0 && left - next < smallest) {
        next -= smallest;
      }
      inserts.add(new Mutation.Insert(sized(tenant, execution, inserts.size() + 1L, (int) next)));
      left -= next;
    }
    return inserts;
  }

  @Test
  void asManyBatchesAsAllowedGoIntoOneCallAndOneMoreIsRejected() {
    int most = limits().mergedBatches();
    assumeTrue(most <= MOST_ITEMS, () -> "mergedBatches of " + most + " is more than tried");
    KitTenant tenant = tenant();
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i <= most; i++) {
      batches.add(tenant.batch(new Mutation.Insert(tenant.head(UUID.randomUUID()))));
    }
    assertRejected("mergedBatches", batches);
    assertNothing(tenant);

    assertEquals(
        most,
        storage().commit(batches.subList(0, most), KitTenant.deadline()).stream()
            .filter(Committed.class::isInstance)
            .count());
  }

  @Test
  void oneBatchBeyondALimitKeepsAllOfTheCallFromBeingWritten() {
    int most = limits().batchItems();
    assumeTrue(
        most <= MOST_ITEMS && limits().mergedBatches() > 1,
        "the limits are beyond what the kit tries, or one batch a call");
    KitTenant tenant = tenant();
    Batch small = tenant.batch(new Mutation.Insert(tenant.head(UUID.randomUUID())));
    Batch large = tenant.batch(inserts(tenant, UUID.randomUUID(), most + 1), List.of());

    assertRejected("batchItems", List.of(small, large));
    assertRejected("batchItems", List.of(large, small));
    assertNothing(tenant);
  }

  @Test
  @DisplayName("C016: a step of 99, 100, 101 or 301 records is written whole or rejected whole")
  void c016AStepOfManyRecordsIsWrittenWholeOrRejectedWhole() {
    for (int events : new int[] {97, 98, 99, 100, 149, 299}) {
      KitTenant tenant = tenant();
      UUID execution = UUID.randomUUID();
      Row head = tenant.insert(tenant.head(execution));
      List<Mutation> mutations = inserts(tenant, execution, events);
      Row after = SampleRows.next(head).with("lastSequence", (long) events);
      mutations.add(new Mutation.Update(head, after));
      Batch batch = tenant.batch(mutations, List.of());
      Optional<String> violated = batch.violates(limits());

      if (violated.isPresent()) {
        assertRejected("batchItems", List.of(batch));
        assertEquals(List.of(), tenant.events(execution));
        assertEquals(head, tenant.stored(head.key()));
      } else {
        tenant.committed(batch);
        assertEquals(events, tenant.events(execution).size());
        assertEquals(after, tenant.stored(head.key()));
      }
    }
  }
}
