/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static io.wovyr.persistence.jpa.postgresql.Samples.strong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import jakarta.transaction.Status;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;

/** A store over DataSources of a container: found by name, looked at, and never drawn into JTA. */
class ContainerDataSourcesIT {
  private static PostgresServer.Database database;
  private static TestContainer container;
  private static Map<String, String> settings;

  @BeforeAll
  static void start() {
    database = PostgresServer.shared().newStore();
    container = new TestContainer();
    settings = container.settings(database, 4);
  }

  @AfterAll
  static void stop() {
    container.close();
    database.close();
  }

  private static Storage open(Map<String, String> with) {
    return new PostgresqlStorageProvider().open(with);
  }

  private static Map<String, String> runtime(String name) {
    return Map.of("datasource", name);
  }

  @Test
  void whatIsCommittedInsideATransactionOfTheCallerStaysWhenThatIsRolledBack() throws Exception {
    try (Storage storage = open(settings)) {
      Samples acme = Samples.of(storage, "acme");
      Row head = acme.owned(UUID.randomUUID());
      Row execution = acme.execution();
      container.transactions().begin();
      try {
        // By the lean path, and by a transaction with Hibernate.
        acme.committed(new Mutation.Insert(head));
        acme.committed(new Mutation.Insert(execution));
        assertThat(storage.read(acme.scope(), List.of(head.key()), strong()).get(0)).isPresent();
        Scan executions = Scan.byKey(RecordTypes.EXECUTION, List.of(), 10);
        assertThat(storage.scan(acme.scope(), executions, strong()).items()).isNotEmpty();
        assertThat(storage.feed(acme.scope(), Optional.empty(), 10, deadline())).isNotNull();
        assertThat(storage.health().writable()).isTrue();
        assertThat(container.transactions().getStatus()).isEqualTo(Status.STATUS_ACTIVE);
      } finally {
        container.transactions().rollback();
      }

      assertThat(acme.stored(head.key())).isNotNull();
      assertThat(acme.stored(execution.key())).isNotNull();
    }
  }

  @Test
  void theTransactionOfTheCallerIsHisOwnAgainWhenACallFails() throws Exception {
    try (Storage storage = open(settings)) {
      Samples acme = Samples.of(storage, "acme");
      Row refused = acme.row(RecordTypes.EXECUTION, UUID.randomUUID()).with("workflowId", "a\0b");
      container.transactions().begin();
      try {
        assertThatThrownBy(() -> acme.commit(new Mutation.Insert(refused)))
            .isInstanceOf(Rejected.class);
        assertThat(container.transactions().getStatus()).isEqualTo(Status.STATUS_ACTIVE);
      } finally {
        container.transactions().rollback();
      }
    }
  }

