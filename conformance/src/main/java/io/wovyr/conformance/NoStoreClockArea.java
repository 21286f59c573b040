/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store without a clock of its own refuses to be asked for the time; it never guesses. */
abstract class NoStoreClockArea extends Area {
  NoStoreClockArea(StorageContract contract) {
    super(contract);
  }

  @BeforeEach
  final void onlyWithoutAClock() {
    assumeFalse(can(Capability.STORE_CLOCK), "the store declares STORE_CLOCK");
  }

  private void assertRejected(Batch batch) {
    assertThrows(Rejected.class, () -> storage().commit(batch, KitTenant.deadline()));
  }

  @Test
  void refusesToJudgeExpiry() {
    KitTenant tenant = tenant();
    Row head =
        tenant.insert(
            tenant
                .head(UUID.randomUUID())
                .with("leaseExpiresAt", Instant.parse("2999-01-01T00:00:00Z")));
    Row after = SampleRows.next(head);
    List<String> expiry = List.of("leaseExpiresAt");

    assertRejected(tenant.batch(new Mutation.Update(head, after, expiry, List.of())));
    assertRejected(tenant.batch(new Mutation.Update(head, after, List.of(), expiry)));

    assertEquals(head, tenant.stored(head.key()));
  }

  @Test
  void refusesSymbolicInstants() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Row other = tenant.head(UUID.randomUUID()).with("dueAt", StoreTime.NOW);

    assertRejected(tenant.batch(new Mutation.Insert(other)));
    assertRejected(
        tenant.batch(
            new Mutation.Update(head, SampleRows.next(head).with("dueAt", StoreTime.NOW))));

    assertEquals(Optional.empty(), tenant.read(other.key()));
    assertEquals(head, tenant.stored(head.key()));
  }

  @Test
  void refusesSymbolicBounds() {
    Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10).to(StoreTime.NOW);

    assertThrows(
        Rejected.class,
        () -> storage().scanSystem(new Scope.System("conformance"), due, KitTenant.strong()));
  }

  @Test
  void instantsOfTheCallerAreKeptAsTheyAre() {
    KitTenant tenant = tenant();
    Row lease =
        tenant
            .row(Key.of(RecordTypes.NAMED_LEASE, "sealer"))
            .with("leaseExpiresAt", SampleRows.CREATED);
    tenant.insert(lease);

    assertEquals(lease, tenant.stored(lease.key()));
  }
}
