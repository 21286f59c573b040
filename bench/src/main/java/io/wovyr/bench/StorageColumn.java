/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
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
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The storage SPI's own path: {@link Storage#commit} and {@link Storage#scan}, nothing above. */
final class StorageColumn implements Column {
  private static final Scope SCOPE = Scope.tenant(Step.TENANT);
  private static final String EXPIRY = "leaseExpiresAt";
  private static final int PAGE = 10_000;

  private final Storage storage;
  private final boolean storeClock;
  private final long epoch;
  private final int schemaVersion;

  StorageColumn(Storage storage) {
    this.storage = storage;
    this.storeClock = storage.capabilities().contains(Capability.STORE_CLOCK);
    this.epoch = storage.identity().epoch();
    this.schemaVersion = storage.identity().schemaVersion();
  }

  @Override
  public String name() {
    return "Storage.commit";
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  private Optional<Row> read(Key key) {
    return storage.read(SCOPE, List.of(key), ReadOptions.strong(deadline())).get(0);
  }

  @Override
  public boolean find(UUID id) {
    return read(Key.of(RecordTypes.EXECUTION, id)).isPresent();
  }

  @Override
  public Execution execution(UUID id, Lease lease) {
    return new StorageExecution(
        id, lease.token(), read(Key.of(RecordTypes.HEAD, id)).orElseThrow());
  }

  private final class StorageExecution implements Execution {
    private final UUID id;
    private final long token;
    private Row head;

    StorageExecution(UUID id, long token, Row head) {
      this.id = id;
      this.token = token;
      this.head = head;
    }

    @Override
    public void step() {
      UUID commitId = UUID.randomUUID();
      Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
      Row event = event(1, commitId, now, Step.EVENT_TYPE);
      commit(commitId, now, 1, List.of(new Mutation.Insert(event)), event.key());
    }

    @Override
    public void transaction() {
      UUID commitId = UUID.randomUUID();
      Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
      Row execution = read(Key.of(RecordTypes.EXECUTION, id)).orElseThrow();
      boolean running = "RUNNING".equals(execution.get("status"));
      Row moved =
          execution
              .with(execution.header().next(now, Step.ACTOR))
              .with("status", running ? "WAITING" : "RUNNING");
      List<Mutation> mutations = new ArrayList<>();
      mutations.add(new Mutation.Update(execution, moved));
      for (int i = 1; i <= 3; i++) {
        mutations.add(new Mutation.Insert(event(i, commitId, now, Step.EVENT_TYPE)));
      }
      commit(commitId, now, 3, mutations, mutations.get(1).key());
    }

    private Row event(int offset, UUID commitId, Instant now, String type) {
      UUID eventId = UUID.randomUUID();
      RecordHeader header =
          new RecordHeader(
              eventId, Step.TENANT, 1, now, now, Step.ACTOR, schemaVersion, 1, 1, Bytes.EMPTY);
      return new Row(
          Key.of(RecordTypes.EVENT, id, last() + offset),
          header,
          Arrays.asList(type, id, eventId, null, token, commitId, Step.STORED, Step.CHANGES));
    }

    private long last() {
      return (Long) Objects.requireNonNull(head.get("lastSequence"));
    }

    private void commit(
        UUID commitId, Instant now, int events, List<Mutation> others, Key witness) {
      Row after =
          head.with(head.header().next(now, Step.ACTOR))
              .with("lastSequence", last() + events)
              .with("acquisitionsWithoutProgress", 0)
              .with("renewals", (Long) Objects.requireNonNull(head.get("renewals")) + 1)
              .with(EXPIRY, stamp(new StoreTime(Step.TTL, Duration.ZERO), now))
              .with("dueAt", stamp(new StoreTime(Step.TTL, Step.TTL), now));
      List<Mutation> mutations = new ArrayList<>(others.size() + 1);
      mutations.add(
          new Mutation.Update(head, after, storeClock ? List.of(EXPIRY) : List.of(), List.of()));
      mutations.addAll(others);
      CommitOutcome outcome =
          storage.commit(
              new Batch(commitId, epoch, SCOPE, Optional.of(witness), mutations, List.of()),
              deadline());
      if (!(outcome instanceof CommitOutcome.Committed committed)) {
        throw new IllegalStateException("nobody else writes this execution: " + outcome);
      }
      Map<String, Instant> resolved = committed.resolved().getOrDefault(head.key(), Map.of());
      for (Map.Entry<String, Instant> value : resolved.entrySet()) {
        after = after.with(value.getKey(), value.getValue());
      }
      head = after;
    }

    private Object stamp(StoreTime time, Instant now) {
      return storeClock ? time : time.at(now);
    }

    @Override
    public int load() {
      int events = 0;
      Optional<String> next = Optional.empty();
      do {
        Page<Row> page =
            storage.scan(
                SCOPE,
                Scan.byKey(RecordTypes.EVENT, List.of(id), PAGE).after(next),
                ReadOptions.strong(deadline()));
        events += page.items().size();
        next = page.next();
      } while (next.isPresent());
      return events;
    }
  }

  @Override
  public void close() {
    storage.close();
  }
}
