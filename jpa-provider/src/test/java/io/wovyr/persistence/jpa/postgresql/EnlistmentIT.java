/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static io.wovyr.persistence.jpa.postgresql.Samples.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import jakarta.transaction.Status;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;

/** Batches in JTA transactions: what they cost, what they leave behind, and what is refused. */
class EnlistmentIT {
  private static PostgresServer.Database database;
  private static TestContainer container;
  private static Map<String, String> settings;
  private static Storage storage;
  private static Samples acme;

  @BeforeAll
  static void open() throws SQLException {
    database = PostgresServer.shared().newStore();
    container = new TestContainer();
    settings = container.settings(database, 8);
    storage = new PostgresqlStorageProvider().open(settings);
    acme = Samples.of(storage, "acme");
    database.run(
        "CREATE TABLE application_order (name text PRIMARY KEY)",
        "GRANT SELECT, INSERT ON application_order TO wovyr_test_runtime, wovyr_test_owner");
  }

  @AfterAll
  static void close() {
    storage.close();
    container.close();
    database.close();
  }

  @AfterEach
  void nobodyIsLeftInATransaction() throws Exception {
    if (container.transactions().getStatus() != Status.STATUS_NO_TRANSACTION) {
      container.transactions().rollback();
    }
  }

  private static Enlisted enlist(Mutation... mutations) {
    return storage.enlist(acme.batch(mutations), deadline());
  }

  private static void applied(Mutation... mutations) {
    assertThat(enlist(mutations)).isInstanceOf(Enlisted.Applied.class);
  }

  private static Row owned() {
    return acme.inserted(acme.owned(UUID.randomUUID()));
  }

