/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.ValueOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Ranges in the one order of values, page by page, losing and doubling nothing. */
abstract class ScansArea extends Area {
  private static final int[] LIMITS = {1, 2, 3, 7, 100};

  ScansArea(StorageContract contract) {
    super(contract);
  }

  private static List<Key> keys(List<Row> rows) {
    return rows.stream().map(Row::key).toList();
  }

  private static <T> List<T> reversed(List<T> list) {
    List<T> reversed = new ArrayList<>(list);
    Collections.reverse(reversed);
    return reversed;
  }

  private static Scan limited(Scan scan, int limit) {
    return new Scan(
        scan.type(),
        scan.path(),
        scan.equal(),
        scan.fromInclusive(),
        scan.toExclusive(),
        scan.ascending(),
        limit,
        Optional.empty());
  }

  /** The scan yields these rows, in both directions and with pages of any size. */
  private static void assertYields(KitTenant tenant, Scan scan, List<Key> expected) {
    for (int limit : LIMITS) {
      assertEquals(expected, keys(tenant.all(limited(scan, limit))), "pages of " + limit);
      assertEquals(
          reversed(expected),
          keys(tenant.all(limited(scan, limit).descending())),
          "descending, pages of " + limit);
    }
  }

  /** Inserts rows in random order and answers their keys in key order. */
  private static List<Key> insertShuffled(KitTenant tenant, List<Row> rows) {
    List<Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(7));
    shuffled.forEach(tenant::insert);
    return keys(rows).stream().sorted().toList();
  }

  @Test
  void byKeyYieldsEverythingInOrder() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    List<Key> keys =
        insertShuffled(
            tenant,
            LongStream.of(
                    1,
                    2,
                    3,
                    9,
                    10,
                    11,
                    255,
                    256,
                    65_535,
                    65_536,
                    1L << 31,
                    1L << 40,
                    Long.MAX_VALUE)
                .mapToObj(sequence -> tenant.event(execution, sequence))
                .toList());

    assertYields(tenant, Scan.byKey(RecordTypes.EVENT, List.of(execution), 1), keys);
    assertYields(tenant, Scan.byKey(RecordTypes.EVENT, List.of(), 1), keys);
    assertYields(
        tenant, Scan.byKey(RecordTypes.EVENT, List.of(execution, 256L), 1), List.of(keys.get(7)));
    assertYields(tenant, Scan.byKey(RecordTypes.EVENT, List.of(UUID.randomUUID()), 1), List.of());
  }

  @Test
  void rangesIncludeTheLowerBoundAndExcludeTheUpper() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    List<Key> keys =
        insertShuffled(
            tenant,
            LongStream.rangeClosed(1, 20)
                .mapToObj(sequence -> tenant.event(execution, sequence))
                .toList());
    insertShuffled(tenant, List.of(tenant.event(UUID.randomUUID(), 5)));
    Scan all = Scan.byKey(RecordTypes.EVENT, List.of(execution), 1);

    assertYields(tenant, all.from(5L), keys.subList(4, 20));
    assertYields(tenant, all.to(5L), keys.subList(0, 4));
    assertYields(tenant, all.from(5L).to(9L), keys.subList(4, 8));
    assertYields(tenant, all.from(5L).to(5L), List.of());
    assertYields(tenant, all.from(21L), List.of());
  }

  @Test
  void aBoundMayBeThePrefixOfAKey() {
    KitTenant tenant = tenant();
    List<UUID> executions = IntStream.range(0, 4).mapToObj(i -> new UUID(0x1000L * i, i)).toList();
    List<Row> rows = new ArrayList<>();
    for (UUID execution : executions) {
      rows.add(tenant.event(execution, 1));
      rows.add(tenant.event(execution, 2));
    }
    List<Key> keys = insertShuffled(tenant, rows);
    Scan all = Scan.byKey(RecordTypes.EVENT, List.of(), 1);

    assertYields(tenant, all.from(executions.get(1)), keys.subList(2, 8));
    assertYields(tenant, all.to(executions.get(3)), keys.subList(0, 6));
    assertYields(
        tenant, all.from(executions.get(1), 2L).to(executions.get(3), 2L), keys.subList(3, 7));
  }

  @Test
  void textIsOrderedByItsUtf8Bytes() {
    KitTenant tenant = tenant();
    List<String> names =
        List.of(
            " ",
            "!",
            "%",
            "-",
            "0",
            "10",
            "2",
            "A",
            "AA",
            "B",
            "_",
            "a",
            "a ",
            "aa",
            "b",
            "\u00e9",
            "\u017f",
            "\u4e2d",
            "\ue000",
            "\uff5e",
            "\ufffd",
            "\ud83d\ude80",
            "\ud83d\ude80a");
    List<Key> keys =
        insertShuffled(
            tenant,
            names.stream()
                .map(name -> "n" + name)
                .map(name -> tenant.row(Key.of(RecordTypes.NAMED_LEASE, name)))
                .toList());

    Scan all = Scan.byKey(RecordTypes.NAMED_LEASE, List.of(), 1);
    assertYields(tenant, all, keys);
    assertYields(tenant, all.from("nA").to("na"), keys.subList(7, 11));
  }

  @Test
  void uuidsAreOrderedByTheirBytesUnsigned() {
    KitTenant tenant = tenant();
    List<Row> rows = new ArrayList<>();
    for (long high : new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
      for (long low : new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
        rows.add(tenant.head(new UUID(high, low)));
      }
    }
    List<Key> keys = insertShuffled(tenant, rows);

    Scan all = Scan.byKey(RecordTypes.HEAD, List.of(), 1);
    assertYields(tenant, all, keys);
    assertYields(tenant, all.from(new UUID(Long.MIN_VALUE, 0)), keys.subList(15, 25));
  }

  @Test
  void aPathYieldsWhatEqualsItsValues() {
    KitTenant tenant = tenant();
    UUID correlation = UUID.randomUUID();
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      rows.add(tenant.event(new UUID(i % 3, i), i).with("correlationId", correlation));
      tenant.insert(tenant.event(new UUID(9, i), i).with("correlationId", UUID.randomUUID()));
      tenant.insert(tenant.event(new UUID(8, i), i));
    }
    List<Key> keys = insertShuffled(tenant, rows);

    assertYields(
        tenant, Scan.byPath(RecordTypes.EVENT, "by_correlation", List.of(correlation), 1), keys);
  }

  @Test
  void anOrderedPathIsOrderedByItsValuesThenByKey() {
    KitTenant tenant = tenant();
    List<Row> rows = new ArrayList<>();
    for (String owner : List.of("w-1", "w-10", "w-2", "\u00e9", "\uffee", "\ud83d\ude80")) {
      for (int i = 0; i < 4; i++) {
        rows.add(tenant.head(UUID.randomUUID()).with("owner", owner));
      }
    }
    insertShuffled(tenant, rows);
    tenant.insert(tenant.head(UUID.randomUUID()));
    List<Key> expected =
        keys(rows.stream().sorted(Comparator.comparing(ScansArea::place, VALUES)).toList());

    Scan held = Scan.byPath(RecordTypes.HEAD, "held", List.of(), 1);
    assertYields(tenant, held, expected);
    assertYields(tenant, held.from("w-10").to("\u00e9"), expected.subList(4, 12));
  }

  private static final Comparator<Object> VALUES = ValueOrder.INSTANCE;

  /** Where it belongs among those that are held. */
  private static Object place(Row head) {
    return List.of(Objects.requireNonNull(head.get("owner")), head.key().values().get(0));
  }

  @Test
  void aListIsFoundByEachOfItsElementsOnce() {
    KitTenant tenant = tenant();
    Row listed =
        tenant.insert(
            execution(tenant, 0).with("searchAttributes", List.of("a=1", "b=2", "a=1", "c=")));
    Row other = tenant.insert(execution(tenant, 1).with("searchAttributes", List.of("b=2")));
    tenant.insert(execution(tenant, 2).with("searchAttributes", List.of()));
    KitTenant foreign = tenant("foreign");
    foreign.insert(execution(foreign, 0).with("searchAttributes", List.of("a=1")));

    assertEquals(List.of(listed), tenant.all(byAttribute("a=1", 10)));
    assertEquals(List.of(listed, other), tenant.all(byAttribute("b=2", 10)));
    assertEquals(List.of(listed), tenant.all(byAttribute("c=", 10)));
    assertEquals(List.of(), tenant.all(byAttribute("a=", 10)));
    assertEquals(List.of(), tenant.all(byAttribute("a=1\", \"b=2", 10)));

    Row changed =
        tenant.update(
            listed, SampleRows.next(listed).with("searchAttributes", List.of("c=", "d=4")));
    assertEquals(List.of(), tenant.all(byAttribute("a=1", 10)));
    assertEquals(List.of(other), tenant.all(byAttribute("b=2", 10)));
    assertEquals(List.of(changed), tenant.all(byAttribute("c=", 10)));
    assertEquals(List.of(changed), tenant.all(byAttribute("d=4", 10)));

    Row moved =
        tenant.update(
            changed,
            SampleRows.next(changed).with("startedAt", SampleRows.CREATED.plusSeconds(90)));
    assertEquals(
        List.of(moved), tenant.all(byAttribute("d=4", 10).from(SampleRows.CREATED.plusSeconds(9))));
    assertEquals(
        List.of(), tenant.all(byAttribute("d=4", 10).to(SampleRows.CREATED.plusSeconds(9))));
  }

  @Test
  void aListPathIsOrderedAndPaged() {
    KitTenant tenant = tenant();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      rows.add(
          execution(tenant, i / 3)
              .with("searchAttributes", List.of("customer=7", "odd=" + i % 2, "number=" + i)));
      tenant.insert(execution(tenant, i).with("searchAttributes", List.of("customer=8")));
    }
    insertShuffled(tenant, rows);
    Comparator<Row> place =
        Comparator.comparing(row -> List.of(started(row), row.key().values().get(0)), VALUES);
    List<Key> expected = keys(rows.stream().sorted(place).toList());

    assertYields(tenant, byAttribute("customer=7", 1), expected);
    assertYields(
        tenant,
        byAttribute("customer=7", 1)
            .from(SampleRows.CREATED.plusSeconds(1))
            .to(SampleRows.CREATED.plusSeconds(3)),
        expected.subList(3, 9));
  }

  private static Object started(Row execution) {
    return Objects.requireNonNull(execution.get("startedAt"));
  }

  private static Row execution(KitTenant tenant, int seconds) {
    return tenant
        .row(SampleRows.key(RecordTypes.EXECUTION))
        .with("startedAt", SampleRows.CREATED.plusSeconds(seconds));
  }

  private static Scan byAttribute(String entry, int limit) {
    return Scan.byPath(RecordTypes.EXECUTION, "by_attribute", List.of(entry), limit);
  }

  @Test
  void aPathFollowsEveryChange() {
    KitTenant tenant = tenant();
    Scan held = Scan.byPath(RecordTypes.HEAD, "held", List.of(), 10);
    Row free = tenant.insert(tenant.head(UUID.randomUUID()));
    assertEquals(List.of(), tenant.all(held));

    Row owned = tenant.update(free, SampleRows.next(free).with("owner", "a"));
    assertEquals(List.of(owned), tenant.all(held));

    Row moved = tenant.update(owned, SampleRows.next(owned).with("owner", "b"));
    assertEquals(List.of(moved), tenant.all(held));
    assertEquals(List.of(), tenant.all(held.to("b")));

    Row kept = tenant.update(moved, SampleRows.next(moved).with("renewals", 5L));
    assertEquals(List.of(kept), tenant.all(held));

    tenant.update(kept, SampleRows.next(kept).with("owner", null));
    assertEquals(List.of(), tenant.all(held));
  }

  @Test
  void anEntryGoesWithItsRow() {
    KitTenant tenant = tenant();
    Scan ofNode = Scan.byPath(RecordTypes.METRICS_SNAPSHOT, "by_source", List.of("node"), 10);
    Row gone = tenant.insert(snapshot(tenant, UUID.randomUUID(), 1));
    Row stays = tenant.insert(snapshot(tenant, UUID.randomUUID(), 2));
    assertEquals(List.of(gone, stays), tenant.all(ofNode));

    tenant.committed(new Mutation.Delete(gone));
    assertEquals(List.of(stays), tenant.all(ofNode));
    assertEquals(
        List.of(stays), tenant.all(Scan.byKey(RecordTypes.METRICS_SNAPSHOT, List.of(), 10)));
  }

  private static Row snapshot(KitTenant tenant, UUID id, int second) {
    return tenant
        .row(Key.of(RecordTypes.METRICS_SNAPSHOT, id))
        .with("source", "node")
        .with("takenAt", SampleRows.CREATED.plusSeconds(second));
  }

  @Test
  void whatWasCommittedIsSeenAtOnceThroughEveryHandle() {
    KitTenant tenant = tenant();
    try (Storage other = subject().open()) {
      KitTenant reader = tenant.through(other);
      for (int i = 1; i <= 50; i++) {
        Row row = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "n" + i)));
        assertEquals(Optional.of(row), reader.read(row.key()));
        assertEquals(i, reader.all(Scan.byKey(RecordTypes.NAMED_LEASE, List.of(), 100)).size());
      }
    }
  }

  @Test
  void readAnswersInTheOrderAsked() {
    KitTenant tenant = tenant();
    Row one = tenant.insert(tenant.head(UUID.randomUUID()));
    Row other = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "sealer")));
    Key missing = Key.of(RecordTypes.HEAD, UUID.randomUUID());

    assertEquals(
        List.of(Optional.of(other), Optional.empty(), Optional.of(one), Optional.of(other)),
        storage()
            .read(
                tenant.scope(),
                List.of(other.key(), missing, one.key(), other.key()),
                KitTenant.strong()));
    assertEquals(List.of(), storage().read(tenant.scope(), List.of(), KitTenant.strong()));
  }

  @Test
  void aStaleReadAnswersSomethingThatWasStored() {
    KitTenant tenant = tenant();
    Row row = tenant.insert(tenant.head(UUID.randomUUID()));
    ReadOptions stale = new ReadOptions(KitTenant.deadline(), ReadOptions.Consistency.STALE);

    Optional<Row> read = storage().read(tenant.scope(), List.of(row.key()), stale).get(0);

    assertTrue(read.isEmpty() || read.get().equals(row));
  }

  @Test
  void rowsThatStayAreSeenOnceWhileOthersComeAndGo() {
    KitTenant tenant = tenant();
    List<Key> staying =
        insertShuffled(
            tenant,
            LongStream.rangeClosed(1, 60)
                .mapToObj(i -> snapshot(tenant, new UUID(i << 32, 0), (int) i % 7))
                .toList());
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger changes = new AtomicInteger();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> churn = thread.submit(() -> churn(tenant, changes, over));
      AtomicInteger scans = new AtomicInteger();
      await(
          "rows to come and go beside the scans",
          () -> {
            assertStaying(
                staying, tenant.all(Scan.byKey(RecordTypes.METRICS_SNAPSHOT, List.of(), 7)));
            assertStaying(
                staying,
                tenant.all(Scan.byKey(RecordTypes.METRICS_SNAPSHOT, List.of(), 7).descending()));
            assertStaying(
                staying,
                tenant.all(
                    Scan.byPath(RecordTypes.METRICS_SNAPSHOT, "by_source", List.of("node"), 7)));
            return churn.isDone() || (scans.incrementAndGet() > 20 && changes.get() > 150);
          });
      over.set(true);
      Race.result(churn);
    } finally {
      over.set(true);
      thread.shutdownNow();
    }
  }

  /** Inserts and deletes rows among those that stay. */
  private static void churn(KitTenant tenant, AtomicInteger changes, AtomicBoolean over) {
    Random random = new Random(5);
    List<Row> guests = new ArrayList<>();
    while (!over.get()) {
      if (guests.size() < 5 || (guests.size() < 20 && random.nextBoolean())) {
        UUID id = new UUID((random.nextLong(0, 60) << 32) + 1 + random.nextInt(1_000_000), 1);
        guests.add(tenant.insert(snapshot(tenant, id, random.nextInt(7))));
      } else {
        Row leaving = guests.remove(random.nextInt(guests.size()));
        tenant.committed(new Mutation.Delete(leaving));
      }
      changes.incrementAndGet();
    }
  }

  private static void assertStaying(List<Key> staying, List<Row> seen) {
    Set<Key> wanted = new HashSet<>(staying);
    List<Key> found = keys(seen).stream().filter(wanted::contains).sorted().toList();
    assertEquals(staying, found, "every row that stays, once");
  }
}
