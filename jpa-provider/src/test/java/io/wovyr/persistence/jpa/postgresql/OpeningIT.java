/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused when a store is opened, and how that is said. */
class OpeningIT {
  private static final String RUNTIME = "wovyr_test_runtime";

  private PostgresServer.Database database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private static Storage open(Map<String, String> settings) {
    Map<String, String> impatient = new HashMap<>(settings);
    impatient.putIfAbsent("connect-timeout", "PT10S");
    impatient.putIfAbsent("hibernate-start", "on-demand");
    return new PostgresqlStorageProvider().open(impatient);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(
      Map<String, String> settings, Class<? extends Throwable> as) {
    return assertThatThrownBy(() -> open(settings).close()).isInstanceOf(as);
  }

  private Map<String, String> login(String user, String password) {
    return Map.of("url", database.url(), "user", user, "password", password);
  }

  private void opens() {
    open(database.settings()).close();
  }

  /** A role with this login, made a member of the runtime role. */
  private String role(String... more) throws SQLException {
    String name = "wovyr_test_" + UUID.randomUUID().toString().substring(0, 8);
    database.run("CREATE ROLE " + name + " LOGIN PASSWORD 'test' IN ROLE wovyr_runtime");
    for (String statement : more) {
      database.run(statement.formatted(name));
    }
    return name;
  }

  @Test
  void aSuperuserIsRefused() throws SQLException {
    String role = role("ALTER ROLE %s SUPERUSER");
    refused(login(role, "test"), InvalidInput.class)
        .hasMessageContaining(role)
        .hasMessageContaining("superuser");
    database.run("DROP ROLE " + role);
  }

  @Test
  void aRoleThatBypassesRowLevelSecurityIsRefused() throws SQLException {
    String role = role("ALTER ROLE %s BYPASSRLS");
    refused(login(role, "test"), InvalidInput.class).hasMessageContaining("BYPASSRLS");
    database.run("DROP ROLE " + role);
  }

  @Test
  void aMemberOfARoleThatBypassesRowLevelSecurityIsRefused() throws SQLException {
    String strong = role("ALTER ROLE %s BYPASSRLS");
    String role = role("GRANT " + strong + " TO %s");
    refused(login(role, "test"), InvalidInput.class).hasMessageContaining("BYPASSRLS");
    database.run("DROP ROLE " + role, "DROP ROLE " + strong);
  }

  @Test
  void theOwnerOfTheTablesIsRefused() {
    refused(database.migration(), InvalidInput.class).hasMessageContaining("owner");
  }

  @Test
  void aRuntimeRoleThatSeesAllTenantsIsRefused() throws SQLException {
    String role = role("GRANT wovyr_system TO %s");
    refused(login(role, "test"), InvalidInput.class).hasMessageContaining("all tenants");
    database.run("DROP ROLE " + role);
  }

  @Test
  @DisplayName("C100: a runtime role that may change events is refused")
  void aRuntimeRoleThatMayChangeEventsIsRefused() throws SQLException {
    for (String right : List.of("UPDATE", "DELETE", "TRUNCATE")) {
      database.run("GRANT " + right + " ON workflow_event TO wovyr_runtime");
      refused(database.settings(), InvalidInput.class).hasMessageContaining("workflow_event");
      database.run("REVOKE " + right + " ON workflow_event FROM wovyr_runtime");
      opens();
    }
  }

  @Test
  void missingRightsAreNamed() throws SQLException {
    String stranger = "wovyr_test_" + UUID.randomUUID().toString().substring(0, 8);
    database.run("CREATE ROLE " + stranger + " LOGIN PASSWORD 'test'");
    refused(login(stranger, "test"), Unavailable.class).hasMessageContaining("wovyr migrate up");
    database.run("DROP ROLE " + stranger);
  }

  /** It has the rights to read, but the walls bind it: it would see no tenant, and say so never. */
  @Test
  void aSystemLoginThatIsNoneIsToldInsteadOfSeeingNothing() {
    try (Storage storage = open(database.with("system-user", RUNTIME))) {
      Samples acme = Samples.of(storage, "acme");
      acme.inserted(acme.owned(UUID.randomUUID()));
      Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10);
      assertThatThrownBy(() -> storage.scanSystem(new Scope.System("t"), due, Samples.strong()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("no member of wovyr_system")
          .hasMessageContaining("GRANT wovyr_system TO " + RUNTIME);
    }
  }

  @Test
  void aPurgeLoginThatIsNoneIsToldAndNothingIsPurged() {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.put("purge-user", RUNTIME);
    try (Storage storage = open(settings)) {
      Samples acme = Samples.of(storage, "acme");
      Row head = acme.inserted(acme.owned(UUID.randomUUID()));
      acme.committed(acme.step(head, 2));
      UUID id = (UUID) head.key().values().get(0);
      Purge purge = new Purge(acme.batch(), RecordTypes.EVENT, List.of(id), 1L, 3L, List.of());
      assertThatThrownBy(() -> storage.purge(acme.scope(), purge, Samples.deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("no member of wovyr_purge")
          .hasMessageContaining("GRANT wovyr_purge TO " + RUNTIME);
      Scan events = Scan.byKey(RecordTypes.EVENT, List.of(id), 10);
      assertThat(storage.scan(acme.scope(), events, Samples.strong()).items()).hasSize(2);
    }
  }

  @Test
  void aWallThatIsDownIsRefused() throws SQLException {
    for (String table : StoreCheck.WALLED) {
      database.run("ALTER TABLE " + table + " NO FORCE ROW LEVEL SECURITY");
      refused(database.settings(), Unavailable.class).hasMessageContaining(table);
      database.run(
          "ALTER TABLE " + table + " FORCE ROW LEVEL SECURITY",
          "ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY");
      refused(database.settings(), Unavailable.class).hasMessageContaining(table);
      database.run("ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY");
    }
    opens();
    database.run("CREATE POLICY door ON execution USING (true)");
    refused(database.settings(), Unavailable.class).hasMessageContaining("execution");
    database.run(
        "DROP POLICY door ON execution", "ALTER POLICY wovyr_tenant ON execution USING (true)");
    refused(database.settings(), Unavailable.class).hasMessageContaining("execution");
  }

  @Test
  void aMissingGuardOfTheEventsIsRefused() throws SQLException {
    database.run("ALTER TABLE workflow_event DISABLE TRIGGER workflow_event_append_only");
    refused(database.settings(), Unavailable.class).hasMessageContaining("append-only");
  }

  @Test
  void aServerThatMayLoseWhatItAcknowledgedIsRefused() throws SQLException {
    String role = role("ALTER ROLE %s SET synchronous_commit = off");
    refused(login(role, "test"), Unavailable.class).hasMessageContaining("synchronous_commit");
    database.run("DROP ROLE " + role);
  }

  @Test
  void aStoreOfANewerVersionIsRefusedAndLeftAsItIs() throws SQLException {
    database.run("UPDATE wovyr_store SET schema_version = 99");
    refused(database.settings(), UnsupportedVersion.class).hasMessageContaining("99");
    assertThatThrownBy(
            () ->
                new PostgresqlStorageProvider()
                    .migrator()
                    .migrate(database.migration(), step -> {}))
        .isInstanceOf(UnsupportedVersion.class);
    database.run("UPDATE wovyr_store SET schema_version = 1, format_version = 99");
    refused(database.settings(), UnsupportedVersion.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"schema_version = -1", "format_version = 0"})
  void aStoreOfAVersionThatNeverWasIsDamaged(String damage) throws SQLException {
    database.run("UPDATE wovyr_store SET " + damage);
    refused(database.settings(), Corrupt.class).hasMessageContaining("never");
  }

  @Test
  void aStoreOfAnOlderVersionIsToBeMigrated() throws SQLException {
    database.run("UPDATE wovyr_store SET schema_version = 0");
    refused(database.settings(), Unavailable.class).hasMessageContaining("wovyr migrate up");
  }

  @Test
  void aDatabaseWithoutTheSchemaIsToBeMigrated() {
    try (PostgresServer.Database empty = PostgresServer.shared().newDatabase()) {
      refused(empty.settings(), Unavailable.class).hasMessageContaining("wovyr migrate up");
    }
  }

  @Test
  void aWrongLoginIsSaidWithoutThePassword() {
    refused(login(RUNTIME, "not-the-password"), Unavailable.class)
        .hasMessageContaining("login of the runtime role")
        .hasMessageNotContaining("not-the-password");
  }

  @Test
  void aWrongPasswordOfAnotherRoleIsSaidAtOnceAndOfWhichRole() {
    try (Storage storage = open(database.with("system-password", "not-the-password"))) {
      long begun = System.nanoTime();
      assertThatThrownBy(() -> storage.statistics(new Scope.System("t"), Samples.deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("login of the system role")
          .hasMessageContaining("28P01");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void aHostThatNobodyKnowsIsNamed() {
    String url = "jdbc:postgresql://nowhere.invalid:5432/x";
    refused(database.with("url", url), Unavailable.class)
        .hasMessageContaining("unknown host nowhere.invalid");
  }

  @Test
  void whoMayNotMigrateIsToldWhoMay() {
    Map<String, String> settings = new HashMap<>(database.settings());
    assertThatThrownBy(
            () -> new PostgresqlStorageProvider().migrator().migrate(settings, step -> {}))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("owner")
        .hasMessageContaining("wovyr.storage.migration-user");
  }

  @Test
  void aMissingDatabaseIsNamed() {
    refused(
            database.with("url", database.url().replace(database.name(), "nowhere")),
            Unavailable.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining("no such database");
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    refused(database.with("url", "jdbc:postgresql://127.0.0.1:1/x"), Unavailable.class)
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void tooManyConnectionsAreSaid() throws SQLException {
    String role = role("ALTER ROLE %s CONNECTION LIMIT 0");
    refused(login(role, "test"), Unavailable.class).hasMessageContaining("connection");
    database.run("DROP ROLE " + role);
  }

  @Test
  void aServerThatRunsOutOfConnectionsIsToldAndUsedAgain() throws SQLException {
    try (Storage storage = open(database.settings())) {
      database.run("ALTER DATABASE " + database.name() + " CONNECTION LIMIT 0");
      assertThatThrownBy(() -> Samples.of(storage, "acme").inserted(head(storage)))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("no connection left")
          .hasMessageContaining("wovyr.storage.connections");
      assertThat(storage.health().writable()).isFalse();
      database.run("ALTER DATABASE " + database.name() + " CONNECTION LIMIT -1");
      Samples.of(storage, "acme").inserted(head(storage));
      assertThat(storage.health().writable()).isTrue();
    }
  }

  private static Row head(Storage storage) {
    return Samples.of(storage, "acme").owned(UUID.randomUUID());
  }

  @Test
  void whoWaitsInVainForAConnectionIsToldWhichSettingToRaise() throws Exception {
    try (Storage storage = open(database.with("connections", "1"));
        Connection foreign = database.admin();
        Statement statement = foreign.createStatement()) {
      Samples acme = Samples.of(storage, "acme");
      Row head = acme.inserted(acme.owned(UUID.randomUUID()));
      foreign.setAutoCommit(false);
      statement.execute("SELECT * FROM execution_head FOR UPDATE");
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(() -> acme.committed(acme.step(head, 1)));
      long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (database
          .query(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                  + " AND datname = current_database()")
          .isEmpty()) {
        assertThat(System.nanoTime() - until).as("the step waits for the row").isNegative();
      }

      ReadOptions hasty = ReadOptions.strong(Deadline.after(Duration.ofSeconds(2)));
      assertThatThrownBy(() -> storage.read(acme.scope(), List.of(head.key()), hasty))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("all 1 connections of the runtime role")
          .hasMessageContaining("wovyr.storage.connections");

      foreign.rollback();
      waiting.get(20, TimeUnit.SECONDS);
      assertThat(acme.stored(head.key()).get("lastSequence")).isEqualTo(1L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "jdbc:sqlite:x", "jdbc:postgresql://host:port/x", "postgres://h/x"})
  void aMalformedUrlIsInvalid(String url) {
    refused(Map.of("url", url), InvalidInput.class).hasMessageContaining("wovyr.storage.url");
  }

  @Test
  void badSettingsAreNamed() {
    for (Map.Entry<String, String> bad :
        Map.of(
                "connections", "0",
                "system-connections", "many",
                "connect-timeout", "5",
                "idle-in-transaction-timeout", "PT0S",
                "role-prefix", "Wovyr;",
                "hibernate-start", "never",
                "migrate-wait", "-PT1S")
            .entrySet()) {
      refused(database.with(bad.getKey(), bad.getValue()), InvalidInput.class)
          .hasMessageContaining("wovyr.storage." + bad.getKey());
    }
  }

  @Test
  void aPasswordMayBeAFile(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("password"), "test\n");
    Map<String, String> settings = new HashMap<>(login(RUNTIME, "file:" + file));
    open(settings).close();
    settings.put("password", "file:" + directory.resolve("nothing"));
    refused(settings, InvalidInput.class).hasMessageContaining("wovyr.storage.password");
    settings.put("password", "env:WOVYR_TEST_NOT_SET");
    refused(settings, InvalidInput.class).hasMessageContaining("wovyr.storage.password");
  }

  @Test
  void withoutASystemOrPurgeRoleWhatTheyDoIsRejected() {
    try (Storage storage = open(login(RUNTIME, "test"))) {
      Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10);
      Scope.System system = new Scope.System("test");
      assertThatThrownBy(() -> storage.scanSystem(system, due, Samples.strong()))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("wovyr.storage.system-user");
      assertThat(storage.health().writable()).isTrue();
    }
  }
}
