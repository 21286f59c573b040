/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a newer node wrote is kept byte for byte and given back, wherever the row is read. */
abstract class UnknownAttributesArea extends Area {
  private static final Bytes EXTRA =
      Bytes.wrap(new byte[] {0, 1, (byte) 0xff, 'x', 0, (byte) 0x80});

  UnknownAttributesArea(StorageContract contract) {
    super(contract);
  }

  private static Row with(Row row, Bytes extra, int entityVersion) {
    RecordHeader header = row.header();
    return row.with(
        new RecordHeader(
            header.id(),
            header.tenantId(),
            header.version(),
            header.createdAt(),
            header.updatedAt(),
            header.updatedBy(),
            header.schemaVersion(),
            entityVersion,
            header.serializationVersion(),
            extra));
  }

  @Test
  @DisplayName("C032: unknown attributes of every record type are kept on insert and update")
  void c032UnknownAttributesAreKeptOnInsertAndUpdate() {
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      Row sample = SampleRows.full(tenant.id(), SampleRows.key(type));
      Row row = tenant.insert(with(sample, EXTRA, type.entityVersion() + 1));
      assertEquals(EXTRA, tenant.stored(row.key()).header().extra(), type.name());
      assertEquals(row, tenant.stored(row.key()));

      if (type.mutability() == RecordType.Mutability.MUTABLE) {
        Row kept = tenant.update(row, SampleRows.next(row));
        assertEquals(kept, tenant.stored(row.key()));
        assertEquals(EXTRA, tenant.stored(row.key()).header().extra(), type.name());

        Row other = with(SampleRows.next(kept), Bytes.wrap(new byte[1_000]), 9);
        tenant.update(kept, other);
        assertEquals(other, tenant.stored(row.key()));

        Row none = with(SampleRows.next(other), Bytes.EMPTY, 9);
        tenant.update(other, none);
        assertEquals(none, tenant.stored(row.key()));
      }
    }
  }

  @Test
  void unknownAttributesAreThereHoweverARowIsRead() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Key key = Key.of(RecordTypes.EVENT, execution, 1L);
    Row event =
        tenant.insert(
            with(tenant.row(key), EXTRA, 7)
                .with("dedupeKey", "signal")
                .with("correlationId", execution));

    assertEquals(List.of(event), tenant.events(execution));
    assertEquals(
        List.of(event),
        tenant.all(Scan.byPath(RecordTypes.EVENT, "by_correlation", List.of(execution), 5)));
    assertEquals(
        Optional.of(event),
        storage()
            .readUnique(
                tenant.scope(),
                RecordTypes.EVENT,
                "dedupe",
                List.of(execution, "signal"),
                KitTenant.strong()));
    assertEquals(
        List.of(event),
        tenant.follow(Optional.empty(), 1).stream().map(FeedChunk.Entry::row).toList());
    GuardsArea.assertFailed(
        tenant.conflict(new Mutation.Insert(event)),
        key,
        new Expectation.Absent(),
        Optional.of(event));
  }
}
