/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Times of the store's own clock: resolved when written, judged after the row is locked. */
@Needs(Capability.STORE_CLOCK)
abstract class StoreClockArea extends Area {
  private static final String EXPIRY = "leaseExpiresAt";
  private static final Duration TTL = Duration.ofMillis(400);
  private static final Duration MARGIN = Duration.ofMillis(100);
  private static final Duration SLACK = Duration.ofSeconds(5);

  StoreClockArea(StorageContract contract) {
    super(contract);
  }

  private static StoreTime in(Duration duration) {
    return new StoreTime(duration, Duration.ZERO);
  }

  private static Row expiring(KitTenant tenant, @Nullable Object expiry) {
    return tenant.head(UUID.randomUUID()).with("owner", "worker").with(EXPIRY, expiry);
  }

  /** Inserts a row with symbolic values and answers it as stored. */
  private static Row inserted(KitTenant tenant, Row row) {
    tenant.committed(new Mutation.Insert(row));
    return tenant.stored(row.key());
  }

  private static Batch notExpired(KitTenant tenant, Row before) {
    return tenant.batch(
        new Mutation.Update(before, SampleRows.next(before), List.of(EXPIRY), List.of()));
  }

  private static Batch expired(KitTenant tenant, Row before) {
    return tenant.batch(
        new Mutation.Update(before, SampleRows.next(before), List.of(), List.of(EXPIRY)));
  }

  private static Instant instant(Row row, String attribute) {
    return (Instant) Objects.requireNonNull(row.get(attribute));
  }

  @Test
  void symbolicInstantsAreResolvedStoredAndReturned() {
    KitTenant tenant = tenant();
    Row row = expiring(tenant, in(Duration.ofHours(1))).with("dueAt", StoreTime.NOW);

    Committed committed = tenant.committed(new Mutation.Insert(row));

    Row stored = tenant.stored(row.key());
    Map<String, Instant> resolved = Objects.requireNonNull(committed.resolved().get(row.key()));
    assertEquals(
        Map.of("dueAt", instant(stored, "dueAt"), EXPIRY, instant(stored, EXPIRY)), resolved);
    Duration between = Duration.between(instant(stored, "dueAt"), instant(stored, EXPIRY));
    assertTrue(
        between.minus(Duration.ofHours(1)).abs().compareTo(SLACK) < 0,
        "one hour lies between now and now plus one hour, not " + between);

    Row after = SampleRows.next(stored).with(EXPIRY, in(Duration.ofHours(2)));
    Committed renewed = tenant.committed(new Mutation.Update(stored, after));
    Instant later = instant(tenant.stored(row.key()), EXPIRY);
    assertEquals(Map.of(row.key(), Map.of(EXPIRY, later)), renewed.resolved());
    assertTrue(later.isAfter(instant(stored, EXPIRY)), "renewed to a later time");
  }

  @Test
  void givenInstantsAreStoredAsTheyAre() {
    KitTenant tenant = tenant();
    Row row = expiring(tenant, SampleRows.CREATED);

    Committed committed = tenant.committed(new Mutation.Insert(row));

    assertEquals(Map.of(), committed.resolved());
    assertEquals(row, tenant.stored(row.key()));
  }

  @Test
  void bucketsRoundUp() {
    KitTenant tenant = tenant();
    Duration bucket = Duration.ofSeconds(10);
    for (int i = 0; i < 5; i++) {
      Row row =
          expiring(tenant, new StoreTime(Duration.ofSeconds(30), bucket))
              .with("dueAt", StoreTime.NOW);
      Row stored = inserted(tenant, row);

      Instant rounded = instant(stored, EXPIRY);
      Duration after = Duration.between(instant(stored, "dueAt"), rounded);
      assertEquals(0, StoreTime.micros(rounded) % 10_000_000L, "a whole multiple");
      assertTrue(
          after.compareTo(Duration.ofSeconds(30).minus(SLACK)) > 0
              && after.compareTo(Duration.ofSeconds(40).plus(SLACK)) < 0,
          "between 30 and 40 seconds later, not " + after);
    }
  }

  @Test
  void resolvedInstantsAreFoundWhereTheyBelong() {
    KitTenant tenant = tenant();
    Row past = inserted(tenant, expiring(tenant, null).with("dueAt", in(Duration.ofHours(-1))));
    Row future = inserted(tenant, expiring(tenant, null).with("dueAt", in(Duration.ofHours(1))));

    await(
        "the due head to be found by the store's now",
        () ->
            SystemScansArea.due(tenant, Optional.empty(), Optional.of(StoreTime.NOW))
                .contains(past.key()));
    assertFalse(
        SystemScansArea.due(tenant, Optional.empty(), Optional.of(StoreTime.NOW))
            .contains(future.key()),
        "what is due in an hour is not due now");
  }

