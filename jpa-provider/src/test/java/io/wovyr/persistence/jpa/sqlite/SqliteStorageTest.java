/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.head;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static io.wovyr.persistence.jpa.sqlite.TestRows.next;
import static io.wovyr.persistence.jpa.sqlite.TestRows.step;
import static io.wovyr.persistence.jpa.sqlite.TestRows.stepped;
import static io.wovyr.persistence.jpa.sqlite.TestRows.strong;
import static io.wovyr.persistence.jpa.sqlite.TestRows.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStorageTest {
  @TempDir Path directory;
  private Storage storage;

  @BeforeEach
  void open() {
    storage = SqliteStore.in(directory).open();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void committed(Mutation... mutations) {
    assertThat(storage.commit(batch(mutations), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  private Optional<Row> stored(Key key) {
    return storage.read(SCOPE, List.of(key), strong()).get(0);
  }

  private static Object[] key(RecordType type) {
    return type.key().stream()
        .map(
            attribute ->
                switch (attribute.kind()) {
                  case UUID -> (Object) UUID.randomUUID();
                  case LONG -> 7L;
                  case INT -> 7;
                  default -> "name";
                })
        .toArray();
  }

  @Test
  void everyAttributeOfEveryTypeComesBackAsItWas() {
    for (RecordType type : RecordTypes.all()) {
      Row row = TestRows.full(type, TENANT, key(type));
      committed(insert(row));
      assertThat(stored(row.key())).contains(row);
      assertThat(storage.scan(SCOPE, Scan.byKey(type, List.of(), 10), strong()).items())
          .containsExactly(row);
    }
  }

  @Test
  void everyMutableTypeIsUpdatedUnderItsVersionAndDeletedIfEver() {
    for (RecordType type : RecordTypes.all()) {
      if (type.mutability() == RecordType.Mutability.APPEND_ONLY) {
        continue;
      }
      Row one = TestRows.row(type, TENANT, key(type));
      Row full = TestRows.full(type, TENANT, one.key().values().toArray());
      Row two = full.with(full.header().next(TestRows.NOW, "else"));
      committed(insert(one));
      committed(update(one, two));
      assertThat(stored(one.key())).contains(two);
      CommitOutcome stale = storage.commit(batch(update(one, two)), deadline());
      assertThat(stale)
          .isEqualTo(
              new CommitOutcome.Conflict(
                  List.of(
                      new CommitOutcome.Failed(
                          one.key(),
                          new CommitOutcome.Expectation.VersionIs(1),
                          Optional.of(two)))));
      if (type.removal() != RecordType.Removal.BY_BATCH) {
        assertThatThrownBy(() -> batch(new Mutation.Delete(two)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("never removed");
        continue;
      }
      assertThat(storage.commit(batch(new Mutation.Delete(one)), deadline()))
          .isInstanceOf(CommitOutcome.Conflict.class);
      committed(new Mutation.Delete(two));
      assertThat(stored(one.key())).isEmpty();
    }
  }

  @Test
  void aStepMovesTheHeadAndAppendsItsEventOrDoesNeither() {
    Row head = head(TENANT, UUID.randomUUID());
    committed(insert(head));
    assertThat(storage.commit(step(head), deadline())).isInstanceOf(CommitOutcome.Committed.class);
    assertThat(storage.commit(step(head), deadline())).isInstanceOf(CommitOutcome.Conflict.class);

    assertThat(stored(head.key())).contains(stepped(head));
    UUID execution = (UUID) head.key().values().get(0);
    assertThat(
            storage
                .scan(SCOPE, Scan.byKey(RecordTypes.EVENT, List.of(execution), 10), strong())
                .items())
        .hasSize(1);
    // The event's key is taken: the head's update before it is undone.
    Row now = stepped(head);
    Row event = TestRows.event(TENANT, execution, 1);
    assertThat(storage.commit(batch(update(now, next(now)), insert(event)), deadline()))
        .isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(stored(head.key())).contains(now);
  }

  @Test
  @DisplayName("C051: an instant is stored in whole microseconds, cut and never rounded")
  void anInstantIsCutToMicroseconds() {
    for (String text :
        List.of("2026-03-01T10:15:30.123456789Z", "2026-03-01T10:15:30.999999999Z")) {
      Instant finer = Instant.parse(text);
      Row head = head(TENANT, UUID.randomUUID()).with("leaseExpiresAt", finer);
      Instant cut = finer.truncatedTo(ChronoUnit.MICROS);
      committed(insert(head));
      Row loaded = stored(head.key()).orElseThrow();
      assertThat(loaded.get("leaseExpiresAt")).isEqualTo(cut);
      Row claimed = next(loaded).with("owner", "worker");
      committed(update(loaded, claimed));
      assertThat(stored(head.key())).contains(claimed);
    }
  }

  @Test
  @DisplayName("C049: NUL and any other byte in a payload come back; texts are not cut at NUL")
  void nulComesBack() {
    UUID execution = UUID.randomUUID();
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    Row event =
        TestRows.event(TENANT, execution, 1)
            .with("payload", TestRows.payload("ab\u0000cd"))
            .with("changes", Bytes.wrap(all))
            .with("type", "ab\u0000cd");
    committed(insert(event));
    assertThat(stored(event.key())).contains(event);
    // Through Hibernate too.
    Row started =
        TestRows.row(RecordTypes.EXECUTION, TENANT, execution)
            .with("searchAttributes", List.of("ab\u0000cd", "x"))
            .with("definitionDigest", "ab\u0000cd")
            .with("outcome", TestRows.payload("ab\u0000cd"));
    committed(insert(started));
    assertThat(stored(started.key())).contains(started);
  }

  @Test
  void anEntryIsTakenUntilTheCommitThatLetsItGoIsOver() {
    Row old = TestRows.row(RecordTypes.EXECUTION, TENANT, UUID.randomUUID());
    old = old.with("liveWorkflowId", "order-1");
    committed(insert(old));
    Row fresh =
        TestRows.row(RecordTypes.EXECUTION, TENANT, UUID.randomUUID())
            .with("liveWorkflowId", "order-1");
    Row closed = next(old).with("liveWorkflowId", null);
    CommitOutcome.Conflict taken =
        new CommitOutcome.Conflict(
            List.of(
                new CommitOutcome.Failed(
                    fresh.key(),
                    new CommitOutcome.Expectation.UniqueKeyFree("live_workflow"),
                    Optional.of(old))));
    assertThat(storage.commit(batch(insert(fresh)), deadline())).isEqualTo(taken);
    assertThat(storage.commit(batch(insert(fresh), update(old, closed)), deadline()))
        .isEqualTo(taken);
    assertThat(stored(old.key())).contains(old);

    committed(update(old, closed));
    committed(insert(fresh));
    assertThat(
            storage.readUnique(
                SCOPE, RecordTypes.EXECUTION, "live_workflow", List.of("order-1"), strong()))
        .contains(fresh);
  }

  private static Row large(UUID execution, long sequence) {
    return TestRows.event(TENANT, execution, sequence)
        .with("payload", TestRows.payload("x".repeat(5_000)));
  }

  @Test
  void theStoreKnowsHowLargeItsTablesAre() {
    Scope.System all = new Scope.System("test");
    long before = storage.statistics(all, deadline()).bytes().get("workflow_event");
    UUID execution = UUID.randomUUID();
    for (int i = 1; i <= 100; i++) {
      committed(insert(large(execution, i)));
    }
    Statistics after = storage.statistics(all, deadline());
    assertThat(after.bytes().get("workflow_event") - before).isBetween(500_000L, 1_500_000L);
    assertThat(after.bytes().keySet()).isEqualTo(after.records().keySet());
    assertThat(storage.statistics(SCOPE, deadline()).bytes())
        .as("pages are shared by all tenants")
        .isEmpty();
  }
}