  private static void order(AgroalDataSource dataSource, String name) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO application_order VALUES ('" + name + "')");
    }
  }

  @Test
  void aStepIsOneRoundTripBesideTheCommit() throws Exception {
    try (FaultyWire wire = database.wire()) {
      String url = database.through(wire).get("url");
      container.dataSource("java:/trips", url, "wovyr_test_runtime", "test", 2, Driver.class);
      try (Storage wired =
          new PostgresqlStorageProvider().open(Map.of("datasource", "java:/trips"))) {
        Samples through = Samples.of(wired, "acme");
        Supplier<Mutation[]> step =
            () -> through.step(through.inserted(through.owned(UUID.randomUUID())), 2);
        Supplier<Mutation[]> transition =
            () -> {
              Row execution = through.inserted(through.execution());
              return new Mutation[] {
                new Mutation.Update(execution, next(execution).with("status", "RUNNING"))
              };
            };
        assertThat(trips(wire, wired, through, step)).as("a step").isEqualTo(1);
        assertThat(trips(wire, wired, through, transition)).as("audited").isEqualTo(5);
      }
    }
  }

  /** The trips of enlisting, when all is prepared. */
  private static long trips(
      FaultyWire wire, Storage wired, Samples through, Supplier<Mutation[]> made) throws Exception {
    long last = 0;
    for (int i = 0; i < 14; i++) {
      Mutation[] mutations = made.get();
      container.transactions().begin();
      long before = wire.roundTrips();
      Enlisted enlisted = wired.enlist(through.batch(mutations), deadline());
      last = wire.roundTrips() - before;
      container.transactions().commit();
      assertThat(enlisted).isInstanceOf(Enlisted.Applied.class);
    }
    return last;
  }

  @Test
  void aStepTakesNoTransactionIdBesideThatOfTheCaller() throws Exception {
    AgroalDataSource application = (AgroalDataSource) container.bound(settings.get("datasource"));
    Row head = owned();
    container.transactions().begin();
    applied(acme.step(head, 1));
    try (Connection connection = application.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL wovyr.tenant = 'acme'");
      try (ResultSet row =
          statement.executeQuery(
              "SELECT bool_and(xmin = pg_current_xact_id()::xid), count(*) FROM workflow_event"
                  + " WHERE execution_id = '"
                  + head.key().values().get(0)
                  + "'")) {
        row.next();
        assertThat(row.getLong(2)).isEqualTo(1);
        assertThat(row.getBoolean(1)).as("written by the caller's own transaction").isTrue();
      }
    }
    container.transactions().commit();
  }

  @Test
  void anEventWhosePlaceOrWhoseSignalIsTakenIsAConflictThatLeavesTheTransactionUsable()
      throws Exception {
    Row head = owned();
    Mutation[] first = acme.step(head, 1);
    acme.committed(first);
    container.transactions().begin();
    // Of the same head as it was, and of the event alone.
    assertThat(enlist(first)).isInstanceOf(Enlisted.Conflict.class);
    for (Mutation mutation : first) {
      if (mutation instanceof Mutation.Insert event) {
        assertThat(enlist(event)).isInstanceOf(Enlisted.Conflict.class);
      }
    }
    applied(acme.step(owned(), 1));
    container.transactions().commit();
  }

  @Test
  void theRestOfTheTransactionRunsUnderTheSettingsOfTheCaller() throws Exception {
    AgroalDataSource application = (AgroalDataSource) container.bound(settings.get("datasource"));
    Row stale = owned();
    acme.committed(acme.step(stale, 1));
    container.transactions().begin();
    run(application, "SET LOCAL statement_timeout = '77s'; SET LOCAL enable_seqscan = on");
    List<String> before = session(application);
    applied(acme.step(owned(), 1));
    assertThat(session(application)).as("after a step").isEqualTo(before);
    assertThat(enlist(acme.step(stale, 1))).isInstanceOf(Enlisted.Conflict.class);
    assertThat(session(application)).as("after a conflict").isEqualTo(before);
    assertThat(enlist(new Mutation.Insert(stale))).isInstanceOf(Enlisted.Conflict.class);
    assertThat(session(application)).as("after a taken key").isEqualTo(before);
    applied(new Mutation.Insert(acme.execution()));
    assertThat(session(application)).as("after Hibernate").isEqualTo(before);
    container.transactions().commit();
  }

  private static void run(AgroalDataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> session(AgroalDataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(current_setting('wovyr.tenant', true), ''),"
                    + " current_setting('lock_timeout'), current_setting('statement_timeout'),"
                    + " current_setting('enable_seqscan'), current_setting('enable_hashjoin'),"
                    + " current_setting('plan_cache_mode'), current_setting('jit'),"
                    + " (SELECT count(*) FROM execution_head)::text")) {
      row.next();
      List<String> values = new java.util.ArrayList<>();
      for (int i = 1; i <= 8; i++) {
        values.add(row.getString(i));
      }
      return values;
    }
  }

  @Test
  void aStatementThatFailsEndsTheTransactionAndIsNotTriedAgain() throws Exception {
    Row head = owned();
    try (Connection other = database.admin()) {
      other.setAutoCommit(false);
      try (Statement statement = other.createStatement()) {
        statement.execute("SELECT 1 FROM execution_head FOR UPDATE");
      }
      container.transactions().begin();
      assertThatThrownBy(
              () ->
                  storage.enlist(
                      acme.batch(acme.step(head, 1)), Deadline.after(Duration.ofSeconds(2))))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("55P03");
      assertThat(container.transactions().getStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
      assertThatThrownBy(() -> enlist(acme.step(head, 1))).isInstanceOf(Unavailable.class);
      container.transactions().rollback();
      other.rollback();
    }
    assertThat(acme.stored(head.key())).isEqualTo(head);
    acme.committed(acme.step(head, 1));
  }

  @Test
  void besideAnotherDataSourceWithoutXaItIsRefused() throws Exception {
    AgroalDataSource other = container.dataSource("java:/other", database, "owner", 2);
    Row head = owned();
    container.transactions().begin();
    order(other, "first");
    assertThatThrownBy(() -> enlist(acme.step(head, 1)))
        .isInstanceOf(Rejected.class)
        .hasMessageContainingAll(settings.get("datasource"), "XA", "jta-datasource");
    // The container marks the transaction by itself.
    container.transactions().rollback();
    assertThat(database.query("SELECT name FROM application_order WHERE name = 'first'")).isEmpty();
    assertThat(acme.stored(head.key())).isEqualTo(head);
  }

  @Test
  void twoXaDataSourcesCommitTogether() throws Exception {
    AgroalDataSource theirs = container.xaDataSource("java:/xa/theirs", database, "owner", 2);
    container.xaDataSource("java:/xa/ours", database, "runtime", 4);
    try (Storage xa = new PostgresqlStorageProvider().open(Map.of("datasource", "java:/xa/ours"))) {
      Samples samples = Samples.of(xa, "acme");
      for (boolean commits : new boolean[] {true, false}) {
        Row head = samples.inserted(samples.owned(UUID.randomUUID()));
        String name = "xa-" + commits;
        container.transactions().begin();
        order(theirs, name);
        assertThat(xa.enlist(samples.batch(samples.step(head, 1)), deadline()))
            .isInstanceOf(Enlisted.Applied.class);
        if (commits) {
          container.transactions().commit();
        } else {
          container.transactions().rollback();
        }
        assertThat(samples.stored(head.key()).version())
            .isEqualTo(commits ? head.version() + 1 : head.version());
        assertThat(database.query("SELECT name FROM application_order WHERE name = '" + name + "'"))
            .hasSize(commits ? 1 : 0);
      }
    }
  }

  @Test
  void theDataSourceThatIsJoinedMayBeAnotherThanOurOwn() throws Exception {
    Map<String, String> own = new HashMap<>(database.settings());
    own.put("jta-datasource", settings.get("datasource"));
    try (Storage mixed = new PostgresqlStorageProvider().open(own)) {
      assertThat(mixed.capabilities()).contains(Capability.JTA);
      Samples samples = Samples.of(mixed, "acme");
      Row head = samples.inserted(samples.owned(UUID.randomUUID()));
      container.transactions().begin();
      assertThat(mixed.enlist(samples.batch(samples.step(head, 1)), deadline()))
          .isInstanceOf(Enlisted.Applied.class);
      assertThat(samples.stored(head.key())).isEqualTo(head);
      container.transactions().commit();
      assertThat(samples.stored(head.key()).version()).isEqualTo(head.version() + 1);
    }
  }

  @Test
  void jtaIsDeclaredOnlyWhereTransactionsCanBeJoined() throws Exception {
    try (Storage plain = new PostgresqlStorageProvider().open(database.settings())) {
      assertThat(plain.capabilities()).doesNotContain(Capability.JTA);
    }
    container.bind("java:/no-jta", container.withoutJta(database, "runtime"));
    try (Storage outside =
        new PostgresqlStorageProvider().open(Map.of("datasource", "java:/no-jta"))) {
      assertThat(outside.capabilities()).doesNotContain(Capability.JTA);
      Samples samples = Samples.of(outside, "acme");
      assertThatThrownBy(
              () ->
                  outside.enlist(
                      samples.batch(new Mutation.Insert(samples.owned(UUID.randomUUID()))),
                      deadline()))
          .isInstanceOf(Rejected.class);
    }
    Map<String, String> wanted = new HashMap<>(settings);
    wanted.put("jta-datasource", "java:/no-jta");
    assertThatThrownBy(() -> new PostgresqlStorageProvider().open(wanted))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.jta-datasource", "java:/no-jta");
  }
}
