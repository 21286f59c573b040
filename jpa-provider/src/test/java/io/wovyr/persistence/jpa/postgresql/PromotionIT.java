/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is lost, and a standby that did not get its last commits is promoted in its place:
 * what was given out before never comes again, and no reader misses a row.
 */
class PromotionIT {
  @TempDir Path directory;
  private TestCluster primary;
  private Storage storage;
  private Samples acme;

  @BeforeEach
  void start() throws Exception {
    primary = TestCluster.start(directory.resolve("primary"), 0);
    primary.prepare();
    storage = new PostgresqlStorageProvider().open(primary.settings());
    acme = Samples.of(storage, "acme");
  }

  @AfterEach
  void stop() throws IOException {
    storage.close();
    primary.close();
  }

  private List<FeedChunk.Entry> feed(Optional<FeedCursor> after) {
    List<FeedChunk.Entry> entries = new ArrayList<>();
    Optional<FeedCursor> cursor = after;
    for (FeedChunk chunk = next(cursor); !chunk.entries().isEmpty(); chunk = next(cursor)) {
      entries.addAll(chunk.entries());
      cursor = chunk.next();
    }
    return entries;
  }

  private FeedChunk next(Optional<FeedCursor> cursor) {
    return storage.feed(new Scope.System("test"), cursor, 3, deadline());
  }

  private Row stepped(Key head) {
    acme.committed(acme.step(acme.stored(head), 1));
    return acme.stored(head);
  }

  /** The primary is gone; the copy takes its place at the same port. */
  private void failOver() throws Exception {
    int port = primary.port();
    primary.close();
    primary = TestCluster.start(directory.resolve("standby"), port);
    primary.promote();
  }

