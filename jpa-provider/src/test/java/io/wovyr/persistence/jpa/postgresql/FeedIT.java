/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The feed by transaction ids: what holds it back, and that this is seen. */
class FeedIT {
  private static final Scope.System SYSTEM = new Scope.System("test");

  private PostgresServer.Database database;
  private PostgresServer.Database neighbour;
  private Storage storage;
  private Samples acme;

  @BeforeEach
  void open() throws SQLException {
    database = PostgresServer.shared().newStore();
    neighbour = PostgresServer.shared().newDatabase();
    neighbour.run("CREATE TABLE work (id int)");
    storage = new PostgresqlStorageProvider().open(database.settings());
    acme = Samples.of(storage, "acme");
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
    neighbour.close();
  }

  private Key appended() {
    return acme.inserted(acme.event(UUID.randomUUID(), 1)).key();
  }

  private FeedChunk feed(Scope scope) {
    return storage.feed(scope, Optional.empty(), 10, deadline());
  }

  private static List<Key> keys(FeedChunk chunk) {
    return chunk.entries().stream().map(entry -> entry.row().key()).toList();
  }

  @Test
  @DisplayName("C001: a foreign open transaction holds the feed back, and is named")
  void aForeignOpenTransactionHoldsTheFeedBackAndIsNamed() throws SQLException {
    Key before = appended();
    Key behind;
    try (Connection foreign = neighbour.admin();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("SET application_name = 'month-end report'");
      statement.execute("INSERT INTO work VALUES (1)");
      Instant held = Instant.now();
      behind = appended();

      for (Scope scope : List.of(acme.scope(), SYSTEM)) {
        FeedChunk chunk = feed(scope);
        assertThat(keys(chunk)).containsExactly(before);
        assertThat(chunk.stalledSince()).isPresent();
        assertThat(Duration.between(chunk.stalledSince().get(), held).abs())
            .isLessThan(Duration.ofSeconds(10));
      }
      Health soon = storage.health();
      assertThat(soon.writable()).isTrue();
      assertThat(soon.feedLag().orElseThrow()).isPositive();
      long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      Health health = soon;
      while (health.problem().isEmpty()) {
        assertThat(System.nanoTime() - until).as("health says nothing").isNegative();
        health = storage.health();
      }
      assertThat(health.problem().get()).contains("month-end report").contains("postgres");
      foreign.rollback();
    }
    assertThat(keys(feed(acme.scope()))).containsExactly(before, behind);
    assertThat(feed(SYSTEM).stalledSince()).isEmpty();
    assertThat(storage.health().problem()).isEmpty();
    assertThat(storage.health().feedLag()).contains(Duration.ZERO);
  }

  @Test
  void aPreparedTransactionThatNobodyEndsIsSeenToo() throws SQLException {
    try (Connection foreign = neighbour.admin();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("INSERT INTO work VALUES (1)");
      statement.execute("PREPARE TRANSACTION 'forgotten-" + neighbour.name() + "'");
    }
    Key behind = appended();
    assertThat(keys(feed(SYSTEM))).isEmpty();
    assertThat(feed(SYSTEM).stalledSince()).isPresent();
    assertThat(storage.health().feedHeldBy().orElseThrow())
        .as("where it must be ended")
        .contains("forgotten-" + neighbour.name())
        .contains("database " + neighbour.name());
    neighbour.run("ROLLBACK PREPARED 'forgotten-" + neighbour.name() + "'");
    assertThat(keys(feed(SYSTEM))).containsExactly(behind);
  }

  @Test
  void aTransactionThatOnlyReadsHoldsNothingBack() throws SQLException {
    try (Connection foreign = neighbour.admin();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("SELECT count(*) FROM work");
      Key key = appended();
      assertThat(keys(feed(acme.scope()))).containsExactly(key);
      assertThat(feed(acme.scope()).stalledSince()).isEmpty();
    }
  }

  /**
   * Inside a caller's transaction, which may have its id long before it writes to an execution: a
   * row's key is never below its execution's last one. The statement leaves that transaction
   * usable.
   */
  @Test
  void aTransactionThatBeganLongAgoWritesNoRowBeforeItsExecutionsLastOne() throws SQLException {
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    Tables tables = new Tables(new PostgresqlValues());
    LeanCommit lean = new LeanCommit(TransactionSettings.OWN);
    try (Connection early = database.as("runtime");
        Statement statement = early.createStatement()) {
      early.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      acme.committed(acme.step(head, 1));
      Batch stale = acme.batch(acme.step(head, 1));
      Batch second = acme.batch(acme.step(acme.stored(head.key()), 1));
      statement.execute("SAVEPOINT batch");
      assertThat(lean.run(early, LeanBatch.of(stale, tables).orElseThrow(), deadline()))
          .isEqualTo(new Attempt.Refused());
      assertThat(lean.run(early, LeanBatch.of(second, tables).orElseThrow(), deadline()))
          .isInstanceOf(Attempt.Written.class);
      statement.execute("RELEASE SAVEPOINT batch");

      assertThat(keys(feed(acme.scope()))).as("nothing is passed meanwhile").isEmpty();
      early.commit();
    }
    acme.committed(acme.step(acme.stored(head.key()), 1));

    assertThat(keys(feed(acme.scope())).stream().map(key -> key.values().get(1)))
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void rowsOfOneTransactionArePagedThroughOneByOne() {
    UUID execution = UUID.randomUUID();
    List<Mutation> events = new java.util.ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      events.add(new Mutation.Insert(acme.event(execution, i)));
    }
    acme.committed(events.toArray(Mutation[]::new));
    Optional<io.wovyr.persistence.feed.FeedCursor> cursor = Optional.empty();
    for (long i = 1; i <= 7; i++) {
      FeedChunk chunk = storage.feed(SYSTEM, cursor, 1, deadline());
      assertThat(keys(chunk)).hasSize(1);
      assertThat(keys(chunk).get(0).values().get(1)).isEqualTo(i);
      cursor = chunk.next();
    }
    assertThat(storage.feed(SYSTEM, cursor, 1, deadline()).entries()).isEmpty();
  }
}
