/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Attacks on the walls between tenants, by the runtime role's own SQL: each fails with the wall,
 * and is shown to succeed without it.
 */
class TenantAttacksIT {
  private PostgresServer.Database database;
  private Storage storage;
  private Row theirs;
  private Row own;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    storage = new PostgresqlStorageProvider().open(database.with("connections", "1"));
    theirs = fill("victim");
    own = fill("attacker");
  }

  /** One record of every type. */
  private Row fill(String tenant) {
    Samples samples = Samples.of(storage, tenant);
    Row head = samples.inserted(samples.owned(UUID.randomUUID()));
    UUID execution = (UUID) head.key().values().get(0);
    samples.committed(new Mutation.Insert(samples.event(execution, 1)));
    for (RecordType type : RecordTypes.all()) {
      if (type != RecordTypes.HEAD && type != RecordTypes.EVENT) {
        samples.committed(new Mutation.Insert(samples.any(type)));
      }
    }
    return head;
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  private static List<String> tables() {
    return StoreCheck.WALLED.stream().filter(table -> !table.equals("feed_mark")).toList();
  }

  private void walls(boolean up) throws SQLException {
    for (String table : StoreCheck.WALLED) {
      database.run("ALTER TABLE " + table + (up ? " ENABLE" : " DISABLE") + " ROW LEVEL SECURITY");
    }
  }

  /** What an attack gets at, in a transaction that is rolled back. */
  private interface Attack {
    long rows(Statement statement) throws SQLException;
  }

  private long tried(String tenant, Attack attack) throws SQLException {
    return tried("runtime", tenant, attack);
  }

  private long tried(String role, String tenant, Attack attack) throws SQLException {
    try (Connection connection = database.as(role)) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT set_config('wovyr.tenant', '" + tenant + "', true)");
        return attack.rows(statement);
      } finally {
        connection.rollback();
      }
    }
  }

  /** Nothing with the wall; something without it. */
  private void holds(String tenant, Attack attack) throws SQLException {
    assertThat(tried(tenant, attack)).as("with the walls").isZero();
    walls(false);
    assertThat(tried(tenant, attack)).as("without them").isPositive();
    walls(true);
  }

  private static long count(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  @DisplayName("C073: without a tenant there are no rows, whatever was set before")
  void withoutATenantThereAreNoRows() throws SQLException {
    for (String table : tables()) {
      holds("", statement -> count(statement, "SELECT count(*) FROM " + table));
      holds(
          "",
          statement -> {
            statement.execute("RESET wovyr.tenant");
            return count(statement, "SELECT count(*) FROM " + table);
          });
    }
  }

  @Test
  @DisplayName("C069: native SQL by the victim's name or key finds nothing")
  void nativeSqlByTheVictimsNameFindsNothing() throws SQLException {
    for (String table : tables()) {
      holds(
          "attacker",
          statement ->
              count(statement, "SELECT count(*) FROM " + table + " WHERE tenant_id = 'victim'"));
    }
    holds(
        "attacker",
        statement ->
            count(
                statement,
                "SELECT count(*) FROM execution_head WHERE execution_id = '"
                    + theirs.key().values().get(0)
                    + "'"));
  }

  @Test
  @DisplayName("C070: bulk updates and deletes touch the attacker's own rows only")
  void bulkStatementsTouchTheAttackersRowsOnly() throws SQLException {
    for (String table : tables()) {
      if (StoreCheck.APPEND_ONLY.contains(table)) {
        continue; // Not even the own rows.
      }
      holds(
          "attacker",
          statement ->
              statement.executeUpdate("UPDATE " + table + " SET tenant_id = tenant_id") - 1);
      if (Rights.removes(StoreCheck.Role.RUNTIME, table)) {
        holds("attacker", statement -> statement.executeUpdate("DELETE FROM " + table) - 1);
      }
    }
  }

  /** Into a tenant without rows, so that no key stands in the way where the wall does not. */
  @Test
  @DisplayName("C070: rows can be written into no other tenant, nor moved there, in any table")
  void rowsCanBeWrittenIntoNoOtherTenantNorMovedThere() throws SQLException {
    List<String> attacks = new ArrayList<>();
    for (String table : tables()) {
      attacks.add(
          "INSERT INTO %1$s SELECT (jsonb_populate_record(NULL::%1$s, to_jsonb(t)".formatted(table)
              + " || '{\"tenant_id\": \"other\"}')).* FROM %s t".formatted(table)
              + " WHERE tenant_id = 'attacker'");
      if (!StoreCheck.APPEND_ONLY.contains(table)) {
        attacks.add("UPDATE " + table + " SET tenant_id = 'other' WHERE tenant_id = 'attacker'");
      }
    }
    for (String attack : attacks) {
      assertThatThrownBy(() -> tried("attacker", statement -> statement.executeUpdate(attack)))
          .as(attack)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("row-level security");
    }
    walls(false);
    for (String attack : attacks) {
      assertThat(tried("attacker", statement -> statement.executeUpdate(attack)))
          .as("without the walls: " + attack)
          .isPositive();
    }
  }

  @Test
  @DisplayName("C070: the purge role, which may remove history, removes that of its tenant only")
  void thePurgeRoleRemovesTheRowsOfItsTenantOnly() throws SQLException {
    List<String> purged =
        tables().stream().filter(table -> Rights.removes(StoreCheck.Role.PURGE, table)).toList();
    Map<String, Long> own = new HashMap<>();
    for (String table : purged) {
      own.put(table, tried("purge", "attacker", removing(table)));
      assertThat(tried("purge", "nobody", removing(table))).as(table).isZero();
    }
    walls(false);
    for (String table : purged) {
      assertThat(tried("purge", "attacker", removing(table)))
          .as("without the walls: " + table)
          .isGreaterThan(own.get(table));
    }
  }

  private static Attack removing(String table) {
    return statement -> {
      statement.execute("SELECT set_config('wovyr.purge', 'permitted', true)");
      return statement.executeUpdate("DELETE FROM " + table);
    };
  }

  @Test
  @DisplayName("C076: nobody learns from the marks in the feed how far another tenant was purged")
  void theMarksOfAnotherTenantsPurgesAreNotSeen() throws SQLException {
    Samples victim = Samples.of(storage, "victim");
    Row event = victim.inserted(victim.event(UUID.randomUUID(), 1));
    List<Object> execution = event.key().values().subList(0, 1);
    storage.purge(
        victim.scope(),
        new Purge(victim.batch(), RecordTypes.EVENT, execution, 1L, 2L, List.of()),
        Samples.deadline());
    holds("attacker", statement -> count(statement, "SELECT count(*) FROM feed_mark"));
    holds("", statement -> count(statement, "SELECT count(*) FROM feed_mark"));
    assertThat(tried("victim", statement -> count(statement, "SELECT count(*) FROM feed_mark")))
        .isEqualTo(1);
  }

  @Test
  void whatTheRoleMayNotDoAtAllIsRefusedWithTheWallsDownToo() throws SQLException {
    walls(false);
    for (String attack :
        List.of(
            "TRUNCATE execution",
            "UPDATE workflow_event SET version = 2",
            "DELETE FROM workflow_event",
            "UPDATE wovyr_store SET epoch = 9",
            "ALTER TABLE execution DISABLE ROW LEVEL SECURITY",
            "DROP POLICY wovyr_tenant ON execution",
            "SET ROLE wovyr_system",
            "SET ROLE wovyr_test_owner",
            "ALTER FUNCTION wovyr_epoch() OWNER TO wovyr_test_runtime",
            "CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
            "DELETE FROM feed_mark")) {
      assertThatThrownBy(() -> tried("attacker", statement -> statement.executeUpdate(attack)))
          .as(attack)
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  @DisplayName("C073: nothing of a tenant stays on a connection, whatever happened on it")
  void nothingOfATenantStaysOnAConnection() throws SQLException {
    Samples victim = Samples.of(storage, "victim");
    Samples attacker = Samples.of(storage, "attacker");
    Scan heads = Scan.byKey(RecordTypes.HEAD, List.of(), 10);
    Batches failing = new Batches(victim);
    for (Runnable before :
        List.<Runnable>of(
            () -> storage.read(victim.scope(), List.of(theirs.key()), Samples.strong()),
            () -> storage.scan(victim.scope(), heads, Samples.strong()),
            () -> storage.feed(victim.scope(), java.util.Optional.empty(), 5, Samples.deadline()),
            failing::conflict,
            failing::takenKey,
            failing::ruleOfTheTable,
            failing::transaction)) {
      before.run();
      assertThat(storage.scan(attacker.scope(), heads, Samples.strong()).items())
          .containsExactly(own);
      assertThat(tenantOnTheConnection()).isEmpty();
    }
  }

  @Test
  @DisplayName("C073: a tenant set for the session would stay for the next borrower; ours never is")
  void aTenantSetForTheSessionWouldStay() {
    assertThat(setOnTheConnection("victim", false)).isEqualTo("victim");
    assertThat(tenantOnTheConnection()).as("the leak, without the guard").isEqualTo("victim");
    assertThat(rowsOnTheConnection()).as("and what it shows").isPositive();
    Samples attacker = Samples.of(storage, "attacker");
    Scan heads = Scan.byKey(RecordTypes.HEAD, List.of(), 10);
    assertThat(storage.scan(attacker.scope(), heads, Samples.strong()).items())
        .as("our calls say whose they are, whatever somebody left")
        .containsExactly(own);

    assertThat(setOnTheConnection("", false)).isEmpty();
    assertThat(setOnTheConnection("victim", true)).isEqualTo("victim");
    assertThat(tenantOnTheConnection()).as("set as we do it").isEmpty();
    assertThat(rowsOnTheConnection()).isZero();
  }

  private String setOnTheConnection(String tenant, boolean forTheTransaction) {
    return ((PostgresqlStorage) storage)
        .inspect(
            StoreCheck.Role.RUNTIME,
            connection -> {
              try (Statement statement = connection.createStatement();
                  ResultSet row =
                      statement.executeQuery(
                          "SELECT set_config('wovyr.tenant', '%s', %s)"
                              .formatted(tenant, forTheTransaction))) {
                row.next();
                return row.getString(1);
              }
            });
  }

  private long rowsOnTheConnection() {
    return ((PostgresqlStorage) storage)
        .inspect(
            StoreCheck.Role.RUNTIME,
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return count(statement, "SELECT count(*) FROM execution_head");
              }
            });
  }

  @Test
  @DisplayName("C073: behind a pooler that mixes transactions no tenant meets another's rows")
  void transactionsOfTenantsMixedOnOneSessionStayApart() throws SQLException {
    try (Connection session = database.as("runtime");
        Statement statement = session.createStatement()) {
      session.setAutoCommit(false);
      for (String[] turn :
          new String[][] {{"victim", "1"}, {"", "0"}, {"attacker", "1"}, {"", "0"}}) {
        if (!turn[0].isEmpty()) {
          statement.execute("SELECT set_config('wovyr.tenant', '" + turn[0] + "', true)");
        }
        assertThat(count(statement, "SELECT count(*) FROM execution_head"))
            .as("tenant '" + turn[0] + "'")
            .isEqualTo(Long.parseLong(turn[1]));
        session.commit();
      }
    }
  }

  @Test
  @DisplayName("C077: what looks over all tenants leaves nothing of that to the calls of one")
  void whatLooksOverAllTenantsLeavesNothing() {
    Samples attacker = Samples.of(storage, "attacker");
    Scan heads = Scan.byKey(RecordTypes.HEAD, List.of(), 10);
    Scope.System system = new Scope.System("test");
    Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10);
    List<Runnable> looks =
        List.of(
            () -> assertThat(storage.scanSystem(system, due, Samples.strong()).items()).hasSize(2),
            () ->
                assertThat(
                        storage
                            .feed(system, java.util.Optional.empty(), 5, Samples.deadline())
                            .entries())
                    .hasSize(4),
            () ->
                assertThatThrownBy(
                        () ->
                            storage.scanSystem(
                                system, due, ReadOptions.strong(Deadline.after(Duration.ZERO))))
                    .isInstanceOf(PersistenceException.Unavailable.class));
    for (Runnable look : looks) {
      look.run();
      assertThat(storage.scan(attacker.scope(), heads, Samples.strong()).items())
          .containsExactly(own);
      assertThat(storage.read(attacker.scope(), List.of(theirs.key()), Samples.strong()).get(0))
          .isEmpty();
      assertThat(rowsOnTheConnection()).as("the runtime role itself").isZero();
    }
  }

  /** The setting as the next borrower of the only connection finds it. */
  private String tenantOnTheConnection() {
    return ((PostgresqlStorage) storage)
        .inspect(
            StoreCheck.Role.RUNTIME,
            connection -> {
              try (Statement statement = connection.createStatement();
                  ResultSet row =
                      statement.executeQuery(
                          "SELECT coalesce(current_setting('wovyr.tenant', true), '')")) {
                row.next();
                return row.getString(1);
              }
            });
  }

  /** Commits of the victim that fail in different ways. */
  private final class Batches {
    private final Samples victim;

    Batches(Samples victim) {
      this.victim = victim;
    }

    void conflict() {
      Row stale = theirs.with(theirs.header().next(Samples.NOW, "x"));
      victim.commit(new Mutation.Update(stale, Samples.next(stale)));
    }

    void takenKey() {
      victim.commit(new Mutation.Insert(victim.owned((UUID) theirs.key().values().get(0))));
    }

    void ruleOfTheTable() {
      assertThatThrownBy(
              () -> victim.commit(new Mutation.Insert(victim.event(UUID.randomUUID(), 0))))
          .isInstanceOf(PersistenceException.Rejected.class);
    }

    void transaction() {
      Key key = Key.of(RecordTypes.EXECUTION, theirs.key().values().get(0));
      victim.commit(new Mutation.Insert(victim.row(RecordTypes.EXECUTION, key.values().get(0))));
    }
  }
}