  /** The store answers again, on whatever connections. */
  private void awaitStore(Key key) {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      try {
        acme.stored(key);
        return;
      } catch (Unavailable e) {
        assertThat(System.nanoTime() - until).as("the store does not come back: " + e).isNegative();
      }
    }
  }

  @Test
  void tokensAndFeedKeysNeverFallAndNoReaderMissesARow() throws Exception {
    assertThat(storage.identity().epoch()).isEqualTo(1);
    UUID id = storage.identity().storeId();
    Key kept = acme.inserted(acme.owned(UUID.randomUUID())).key();
    stepped(kept);
    primary.copyTo(directory.resolve("standby"));
    Row before = acme.stored(kept);
    for (int i = 0; i < 5; i++) {
      stepped(kept);
    }
    Key lost = acme.inserted(acme.owned(UUID.randomUUID())).key();
    stepped(lost);
    List<FeedChunk.Entry> seen = feed(Optional.empty());
    assertThat(seen).hasSize(7);
    FeedCursor stands = seen.get(6).cursor();
    Batch prepared = acme.batch(acme.step(acme.stored(kept), 1));

    failOver();
    awaitStore(kept);

    assertThat(acme.stored(kept)).as("the standby did not get it").isEqualTo(before);
    assertThat(storage.read(acme.scope(), List.of(lost), Samples.strong()).get(0)).isEmpty();
    assertThat(storage.identity().storeId()).isEqualTo(id);
    assertThat(storage.identity().epoch()).as("seen on connecting").isEqualTo(2);
    assertThatThrownBy(() -> storage.commit(prepared, deadline()))
        .as("what it was built on has never been")
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("epoch");
    List<Key> written = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Row head = stepped(kept);
      written.add(Key.of(RecordTypes.EVENT, kept.values().get(0), head.get("lastSequence")));
    }
    List<FeedChunk.Entry> rest = feed(Optional.of(stands));
    assertThat(rest.stream().map(entry -> entry.row().key())).isEqualTo(written);
    long last = FeedPlace.Position.of(stands, 2).place().feedKey();
    for (FeedChunk.Entry entry : rest) {
      long key = FeedPlace.Position.of(entry.cursor(), 2).place().feedKey();
      assertThat(key).isGreaterThan(last);
      assertThat(entry.cursor().epoch()).isEqualTo(2);
    }
    try (Storage another = new PostgresqlStorageProvider().open(primary.settings())) {
      assertThat(another.identity().epoch()).as("raised once").isEqualTo(2);
    }
  }

  @Test
  void aCopyOfTheDatabaseIsAnEpochOfItsOwn() throws Exception {
    storage.close();
    try (Connection connection = primary.admin();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE copied TEMPLATE wovyr OWNER wovyr_test_owner");
    }
    Map<String, String> settings = new HashMap<>(primary.settings());
    settings.put("url", settings.get("url").replace("/wovyr", "/copied"));
    storage = new PostgresqlStorageProvider().open(primary.settings());
    try (Storage copied = new PostgresqlStorageProvider().open(settings)) {
      assertThat(copied.identity().epoch()).isEqualTo(2);
      assertThat(copied.identity().storeId()).isEqualTo(storage.identity().storeId());
      assertThat(storage.identity().epoch()).isEqualTo(1);
    }
  }

  @Test
  void aStandbyIsRefused() throws Exception {
    primary.copyTo(directory.resolve("standby"));
    int port = primary.port();
    primary.close();
    primary = TestCluster.start(directory.resolve("standby"), port);
    assertThatThrownBy(() -> new PostgresqlStorageProvider().open(primary.settings()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("standby");
  }

  /** What every writer does, on the lean path and through Hibernate. */
  private void assertNothingIsWritten(Row head, String why) {
    for (Mutation[] mutations :
        List.of(acme.step(head, 1), new Mutation[] {new Mutation.Insert(acme.execution())})) {
      assertThatThrownBy(
              () -> storage.commit(acme.batch(mutations), Deadline.after(Duration.ofSeconds(5))))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(why)
          .hasMessageContaining("wovyr.storage.url");
    }
    assertThat(storage.health().writable()).isFalse();
    assertThat(storage.health().problem().orElseThrow()).contains(why);
  }

  @Test
  void aPrimaryThatBecomesAStandbyIsSaidAndAfterItsPromotionWorkGoesOn() throws Exception {
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    acme.committed(new Mutation.Insert(acme.execution()));
    Row acknowledged = stepped(head.key());
    int port = primary.port();
    primary.close();
    Files.createFile(directory.resolve("primary").resolve("standby.signal"));
    primary = TestCluster.start(directory.resolve("primary"), port);

    // Whoever reads first notices that what was pooled is lost; a commit there would be unknown.
    assertThat(storage.health().writable()).isFalse();
    assertNothingIsWritten(acknowledged, "standby");
    ReadOptions soon = ReadOptions.strong(Deadline.after(Duration.ofSeconds(5)));
    assertThatThrownBy(() -> storage.read(acme.scope(), List.of(head.key()), soon))
        .as("a standby may lag behind: nobody reads there what only seems to be the newest")
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("standby");

    primary.promote();
    awaitStore(head.key());
    assertThat(acme.stored(head.key())).isEqualTo(acknowledged);
    assertThat(storage.health().writable()).isTrue();
    assertThat(storage.identity().epoch()).as("another timeline").isEqualTo(2);
    assertThat(stepped(head.key()).get("lastSequence")).isEqualTo(2L);
    assertThat(feed(Optional.empty())).hasSize(2);
  }

  @Test
  void aServerSwitchedToReadOnlyIsReadAndNotWrittenUntilItIsSwitchedBack() throws Exception {
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    acme.committed(new Mutation.Insert(acme.execution()));
    Row acknowledged = stepped(head.key());
    switchReadOnly(true);

    assertNothingIsWritten(acknowledged, "read-only");
    assertThat(acme.stored(head.key())).as("it is the primary still").isEqualTo(acknowledged);
    assertThat(feed(Optional.empty())).hasSize(1);
    try (Storage another = new PostgresqlStorageProvider().open(primary.settings())) {
      assertThat(Samples.of(another, "acme").stored(head.key())).isEqualTo(acknowledged);
      assertThat(another.health().writable()).isFalse();
    }

    switchReadOnly(false);
    assertThat(stepped(head.key()).get("lastSequence")).isEqualTo(2L);
    assertThat(storage.health().writable()).isTrue();
  }

  /** As an operator, or a provider of databases whose disk is nearly full. */
  private void switchReadOnly(boolean on) throws Exception {
    String value = on ? "on" : "off";
    primary.run(
        "ALTER SYSTEM SET default_transaction_read_only = " + value, "SELECT pg_reload_conf()");
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (storage.health().writable() == on) {
      assertThat(System.nanoTime() - until).as("the sessions notice").isNegative();
    }
  }

  @Test
  void aServerThatRestartsIsFoundAgainAndWhatItAcknowledgedIsThere() throws Exception {
    Key head = acme.inserted(acme.owned(UUID.randomUUID())).key();
    for (int restart = 0; restart < 3; restart++) {
      Row acknowledged = stepped(head);
      primary.kill();
      Batch meanwhile = acme.batch(acme.step(acknowledged, 1));
      assertThatThrownBy(() -> storage.commit(meanwhile, Deadline.after(Duration.ofSeconds(2))))
          .isInstanceOf(StorageFailure.class)
          .isInstanceOfAny(Unavailable.class, OutcomeUnknown.class);
      primary = TestCluster.start(directory.resolve("primary"), primary.port());
      awaitStore(head);
      assertThat(acme.stored(head)).isEqualTo(acknowledged);
    }
    assertThat(storage.identity().epoch()).as("a restart loses nothing").isEqualTo(1);
  }

  /** As after a failover: every pooled connection is dead, and none of them knows. */
  @Test
  void aReaderDoesNotNoticeThatTheServerEndedItsConnections() throws Exception {
    Key head = acme.inserted(acme.owned(UUID.randomUUID())).key();
    for (int i = 0; i < 5; i++) {
      Row stepped = stepped(head);
      int entries = feed(Optional.empty()).size();
      try (Connection connection = primary.admin();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
                + " WHERE datname = 'wovyr' AND pid <> pg_backend_pid()");
      }
      assertThat(feed(Optional.empty())).hasSize(entries);
      assertThat(acme.stored(head)).isEqualTo(stepped);
    }
  }
}
