/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.conformance.fault.WireFault;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that stalls while it holds rows locked, and statements that wait too long. */
class StalledProcessIT {
  private PostgresServer.Database database;
  private FaultyWire wire;
  private Storage stalling;
  private Storage other;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    wire = database.wire();
    Map<String, String> settings = new HashMap<>(database.through(wire));
    settings.put("idle-in-transaction-timeout", "PT0.5S");
    stalling = new PostgresqlStorageProvider().open(settings);
    other = new PostgresqlStorageProvider().open(database.settings());
  }

  @AfterEach
  void close() {
    stalling.close();
    other.close();
    wire.close();
    database.close();
  }

  @Test
  @DisplayName("C080: who stalls in the middle of a transaction keeps its locks for a moment only")
  void whoStallsInATransactionKeepsItsLocksForAMomentOnly() throws Exception {
    Samples acme = Samples.of(stalling, "acme");
    Row execution = acme.inserted(acme.execution());
    Row head = acme.inserted(acme.owned((UUID) execution.key().values().get(0)));
    List<Mutation> transition = new ArrayList<>(List.of(acme.step(head, 1)));
    transition.add(new Mutation.Update(execution, next(execution)));
    wire.failNext(WireFault.NONE, WireFault.HELD);
    CompletableFuture<Object> stalled =
        CompletableFuture.supplyAsync(() -> acme.commit(transition.toArray(Mutation[]::new)));
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (wire.struck() == 0) {
      assertThat(System.nanoTime() - until).isNegative();
    }

    Samples through = Samples.of(other, "acme");
    long begun = System.nanoTime();
    through.committed(through.step(head, 1));

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
    wire.letGo();
    assertThatThrownBy(() -> stalled.get(30, TimeUnit.SECONDS))
        .as("it was stalled before it committed: nothing was written")
        .hasCauseInstanceOf(Unavailable.class);
    assertThat(through.stored(execution.key())).isEqualTo(execution);
    assertThat(through.stored(head.key()).version()).isEqualTo(2);
  }

  @Test
  void aLockedRowIsWaitedForUntilTheDeadlineAndNoLonger() throws SQLException {
    Samples acme = Samples.of(other, "acme");
    // What a commit has to prepare once is prepared now: the deadline is short.
    acme.committed(acme.step(acme.inserted(acme.owned(UUID.randomUUID())), 1));
    acme.committed(new Mutation.Delete(acme.inserted(acme.any(RecordTypes.FEED_CURSOR))));
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    Row cursor = acme.inserted(acme.any(RecordTypes.FEED_CURSOR));
    try (Connection holder = database.admin();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT 1 FROM execution_head FOR UPDATE");
      statement.execute("SELECT 1 FROM feed_cursor FOR UPDATE");
      for (Mutation[] mutations :
          List.of(acme.step(head, 1), new Mutation[] {new Mutation.Delete(cursor)})) {
        long begun = System.nanoTime();
        assertThatThrownBy(
                () -> other.commit(acme.batch(mutations), Deadline.after(Duration.ofSeconds(2))))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("keeps a row locked");
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
            .isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(10));
      }
      holder.rollback();
    }
    acme.committed(acme.step(head, 1));
  }

  /** Were it only the client that stops waiting, nobody would know whether it was written. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStatementThatTakesTooLongIsStoppedByTheServerSoThatNothingIsWritten(boolean audited)
      throws SQLException {
    Samples acme = Samples.of(other, "acme");
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    Row execution = acme.inserted(acme.execution());
    List<Mutation> mutations = new ArrayList<>(List.of(acme.step(head, 1)));
    if (audited) {
      mutations.add(new Mutation.Update(execution, next(execution)));
    }
    database.run(
        "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql"
            + " AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$",
        "CREATE TRIGGER linger BEFORE INSERT ON workflow_event"
            + " FOR EACH ROW EXECUTE FUNCTION linger()");

    Batch slow = acme.batch(mutations.toArray(Mutation[]::new));
    assertThatThrownBy(() -> other.commit(slow, Deadline.after(Duration.ofSeconds(3))))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("did not answer by the deadline");

    database.run("DROP TRIGGER linger ON workflow_event");
    assertThat(acme.stored(head.key())).isEqualTo(head);
    acme.committed(mutations.toArray(Mutation[]::new));
  }

  @Test
  void aSessionThatTheServerEndsWhileItWaitsLeavesTheOutcomeOpen() throws Exception {
    Samples acme = Samples.of(other, "acme");
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    try (Connection holder = database.admin();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT 1 FROM execution_head FOR UPDATE");
      CompletableFuture<Object> waiting =
          CompletableFuture.supplyAsync(() -> acme.commit(acme.step(head, 1)));
      long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      boolean ended = false;
      while (!ended) {
        assertThat(System.nanoTime() - until).isNegative();
        try (var row =
            statement.executeQuery(
                "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND wait_event_type = 'Lock'")) {
          row.next();
          ended = row.getLong(1) > 0;
        }
      }
      assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(io.wovyr.persistence.PersistenceException.OutcomeUnknown.class);
    }
    acme.committed(acme.step(head, 1));
  }
}
