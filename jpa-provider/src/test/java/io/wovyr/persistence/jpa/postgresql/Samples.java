/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of one tenant and what is done with them, through one handle. */
final class Samples {
  static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");
  static final StoreTime IN_AN_HOUR = new StoreTime(Duration.ofHours(1), Duration.ZERO);

  private final Storage storage;
  private final Scope scope;

  private Samples(Storage storage, Scope scope) {
    this.storage = storage;
    this.scope = scope;
  }

  static Samples of(Storage storage, String tenant) {
    return new Samples(storage, Scope.tenant(tenant));
  }

  Scope scope() {
    return scope;
  }

  static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(20));
  }

  static ReadOptions strong() {
    return ReadOptions.strong(deadline());
  }

  Row row(RecordType type, Object... key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : type.attributes()) {
      values.add(attribute.nullable() ? null : plain(attribute));
    }
    RecordHeader header =
        new RecordHeader(
            UUID.randomUUID(), scope.tenantId(), 1, NOW, NOW, "tester", 1, 1, 1, Bytes.EMPTY);
    return new Row(Key.of(type, key), header, values);
  }

  /** A row of any type, with an element in each list. */
  Row any(RecordType type) {
    Object[] key =
        type.key().stream()
            .map(
                attribute ->
                    switch (attribute.kind()) {
                      case UUID -> (Object) UUID.randomUUID();
                      case LONG -> 1L;
                      case INT -> 1;
                      default -> "name";
                    })
            .toArray();
    Row row = row(type, key);
    for (Attribute attribute : type.attributes()) {
      if (attribute.kind() == Attribute.Kind.TEXT_LIST) {
        row = row.with(attribute.name(), List.of("name=value"));
      }
    }
    return row;
  }

  private static Object plain(Attribute attribute) {
    return switch (attribute.kind()) {
      case INT -> 0;
      case LONG -> 0L;
      case BOOLEAN -> false;
      case TEXT -> "x";
      case UUID -> new UUID(1, 2);
      case INSTANT -> NOW;
      case BYTES -> Bytes.EMPTY;
      case PAYLOAD -> payload();
      case TEXT_LIST -> List.of();
    };
  }

  static StoredPayload payload() {
    return new StoredPayload(
        "text/plain",
        0,
        0,
        Optional.empty(),
        Bytes.wrap(new byte[32]),
        200,
        new StoredPayload.Body.Inline(Bytes.wrap(new byte[200])));
  }

  static Row next(Row row) {
    return row.with(row.header().next(NOW, "tester"));
  }

  Row execution() {
    return row(RecordTypes.EXECUTION, UUID.randomUUID());
  }

  /** A head, owned for an hour. */
  Row owned(UUID execution) {
    return row(RecordTypes.HEAD, execution)
        .with("owner", "worker")
        .with("leaseExpiresAt", IN_AN_HOUR)
        .with("dueAt", IN_AN_HOUR);
  }

  Row event(UUID execution, long sequence) {
    return row(RecordTypes.EVENT, execution, sequence).with("payload", payload());
  }

  Batch batch(Mutation... mutations) {
    return new Batch(
        UUID.randomUUID(),
        storage.identity().epoch(),
        scope,
        Optional.empty(),
        List.of(mutations),
        List.of());
  }

  CommitOutcome commit(Mutation... mutations) {
    return storage.commit(batch(mutations), deadline());
  }

  /** Commits what must succeed. */
  void committed(Mutation... mutations) {
    CommitOutcome outcome = commit(mutations);
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new AssertionError("not committed: " + outcome);
    }
  }

  Row stored(Key key) {
    return storage.read(scope, List.of(key), strong()).get(0).orElseThrow();
  }

  /** Inserts a row and answers it as stored. */
  Row inserted(Row row) {
    committed(new Mutation.Insert(row));
    return stored(row.key());
  }

  /** What a worker's step sends: the head renewed, so many events. */
  Mutation[] step(Row head, int events) {
    UUID execution = (UUID) head.key().values().get(0);
    long last = (Long) head.get("lastSequence");
    Row after =
        next(head)
            .with("lastSequence", last + events)
            .with("leaseExpiresAt", IN_AN_HOUR)
            .with("dueAt", new StoreTime(Duration.ofHours(1), Duration.ofHours(1)));
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(new Mutation.Update(head, after, List.of("leaseExpiresAt"), List.of()));
    for (int i = 1; i <= events; i++) {
      mutations.add(new Mutation.Insert(event(execution, last + i)));
    }
    return mutations.toArray(Mutation[]::new);
  }
}
