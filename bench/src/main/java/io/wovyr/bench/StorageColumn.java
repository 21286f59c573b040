/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The storage SPI's own path: {@link Storage#commit} and {@link Storage#scan}, nothing above. */
final class StorageColumn implements Column {
  private static final String TENANT = "bench";
  private static final Scope SCOPE = Scope.tenant(TENANT);
  private static final long TTL_MICROS = 30_000_000;

  private final Storage storage;

  StorageColumn(Path file) {
    storage =
        new SqliteStorageProvider()
            .open(Map.of("path", file.toString(), "hibernate-start", "on-demand"));
  }

  @Override
  public String name() {
    return "Storage.commit / scan";
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  private static RecordHeader header(UUID id, long version, Instant at) {
    return new RecordHeader(id, TENANT, version, Work200.NOW, at, "bench", 1, 1, 1, Bytes.EMPTY);
  }

  private static Row head(UUID id, long version, long sequence, Instant at) {
    return new Row(
        Key.of(RecordTypes.HEAD, id),
        header(id, version, at),
        Arrays.asList(
            sequence,
            1L,
            false,
            1L,
            "worker",
            id,
            at,
            TTL_MICROS,
            sequence,
            0,
            false,
            false,
            Work200.NOW,
            null));
  }

  private void commit(List<Mutation> mutations, UUID commitId, Optional<Key> witness) {
    CommitOutcome outcome =
        storage.commit(new Batch(commitId, 1, SCOPE, witness, mutations, List.of()), deadline());
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IllegalStateException("nobody else writes this execution: " + outcome);
    }
  }

  @Override
  public Execution create(UUID id) {
    Row head = head(id, 1, 0, Work200.NOW);
    commit(List.of(new Mutation.Insert(head)), UUID.randomUUID(), Optional.empty());
    return new StorageExecution(id, head);
  }

  private final class StorageExecution implements Execution {
    private final UUID id;
    private Row head;
    private long sequence;

    StorageExecution(UUID id, Row head) {
      this.id = id;
      this.head = head;
    }

    @Override
    public void step() {
      long next = sequence + 1;
      Instant now = Work200.NOW.plus(next, ChronoUnit.MICROS);
      UUID commitId = UUID.randomUUID();
      UUID eventId = UUID.randomUUID();
      Row after = head(id, next + 1, next, now);
      Key key = Key.of(RecordTypes.EVENT, id, next);
      Row event =
          new Row(
              key,
              new RecordHeader(eventId, TENANT, 1, now, now, "bench", 1, 1, 1, Bytes.EMPTY),
              Arrays.asList(
                  "StepDone",
                  id,
                  eventId,
                  null,
                  1L,
                  commitId,
                  Work200.payload(),
                  Bytes.wrap(Work200.CHANGES)));
      commit(
          List.of(new Mutation.Update(head, after), new Mutation.Insert(event)),
          commitId,
          Optional.of(key));
      head = after;
      sequence = next;
    }

    @Override
    public long load() {
      long bytes = 0;
      Optional<String> next = Optional.empty();
      do {
        Page<Row> page =
            storage.scan(
                SCOPE,
                Scan.byKey(RecordTypes.EVENT, List.of(id), 10_000).after(next),
                ReadOptions.strong(deadline()));
        for (Row row : page.items()) {
          StoredPayload payload =
              (StoredPayload) Objects.requireNonNull(row.get("payload"), "payload");
          bytes += payload.length();
        }
        next = page.next();
      } while (next.isPresent());
      return bytes;
    }
  }

  @Override
  public void close() {
    storage.close();
  }
}