  @Test
  @DisplayName("C080: an expired lease writes nothing, even when nobody took it")
  void c080AnExpiredLeaseWritesNothing() {
    KitTenant tenant = tenant();
    Row owned = inserted(tenant, expiring(tenant, in(Duration.ofHours(1))));
    tenant.committed(notExpired(tenant, owned));

    Row row = expiring(tenant, in(TTL));
    Row expiring = inserted(tenant, row);
    subject().passTime(TTL.plus(MARGIN));
    Batch late =
        tenant.batch(
            new Mutation.Update(expiring, SampleRows.next(expiring), List.of(EXPIRY), List.of()),
            new Mutation.Insert(tenant.event((UUID) row.key().values().get(0), 1)));

    GuardsArea.assertFailed(
        tenant.conflict(late),
        row.key(),
        new Expectation.NotExpired(EXPIRY),
        Optional.of(expiring));
    assertEquals(expiring, tenant.stored(row.key()));
    assertEquals(List.of(), tenant.events((UUID) row.key().values().get(0)));
  }

  @Test
  void aTakeoverWaitsForTheExpiry() {
    KitTenant tenant = tenant();
    Row owned = inserted(tenant, expiring(tenant, in(Duration.ofHours(1))));
    GuardsArea.assertFailed(
        tenant.conflict(expired(tenant, owned)),
        owned.key(),
        new Expectation.Expired(EXPIRY),
        Optional.of(owned));

    Row expiring = inserted(tenant, expiring(tenant, in(TTL)));
    subject().passTime(TTL.plus(MARGIN));
    tenant.committed(expired(tenant, expiring));
  }

  @Test
  void aMissingExpiryIsNotLaterThanNow() {
    KitTenant tenant = tenant();
    Row free = tenant.insert(expiring(tenant, null));

    GuardsArea.assertFailed(
        tenant.conflict(notExpired(tenant, free)),
        free.key(),
        new Expectation.NotExpired(EXPIRY),
        Optional.of(free));
    tenant.committed(expired(tenant, free));
  }

  @Test
  @DisplayName("C080: expiry is judged after waiting for the row")
  void c080ExpiryIsJudgedAfterWaitingForTheRow() {
    KitTenant tenant = tenant();
    Row owned = inserted(tenant, expiring(tenant, in(TTL)));
    Batch batch = notExpired(tenant, owned);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<CommitOutcome> running =
          whileLocked(
              tenant,
              owned.key(),
              () -> {
                Future<CommitOutcome> waiting = writer.submit(() -> tenant.commit(batch));
                letArrive();
                subject().passTime(TTL.multipliedBy(2));
                return waiting;
              });
      assertInstanceOf(Conflict.class, Race.result(running), "it expired while the writer waited");
      assertEquals(owned, tenant.stored(owned.key()));
    } finally {
      writer.shutdownNow();
    }
  }

  @Test
  void aTakeoverThatWaitedSeesTheRenewal() {
    KitTenant tenant = tenant();
    Row owned = inserted(tenant, expiring(tenant, in(TTL)));
    Row renewed = SampleRows.next(owned).with(EXPIRY, in(Duration.ofHours(1)));
    tenant.committed(new Mutation.Update(owned, renewed));
    subject().passTime(TTL.plus(MARGIN));

    tenant.conflict(expired(tenant, owned));
    tenant.conflict(expired(tenant, tenant.stored(owned.key())));
  }

  @Test
  @DisplayName("C081: every handle reads the same clock")
  void c081EveryHandleReadsTheSameClock() {
    KitTenant tenant = tenant();
    try (Storage other = subject().open()) {
      long begun = System.nanoTime();
      Row first = inserted(tenant, expiring(tenant, StoreTime.NOW));
      Row second = inserted(tenant.through(other), expiring(tenant, StoreTime.NOW));
      Row third = inserted(tenant, expiring(tenant, StoreTime.NOW));
      Duration most = SLACK.plusNanos(System.nanoTime() - begun);

      for (Duration apart :
          List.of(
              Duration.between(instant(first, EXPIRY), instant(second, EXPIRY)),
              Duration.between(instant(second, EXPIRY), instant(third, EXPIRY)))) {
        assertTrue(apart.abs().compareTo(most) < 0, "two handles are apart by " + apart);
      }
    }
  }

  @Test
  void symbolicInstantsOfANamedLeaseResolveLikewise() {
    KitTenant tenant = tenant();
    Row name = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "sealer")).with(EXPIRY, in(TTL));

    Committed committed = tenant.committed(new Mutation.Insert(name));

    assertEquals(
        committed.resolved(),
        Map.of(name.key(), Map.of(EXPIRY, instant(tenant.stored(name.key()), EXPIRY))));
  }
}
