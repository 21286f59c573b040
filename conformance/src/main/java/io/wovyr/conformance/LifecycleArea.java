/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Opening, describing, refusing and closing. */
abstract class LifecycleArea extends Area {
  LifecycleArea(StorageContract contract) {
    super(contract);
  }

  private static Batch ofEpoch(KitTenant tenant, long epoch, Mutation mutation) {
    return new Batch(
        UUID.randomUUID(), epoch, tenant.scope(), Optional.empty(), List.of(mutation), List.of());
  }

  @Test
  void aBatchOfAnotherEpochIsRefused() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Row other = tenant.head(UUID.randomUUID());
    Mutation update = new Mutation.Update(head, SampleRows.next(head));
    long epoch = storage().identity().epoch();

    for (long wrong : new long[] {epoch - 1, epoch + 1}) {
      for (Mutation mutation : List.of(update, new Mutation.Insert(other))) {
        Batch batch = ofEpoch(tenant, wrong, mutation);
        assertThrows(Unavailable.class, () -> storage().commit(batch, KitTenant.deadline()));
      }
    }
    assertEquals(head, tenant.stored(head.key()));
    assertEquals(Optional.empty(), tenant.read(other.key()));
    tenant.committed(ofEpoch(tenant, epoch, update));
  }

  @Test
  void aCallWhoseDeadlineIsOverWritesNothing() {
    KitTenant tenant = tenant();
    Row head = tenant.head(UUID.randomUUID());
    Deadline over = Deadline.after(Duration.ofNanos(-1));

    assertThrows(
        Unavailable.class, () -> storage().commit(tenant.batch(new Mutation.Insert(head)), over));
    assertEquals(Optional.empty(), tenant.read(head.key()));
  }

  @Test
  void everyHandleIsOfTheSameStore() {
    try (Storage other = subject().open()) {
      assertEquals(storage().identity(), other.identity());
      assertEquals(storage().capabilities(), other.capabilities());
      assertEquals(storage().limits(), other.limits());
    }
    assertTrue(storage().identity().epoch() >= 1, "epochs begin at 1");
  }

  @Test
  void closingIsIdempotentAndHealthNeverThrows() {
    Storage other = subject().open();
    assertTrue(other.health().writable());
    assertEquals(Optional.empty(), other.health().problem());

    other.close();
    other.close();

    assertFalse(other.health().writable(), "a closed handle takes no writes");
    assertTrue(other.health().problem().isPresent(), "and says so");
    KitTenant tenant = tenant();
    tenant.insert(tenant.head(UUID.randomUUID()));
  }

  @Test
  void whatIsNotDeclaredIsRejected() {
    KitTenant tenant = tenant();
    if (!can(Capability.JTA)) {
      Batch batch = tenant.batch(new Mutation.Insert(tenant.head(UUID.randomUUID())));
      assertThrows(Rejected.class, () -> storage().enlist(batch, KitTenant.deadline()));
    }
  }

  @Test
  void statisticsNameRecordTypesAndCountUpwardsFromZero() {
    KitTenant tenant = tenant();
    tenant.insert(tenant.head(UUID.randomUUID()));
    Set<String> names =
        RecordTypes.all().stream().map(RecordType::name).collect(Collectors.toSet());
    for (Scope scope : List.of(tenant.scope(), new Scope.System("conformance"))) {
      Statistics statistics = storage().statistics(scope, KitTenant.deadline());
      assertTrue(names.containsAll(statistics.records().keySet()));
      assertTrue(names.containsAll(statistics.bytes().keySet()));
      assertTrue(statistics.records().values().stream().allMatch(count -> count >= 0));
      assertTrue(statistics.bytes().values().stream().allMatch(size -> size >= 0));
    }
  }
}
