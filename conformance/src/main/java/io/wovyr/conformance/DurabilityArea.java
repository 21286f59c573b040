/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What was answered as committed is there after the store was closed and opened again. */
abstract class DurabilityArea extends Area {
  DurabilityArea(StorageContract contract) {
    super(contract);
  }

  @Test
  void everyRecordIsThereAfterReopening() {
    KitTenant tenant = tenant();
    List<Row> rows = new ArrayList<>();
    for (RecordType type : RecordTypes.all()) {
      Row row = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      rows.add(
          type.mutability() == RecordType.Mutability.MUTABLE
              ? tenant.update(row, SampleRows.next(row))
              : row);
    }

    KitTenant again = tenant.through(reopen());

    for (Row row : rows) {
      assertEquals(row, again.stored(row.key()));
      assertEquals(List.of(row), again.all(Scan.byKey(row.type(), List.of(), 10)));
      for (AccessPath path : row.type().paths()) {
        if (path.reach() == AccessPath.Reach.TENANT) {
          List<Object> equal = SampleRows.equality(path, row);
          assertEquals(List.of(row), again.all(Scan.byPath(row.type(), path.name(), equal, 10)));
        }
      }
    }
  }

  @Test
  void guardsAndUniqueKeysHoldAfterReopening() {
    KitTenant tenant = tenant();
    Row execution =
        tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(RecordTypes.EXECUTION)));
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    tenant.committed(tenant.step(head));
    Row gone = tenant.insert(tenant.row(Key.of(RecordTypes.FEED_CURSOR, "gone")));
    tenant.committed(new Mutation.Delete(gone));

    KitTenant again = tenant.through(reopen());

    again.conflict(again.step(head));
    Row same =
        again
            .row(SampleRows.key(RecordTypes.EXECUTION))
            .with("liveWorkflowId", execution.get("liveWorkflowId"));
    again.conflict(new Mutation.Insert(same));
    assertEquals(Optional.empty(), again.read(gone.key()));
    again.committed(again.step(again.stored(head.key())));
  }

  @Test
  void theStoreKeepsItsIdentity() {
    StoreIdentity before = storage().identity();

    assertEquals(before, reopen().identity());
  }

  @Test
  void nothingOfAConflictIsThereAfterReopening() {
    KitTenant tenant = tenant();
    Row taken = tenant.insert(tenant.head(UUID.randomUUID()));
    Row other = tenant.head(UUID.randomUUID());
    tenant.conflict(new Mutation.Insert(other), new Mutation.Insert(taken));

    KitTenant again = tenant.through(reopen());

    assertEquals(Optional.empty(), again.read(other.key()));
    assertEquals(taken, again.stored(taken.key()));
  }
}