  @Test
  void nothingOfATenantOrOfOursStaysOnAPooledConnection() throws SQLException {
    String name = "java:/one";
    AgroalDataSource one = container.dataSource(name, database, "runtime", 1);
    List<String> untouched;
    try (Connection connection = one.getConnection()) {
      untouched = session(connection);
    }
    try (Storage storage = open(runtime(name))) {
      for (String tenant : new String[] {"acme", "globex", "acme"}) {
        Samples samples = Samples.of(storage, tenant);
        Row head = samples.inserted(samples.owned(UUID.randomUUID()));
        samples.committed(samples.step(head, 3));
        samples.committed(new Mutation.Insert(samples.execution()));
        assertThat(samples.commit(samples.step(head, 1)))
            .as("a conflict")
            .isInstanceOf(io.wovyr.persistence.storage.spi.CommitOutcome.Conflict.class);
        try (Connection connection = one.getConnection()) {
          assertThat(session(connection)).as("after " + tenant).isEqualTo(untouched);
          assertThat(connection.getAutoCommit()).isTrue();
          assertThat(connection.getNetworkTimeout()).isZero();
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery("SELECT count(*) FROM execution_head")) {
            rows.next();
            assertThat(rows.getLong(1)).as("rows seen without a tenant").isZero();
          }
        }
      }
    }
  }

  private static List<String> session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(current_setting('wovyr.tenant', true), ''), "
                    + "current_setting('lock_timeout'), current_setting('statement_timeout'),"
                    + " current_setting('enable_seqscan'), current_setting('plan_cache_mode'),"
                    + " current_setting('idle_in_transaction_session_timeout'),"
                    + " current_setting('jit')")) {
      row.next();
      return List.of(
          row.getString(1),
          row.getString(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getString(6),
          row.getString(7));
    }
  }

  @Test
  void aStepIsOneRoundTripAndEverySessionIsLookedAtOnce() throws SQLException {
    try (FaultyWire wire = database.wire()) {
      String url = database.through(wire).get("url");
      container.dataSource("java:/wired", url, "wovyr_test_runtime", "test", 1, Driver.class);
      try (Storage storage = open(runtime("java:/wired"))) {
        Samples acme = Samples.of(storage, "acme");
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < 12; i++) {
          Mutation[] step = acme.step(acme.inserted(acme.owned(UUID.randomUUID())), 1);
          long before = wire.roundTrips();
          acme.committed(step);
          fewest = i < 9 ? fewest : Math.min(fewest, wire.roundTrips() - before);
        }
        assertThat(fewest).isEqualTo(1);
      }
    }
  }

  @Test
  void aNameThatIsNotBoundIsToldWithItsSetting() {
    assertThatThrownBy(() -> open(runtime("java:/nowhere")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.datasource", "java:/nowhere");
    Map<String, String> system = new HashMap<>(settings);
    system.put("system-datasource", "java:/nowhere");
    assertThatThrownBy(() -> open(system))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.system-datasource", "java:/nowhere");
  }

  @Test
  void aNameThatLeadsElsewhereIsNotLookedUp() {
    for (String name : new String[] {"ldap://elsewhere/x", "RMI://elsewhere/x", "dns:elsewhere"}) {
      assertThatThrownBy(() -> open(runtime(name)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContainingAll("wovyr.storage.datasource", "not a URL", name);
    }
  }

  @Test
  void whatIsNoDataSourceIsToldWithItsSetting() {
    container.bind("java:/text", "jdbc:postgresql://localhost/orders");
    assertThatThrownBy(() -> open(runtime("java:/text")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll(
            "wovyr.storage.datasource", "java:/text", "no DataSource", "java.lang.String");
  }

  @Test
  void aDataSourceBesideWhatItSaysIsRefused() {
    for (String other : new String[] {"url", "user", "password", "connections"}) {
      Map<String, String> both = new HashMap<>(settings);
      both.put(other, "16");
      assertThatThrownBy(() -> open(both))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContainingAll("wovyr.storage.datasource", "wovyr.storage." + other);
    }
    Map<String, String> system = new HashMap<>(settings);
    system.put("system-user", "wovyr_test_system");
    assertThatThrownBy(() -> open(system))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.system-datasource", "wovyr.storage.system-user");
  }

  @Test
  void anotherRoleWithoutAUrlIsRefusedBesideADataSource() {
    Map<String, String> mixed = new HashMap<>(runtime(settings.get("datasource")));
    mixed.put("system-user", "wovyr_test_system");
    assertThatThrownBy(() -> open(mixed))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.system-user", "wovyr.storage.system-url");
    mixed.put("system-url", database.url());
    mixed.put("system-password", "test");
    try (Storage storage = open(mixed)) {
      assertThat(storage.health().writable()).isTrue();
    }
  }

  @Test
  void aLoginThatClimbsTheWallsIsRefusedAsWithAUrl() throws SQLException {
    container.dataSource("java:/system", database, "system", 1);
    assertThatThrownBy(() -> open(runtime("java:/system")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("which sees the rows of all tenants");
    container.dataSource("java:/owner", database, "owner", 1);
    assertThatThrownBy(() -> open(runtime("java:/owner")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the owner of the tables");
  }

  @Test
  void aWrongPasswordOrNoServerIsToldWithTheDataSource() {
    container.dataSource(
        "java:/wrong", database.url(), "wovyr_test_runtime", "wrong", 1, Driver.class);
    assertThatThrownBy(() -> open(runtime("java:/wrong")))
        .isInstanceOfSatisfying(Unavailable.class, e -> assertThat(e.isLasting()).isTrue())
        .hasMessageContainingAll("java:/wrong", "28P01");
    container.dataSource(
        "java:/off",
        "jdbc:postgresql://127.0.0.1:1/orders",
        "wovyr_test_runtime",
        "test",
        1,
        Driver.class);
    assertThatThrownBy(() -> open(runtime("java:/off")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContainingAll("java:/off", "wovyr.storage.datasource");
  }

  @Test
  void withoutATransactionManagerNothingIsWrittenInATransactionOfTheCaller() throws Exception {
    PostgresqlSettings read = PostgresqlSettings.of(settings);
    try (Storage storage =
        PostgresqlStorage.open(read, PostgresqlStorageProvider.hibernate(), Optional.empty())) {
      Samples acme = Samples.of(storage, "acme");
      acme.committed(new Mutation.Insert(acme.owned(UUID.randomUUID())));
      container.transactions().begin();
      try {
        assertThatThrownBy(() -> acme.commit(new Mutation.Insert(acme.owned(UUID.randomUUID()))))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("no transaction manager was found");
      } finally {
        container.transactions().rollback();
      }
    }
  }

  @Test
  void anotherIsolationIsRefused() throws SQLException {
    database.run("ALTER ROLE wovyr_test_purge SET default_transaction_isolation = 'serializable'");
    try {
      container.dataSource("java:/strict", database, "purge", 1);
      Map<String, String> purge = new HashMap<>(settings);
      purge.put("datasource", "java:/strict");
      assertThatThrownBy(() -> open(purge))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContainingAll("java:/strict", "serializable", "read committed");
    } finally {
      database.run("ALTER ROLE wovyr_test_purge RESET default_transaction_isolation");
    }
  }

  @Test
  void migratingOverADataSourceIsRefusedWithTheWay() {
    assertThatThrownBy(
            () -> new PostgresqlStorageProvider().migrator().migrate(settings, step -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("wovyr.storage.url", "wovyr migrate up");
  }
}
