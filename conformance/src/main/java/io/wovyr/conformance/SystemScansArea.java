/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Keys over all tenants, in a path's order. Such a path may be eventual: what was committed shows
 * within seconds.
 */
abstract class SystemScansArea extends Area {
  private static final Scope.System SYSTEM = new Scope.System("conformance");

  SystemScansArea(StorageContract contract) {
    super(contract);
  }

  /** All entries of a system scan, page by page, of these tenants. */
  private static List<ScopedKey> all(Scan scan, List<KitTenant> tenants) {
    Set<String> wanted = tenants.stream().map(KitTenant::id).collect(Collectors.toSet());
    List<ScopedKey> keys = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<ScopedKey> page =
          tenants.get(0).storage().scanSystem(SYSTEM, scan.after(next), KitTenant.strong());
      assertTrue(page.items().size() <= scan.limit(), "a page is no longer than asked");
      page.items().stream().filter(key -> wanted.contains(key.tenantId())).forEach(keys::add);
      next = page.next();
    } while (next.isPresent());
    return keys;
  }

  /** The due heads of a tenant between two times. */
  static List<Key> due(KitTenant tenant, Optional<Object> from, Optional<Object> to) {
    Scan scan = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 100);
    if (from.isPresent()) {
      scan = scan.from(from.get());
    }
    if (to.isPresent()) {
      scan = scan.to(to.get());
    }
    return all(scan, List.of(tenant)).stream().map(ScopedKey::key).toList();
  }

  /** A time in a window that no other test or run uses. */
  private static Instant window() {
    return Instant.parse("2100-01-01T00:00:00Z")
        .plusSeconds(new Random().nextLong(0, 2_000_000_000L));
  }

  private static Scan between(Instant from, Duration length, int limit) {
    return Scan.byPath(RecordTypes.HEAD, "due", List.of(), limit).from(from).to(from.plus(length));
  }

  private void awaitEntries(Scan scan, List<KitTenant> tenants, int entries) {
    await(entries + " entries", () -> all(scan, tenants).size() == entries);
  }

  @Test
  void yieldsTheKeysOfAllTenantsInThePathsOrder() {
    List<KitTenant> tenants = List.of(tenant("a"), tenant("b"), tenant("c"));
    Instant start = window();
    List<ScopedKey> expected = new ArrayList<>();
    List<Runnable> inserts = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      KitTenant tenant = tenants.get(i % 3);
      Row head = tenant.head(UUID.randomUUID()).with("dueAt", start.plusNanos(i * 1_000L));
      expected.add(new ScopedKey(tenant.id(), head.key()));
      inserts.add(() -> tenant.insert(head));
    }
    Collections.shuffle(inserts, new Random(3));
    inserts.forEach(Runnable::run);
    Scan scan = between(start, Duration.ofSeconds(1), 100);
    awaitEntries(scan, tenants, 30);

    List<ScopedKey> backwards = new ArrayList<>(expected);
    Collections.reverse(backwards);
    for (int limit : new int[] {1, 4, 30, 31}) {
      assertEquals(expected, all(between(start, Duration.ofSeconds(1), limit), tenants));
      assertEquals(
          backwards, all(between(start, Duration.ofSeconds(1), limit).descending(), tenants));
    }
    assertEquals(
        expected.subList(10, 20),
        all(between(start.plusNanos(10_000), Duration.ofNanos(10_000), 3), tenants));
  }

  @Test
  void entriesOfOneInstantAreAllSeenOnce() {
    List<KitTenant> tenants = List.of(tenant("a"), tenant("b"), tenant("c"));
    Instant instant = window();
    UUID shared = UUID.randomUUID();
    Set<ScopedKey> expected = new HashSet<>();
    for (KitTenant tenant : tenants) {
      for (int i = 0; i < 8; i++) {
        UUID id = i == 0 ? shared : UUID.randomUUID();
        Row head = tenant.insert(tenant.head(id).with("dueAt", instant));
        expected.add(new ScopedKey(tenant.id(), head.key()));
      }
    }
    awaitEntries(between(instant, Duration.ofSeconds(1), 100), tenants, 24);

    for (int limit : new int[] {1, 5, 24}) {
      List<ScopedKey> seen = all(between(instant, Duration.ofSeconds(1), limit), tenants);
      assertEquals(24, seen.size(), "pages of " + limit);
      assertEquals(expected, new HashSet<>(seen));
    }
  }

  @Test
  void aNullHasNoEntry() {
    KitTenant tenant = tenant();
    Instant start = window();
    Row waiting = tenant.insert(tenant.head(UUID.randomUUID()).with("dueAt", start));
    tenant.insert(tenant.head(UUID.randomUUID()));
    Scan scan = between(start, Duration.ofDays(1), 10);
    awaitEntries(scan, List.of(tenant), 1);

    Row closed = SampleRows.next(waiting).with("dueAt", null);
    tenant.update(waiting, closed);
    awaitEntries(scan, List.of(tenant), 0);
    assertEquals(List.of(), due(tenant, Optional.empty(), Optional.empty()), "no entry anywhere");

    tenant.update(closed, SampleRows.next(closed).with("dueAt", start));
    awaitEntries(scan, List.of(tenant), 1);
  }

  @Test
  void anEntryMovesWithItsRowAndGoesWithIt() {
    KitTenant tenant = tenant();
    Instant start = window();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()).with("dueAt", start));
    Row moved = SampleRows.next(head).with("dueAt", start.plusSeconds(10));
    tenant.update(head, moved);

    awaitEntries(between(start, Duration.ofSeconds(10), 10), List.of(tenant), 0);
    awaitEntries(between(start.plusSeconds(10), Duration.ofSeconds(10), 10), List.of(tenant), 1);

    tenant.update(moved, SampleRows.next(moved).with("dueAt", null));
    awaitEntries(between(start, Duration.ofDays(1), 10), List.of(tenant), 0);

    Row marker =
        tenant.insert(
            tenant
                .row(Key.of(RecordTypes.COMMIT_MARKER, UUID.randomUUID()))
                .with("expiresAt", start));
    Scan expired =
        Scan.byPath(RecordTypes.COMMIT_MARKER, "expiry", List.of(), 10)
            .from(start)
            .to(start.plusSeconds(1));
    awaitEntries(expired, List.of(tenant), 1);
    tenant.committed(new Mutation.Delete(marker));
    awaitEntries(expired, List.of(tenant), 0);
  }

  @Test
  void instantsBeforeTheEpochComeFirst() {
    KitTenant tenant = tenant();
    List<Key> expected = new ArrayList<>();
    for (String time :
        List.of(
            "1899-12-31T23:59:59.999999Z",
            "1969-12-31T23:59:59.999999Z",
            "1970-01-01T00:00:00Z",
            "1970-01-01T00:00:00.000001Z",
            "2026-01-01T00:00:00Z",
            "2525-01-01T00:00:00Z")) {
      Row head = tenant.head(UUID.randomUUID()).with("dueAt", Instant.parse(time));
      expected.add(tenant.insert(head).key());
    }
    await(
        "all to be found",
        () -> due(tenant, Optional.empty(), Optional.empty()).size() == expected.size());

    assertEquals(expected, due(tenant, Optional.empty(), Optional.empty()));
    assertEquals(
        expected.subList(1, 3),
        due(
            tenant,
            Optional.of(Instant.parse("1899-12-31T23:59:59.999999Z").plusNanos(1_000)),
            Optional.of(Instant.EPOCH.plusNanos(1_000))));
  }

  @Test
  void everySystemPathYieldsItsOwnTypeOnly() {
    KitTenant tenant = tenant();
    Instant start = window();
    Row marker =
        tenant.insert(
            tenant
                .row(Key.of(RecordTypes.COMMIT_MARKER, UUID.randomUUID()))
                .with("expiresAt", start));
    tenant.insert(tenant.head(UUID.randomUUID()).with("dueAt", start));
    Scan expiry =
        Scan.byPath(RecordTypes.COMMIT_MARKER, "expiry", List.of(), 10)
            .from(start)
            .to(start.plusSeconds(1));
    awaitEntries(expiry, List.of(tenant), 1);

    assertEquals(List.of(new ScopedKey(tenant.id(), marker.key())), all(expiry, List.of(tenant)));
  }
}
