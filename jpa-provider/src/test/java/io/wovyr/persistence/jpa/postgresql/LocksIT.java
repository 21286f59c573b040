/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The order of locks and what is judged under them, on the lean path and in transactions with
 * audited records alike.
 */
class LocksIT {
  private PostgresServer.Database database;
  private Storage storage;
  private Samples acme;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    storage = new PostgresqlStorageProvider().open(database.settings());
    acme = Samples.of(storage, "acme");
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  /** The step of a head, beside an audited record where the path is a transaction. */
  private List<Mutation> mutations(boolean audited, Row... heads) {
    List<Mutation> mutations = new ArrayList<>();
    for (Row head : heads) {
      mutations.addAll(List.of(acme.step(head, 1)));
    }
    if (audited) {
      mutations.add(new Mutation.Insert(acme.execution()));
    }
    return mutations;
  }

  private CommitOutcome commit(List<Mutation> mutations) {
    return acme.commit(mutations.toArray(Mutation[]::new));
  }

  private void awaitLockWait() throws SQLException {
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (database
        .query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                + " AND datname = current_database()")
        .isEmpty()) {
      assertThat(System.nanoTime() - until).as("the commit waits for the row").isNegative();
    }
  }

  private static String where(Row head) {
    return " FROM execution_head WHERE execution_id = '" + head.key().values().get(0) + "'";
  }

  /** Else two commits of the same rows could wait for each other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoWaitsForTheFirstKeyHoldsNoneBehindIt(boolean audited) throws Exception {
    List<Row> heads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      heads.add(acme.inserted(acme.owned(UUID.randomUUID())));
    }
    heads.sort((one, other) -> one.key().compareTo(other.key()));
    List<Row> disordered = new ArrayList<>(heads);
    Collections.reverse(disordered);
    List<Mutation> mutations = mutations(audited, disordered.toArray(Row[]::new));
    try (Connection holder = database.admin();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT 1" + where(heads.get(0)) + " FOR UPDATE");
      CompletableFuture<CommitOutcome> waiting =
          CompletableFuture.supplyAsync(() -> commit(mutations));
      awaitLockWait();
      for (Row behind : heads.subList(1, 4)) {
        try (ResultSet row =
            statement.executeQuery("SELECT 1" + where(behind) + " FOR UPDATE SKIP LOCKED")) {
          assertThat(row.next()).as("free, since it comes later").isTrue();
        }
      }
      holder.rollback();
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  private Row expired() {
    return acme.inserted(
        acme.owned(UUID.randomUUID())
            .with("leaseExpiresAt", new StoreTime(Duration.ofHours(-1), Duration.ZERO)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("C080: an expired lease writes nothing, of audited records neither")
  void anExpiredLeaseWritesNothing(boolean audited) throws SQLException {
    Row head = expired();
    assertThat(commit(mutations(audited, head))).isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(acme.stored(head.key())).isEqualTo(head);
    assertThat(database.query("SELECT id FROM execution")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("C080: expiry is judged after waiting for the row, not when the commit began")
  void expiryIsJudgedAfterWaitingForTheRow(boolean audited) throws Exception {
    // What a commit has to prepare once is prepared now: the lease is short.
    commit(mutations(audited, acme.inserted(acme.owned(UUID.randomUUID()))));
    try (Connection holder = database.admin();
        Statement statement = holder.createStatement()) {
      Row head =
          acme.inserted(
              acme.owned(UUID.randomUUID())
                  .with("leaseExpiresAt", new StoreTime(Duration.ofSeconds(2), Duration.ZERO)));
      holder.setAutoCommit(false);
      statement.execute("SELECT 1" + where(head) + " FOR UPDATE");
      CompletableFuture<CommitOutcome> waiting =
          CompletableFuture.supplyAsync(() -> commit(mutations(audited, head)));
      awaitLockWait();
      awaitExpiry(head);
      holder.rollback();
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(CommitOutcome.Conflict.class);
      assertThat(acme.stored(head.key())).isEqualTo(head);
    }
  }

  private void awaitExpiry(Row head) throws SQLException {
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (database
        .query("SELECT 1" + where(head) + " AND lease_expires_at < " + PostgresqlValues.CLOCK)
        .isEmpty()) {
      assertThat(System.nanoTime() - until).isNegative();
    }
  }

  @Test
  void anExpectedExpiryIsJudgedInATransactionToo() throws SQLException {
    Row living = acme.inserted(acme.owned(UUID.randomUUID()));
    Mutation takeover =
        new Mutation.Update(
            living,
            Samples.next(living).with("owner", "thief"),
            List.of(),
            List.of("leaseExpiresAt"));
    assertThat(commit(List.of(takeover, new Mutation.Insert(acme.execution()))))
        .isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(acme.stored(living.key())).isEqualTo(living);
    assertThat(database.query("SELECT id FROM execution")).isEmpty();
    Row dead = expired();
    Mutation rightful =
        new Mutation.Update(
            dead, Samples.next(dead).with("owner", "heir"), List.of(), List.of("leaseExpiresAt"));
    assertThat(commit(List.of(rightful, new Mutation.Insert(acme.execution()))))
        .isInstanceOf(CommitOutcome.Committed.class);
  }
}
