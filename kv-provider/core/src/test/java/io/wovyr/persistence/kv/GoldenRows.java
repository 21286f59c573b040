/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.Mutability;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows with the same values in every run, and a store that holds them. */
final class GoldenRows {
  static final String TENANT = "acme";
  static final Scope SCOPE = Scope.tenant(TENANT);
  static final UUID EXECUTION = UUID.fromString("01890000-0000-7000-8000-0000000000aa");
  private static final Instant MADE = Instant.parse("2026-01-02T03:04:05.123456Z");
  private static final Instant EARLY = Instant.parse("1582-10-10T12:00:00.000001Z");

  private GoldenRows() {}

  static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  private static RecordHeader header(int number) {
    return new RecordHeader(
        new UUID(0x0189000000007000L, number),
        TENANT,
        1,
        MADE,
        EARLY,
        "J\u00fcrgen",
        3,
        2,
        1,
        Bytes.utf8("newer"));
  }

  /** A row of this number with every attribute, or with those alone that it must have. */
  static Row row(RecordType type, int number, boolean full) {
    List<Object> key = new ArrayList<>();
    for (Attribute attribute : type.key()) {
      key.add(value(attribute, number));
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : type.attributes()) {
      values.add(attribute.nullable() && !full ? null : value(attribute, number));
    }
    return new Row(new Key(type, key), header(number), values);
  }

  private static Object value(Attribute attribute, int number) {
    return switch (attribute.kind()) {
      case INT -> attribute.name().equals("renewals") ? -number : number;
      case LONG -> attribute.nullable() ? -1_000_000_007L * number : (long) number;
      case BOOLEAN -> number % 2 == 1;
      case TEXT -> "t\u0000\u00e9 " + number;
      case UUID -> new UUID(EXECUTION.getMostSignificantBits(), 0x8000000000000000L + number);
      case INSTANT -> number % 2 == 0 ? EARLY.plusSeconds(number) : MADE.plusSeconds(number);
      case BYTES -> Bytes.wrap(new byte[] {0, (byte) 0xff, 0, 1, (byte) number});
      case PAYLOAD ->
          new StoredPayload(
              "text/plain",
              0,
              0,
              Optional.empty(),
              Bytes.wrap(new byte[32]),
              2,
              new StoredPayload.Body.Inline(Bytes.utf8("p" + number)));
      case TEXT_LIST -> List.of("k=" + number, "", "k=\u0000");
    };
  }

  static Row event(long sequence) {
    Row row = row(RecordTypes.EVENT, (int) sequence, sequence % 2 == 1);
    return new Row(Key.of(RecordTypes.EVENT, EXECUTION, sequence), row.header(), row.values());
  }

  private static Batch batch(Mutation... mutations) {
    return new Batch(new UUID(9, 9), 1, SCOPE, Optional.empty(), List.of(mutations), List.of());
  }

  private static void commit(Storage storage, Mutation... mutations) {
    CommitOutcome outcome = storage.commit(batch(mutations), deadline());
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new AssertionError(outcome);
    }
  }

  private static Row next(Row row) {
    return row.with(row.header().next(MADE.plusSeconds(60), "other"));
  }

  /** Fills an empty store; the rows that are there then, by their keys. */
  static List<Row> fill(Storage storage) {
    List<Row> rows = new ArrayList<>();
    for (RecordType type : RecordTypes.all()) {
      Row full = row(type, 1, true);
      Row minimal = row(type, 2, false);
      commit(storage, new Mutation.Insert(full));
      commit(storage, new Mutation.Insert(minimal));
      if (type.mutability() == Mutability.MUTABLE) {
        Row changed = row(type, 2, true).with(next(minimal).header());
        commit(storage, new Mutation.Update(minimal, changed));
        minimal = changed;
      }
      rows.add(full);
      rows.add(minimal);
    }
    commit(storage, new Mutation.Insert(event(1)), new Mutation.Insert(event(2)));
    commit(
        storage,
        new Mutation.Insert(event(5)),
        new Mutation.Insert(event(7)),
        new Mutation.Insert(event(6)),
        new Mutation.Insert(event(8)),
        new Mutation.Insert(row(RecordTypes.AUDIT_RECORD, 3, false)));
    commit(storage, new Mutation.Insert(event(3)));
    Row gone = row(RecordTypes.FEED_CURSOR, 4, true);
    commit(storage, new Mutation.Insert(gone));
    commit(storage, new Mutation.Delete(gone));
    purge(storage, 1, 3);
    purge(storage, 6, 7);
    rows.add(row(RecordTypes.AUDIT_RECORD, 3, false));
    for (long left : new long[] {3, 5, 7, 8}) {
      rows.add(event(left));
    }
    rows.add(row(RecordTypes.NAMED_LEASE, 11, false));
    rows.add(row(RecordTypes.NAMED_LEASE, 12, false));
    return rows;
  }

  /** With a batch of its own, which adds a lease. */
  private static void purge(Storage storage, long from, long to) {
    Row lease = row(RecordTypes.NAMED_LEASE, from == 1 ? 11 : 12, false);
    PurgeOutcome outcome =
        storage.purge(
            SCOPE,
            new Purge(
                batch(new Mutation.Insert(lease)),
                RecordTypes.EVENT,
                List.of(EXECUTION),
                from,
                to,
                List.of()),
            deadline());
    if (!(outcome instanceof PurgeOutcome.Purged)) {
      throw new AssertionError(outcome);
    }
  }
}
