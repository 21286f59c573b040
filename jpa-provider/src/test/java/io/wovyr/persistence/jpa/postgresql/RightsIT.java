/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every right of every role, on every table: what is granted, and what is said when it is gone. */
class RightsIT {
  private PostgresServer.Database database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private static String group(StoreCheck.Role role) {
    return "wovyr_" + role.title();
  }

  private static String object(StoreCheck.Role role, String object, String privilege) {
    boolean column = object.equals("wovyr_store") && privilege.equals("UPDATE");
    return "%s %s ON %s %s"
        .formatted(
            privilege,
            column ? "(purges)" : "",
            object.equals("revision_seq") ? "SEQUENCE " + object : object,
            "%s " + group(role));
  }

  private void revoke(StoreCheck.Role role, String object, String privilege) throws SQLException {
    database.run("REVOKE " + object(role, object, privilege).formatted("FROM"));
  }

  private void grant(StoreCheck.Role role, String object, String privilege) throws SQLException {
    database.run("GRANT " + object(role, object, privilege).formatted("TO"));
  }

  @ParameterizedTest
  @EnumSource(StoreCheck.Role.class)
  void whatIsCheckedIsWhatMigratingGrants(StoreCheck.Role role) throws SQLException {
    Map<String, TreeSet<String>> granted = new TreeMap<>();
    for (String right :
        database.query(
            "SELECT c.relname || '=' || a.privilege_type FROM pg_class c, aclexplode(c.relacl) a"
                + " WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = '%1$s'::regrole"
                    .formatted(group(role))
                + " UNION ALL SELECT c.relname || '=' || a.privilege_type FROM pg_class c"
                + " JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a"
                + " WHERE a.grantee = '%1$s'::regrole".formatted(group(role)))) {
      granted.computeIfAbsent(right.split("=")[0], any -> new TreeSet<>()).add(right.split("=")[1]);
    }
    Map<String, TreeSet<String>> checked = new TreeMap<>();
    Rights.of(role).forEach((object, needed) -> checked.put(object, new TreeSet<>(needed)));
    assertThat(checked).isEqualTo(granted);
  }

  @ParameterizedTest
  @EnumSource(StoreCheck.Role.class)
  void whicheverIsGoneIsNamedOnConnectingAndMigratingGivesAllBack(StoreCheck.Role role)
      throws SQLException {
    StoreCheck check = new StoreCheck(role, "here", "wovyr", found -> {});
    try (Connection connection = database.as(role.title())) {
      check.at(connection);
      for (Map.Entry<String, List<String>> rights : Rights.of(role).entrySet()) {
        if (rights.getKey().equals("wovyr_store")) {
          continue; // Looked at first of all; the server names it.
        }
        for (String privilege : rights.getValue()) {
          revoke(role, rights.getKey(), privilege);
          assertThatThrownBy(() -> check.at(connection))
              .isInstanceOf(Unavailable.class)
              .hasMessageContaining(role.title() + " role")
              .hasMessageContaining(privilege + " on " + rights.getKey())
              .hasMessageContaining("wovyr migrate up");
          grant(role, rights.getKey(), privilege);
        }
      }
      check.at(connection);
      database.run(
          "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + group(role),
          "GRANT SELECT ON wovyr_store TO " + group(role));
      assertThatThrownBy(() -> check.at(connection))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("more");

      new PostgresqlStorageProvider().migrator().migrate(database.migration(), step -> {});
      check.at(connection);
    }
  }

  /** By SQL of their own, under a login that an attacker got hold of. */
  @ParameterizedTest
  @MethodSource("types")
  void theRuntimeRoleRemovesOnlyWhatTheTypeSays(RecordType type) throws SQLException {
    try (Storage storage = open()) {
      Samples acme = Samples.of(storage, "acme");
      acme.inserted(fresh(acme, type));
    }
    List<String> kept = new ArrayList<>();
    List<String> tables = new ArrayList<>(List.of(type.name()));
    if (Tables.audited(type)) {
      tables.addAll(List.of(Entities.historyTable(type), "revision"));
    }
    for (String table : tables) {
      for (String words : List.of("DELETE FROM ", "TRUNCATE ")) {
        if (isRefused(words + table)) {
          kept.add(words + table);
        }
      }
    }
    List<String> expected = new ArrayList<>();
    for (String table : tables) {
      boolean removed = table.equals(type.name()) && type.removal() == RecordType.Removal.BY_BATCH;
      expected.addAll(
          removed
              ? List.of("TRUNCATE " + table)
              : List.of("DELETE FROM " + table, "TRUNCATE " + table));
    }
    assertThat(kept).containsExactlyElementsOf(expected);
  }

  private boolean isRefused(String attack) throws SQLException {
    try (Connection connection = database.as("runtime");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT set_config('wovyr.tenant', 'acme', true)");
      statement.execute("SELECT set_config('wovyr.purge', 'permitted', true)");
      int removed = statement.executeUpdate(attack);
      assertThat(removed).as(attack).isPositive();
      return false;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(attack).isEqualTo("42501");
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource(StoreCheck.Role.class)
  void whoeverMayRemoveMoreIsRefusedUntilMigratingTakesItBack(StoreCheck.Role role)
      throws SQLException {
    StoreCheck check = new StoreCheck(role, "here", "wovyr", found -> {});
    for (String table : StoreCheck.WALLED) {
      if (Rights.removes(role, table)) {
        continue;
      }
      grant(role, table, "DELETE");
      try (Connection connection = database.as(role.title())) {
        assertThatThrownBy(() -> check.at(connection))
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining(role.title() + " role")
            .hasMessageContaining("remove rows of " + table)
            .hasMessageContaining("wovyr migrate up");
      }
      revoke(role, table, "DELETE");
    }
    for (RecordType type : types()) {
      if (role != StoreCheck.Role.SYSTEM && !Rights.removes(role, type.name())) {
        grant(role, type.name(), "DELETE"); // As earlier versions did.
      }
    }
    new PostgresqlStorageProvider().migrator().migrate(database.migration(), step -> {});
    try (Connection connection = database.as(role.title())) {
      check.at(connection);
    }
  }

  @Test
  void aStoreWhoseRowCannotBeReadIsRefusedAndTheTableNamed() throws SQLException {
    revoke(StoreCheck.Role.RUNTIME, "wovyr_store", "SELECT");
    assertThatThrownBy(() -> open().close())
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr_store")
        .hasMessageContaining("wovyr migrate up");
  }

  private Storage open() {
    return new PostgresqlStorageProvider().open(database.with("connections", "1"));
  }

  static List<RecordType> types() {
    return RecordTypes.all();
  }

  /** The tables a record of this type touches. */
  private static List<String> tables(RecordType type) {
    List<String> tables = new ArrayList<>(List.of(type.name()));
    tables.addAll(entryTables(type));
    if (Tables.audited(type)) {
      tables.addAll(List.of(Entities.historyTable(type), "revision", "revision_seq"));
    }
    return tables;
  }

  private static List<String> entryTables(RecordType type) {
    return StoreCheck.WALLED.stream()
        .filter(table -> table.startsWith(type.name() + "_by_"))
        .toList();
  }

  /** Reads, lists, inserts, changes and, if they ever are, removes records of the type. */
  private static void use(Storage storage, Samples acme, RecordType type) {
    Row row = fresh(acme, type);
    storage.read(acme.scope(), List.of(row.key()), Samples.strong());
    type.paths().stream()
        .filter(path -> path.equality().contains("searchAttributes"))
        .forEach(
            path ->
                storage.scan(
                    acme.scope(),
                    Scan.byPath(type, path.name(), List.of("name=value"), 1),
                    Samples.strong()));
    acme.committed(new Mutation.Insert(row));
    if (type.mutability() != RecordType.Mutability.APPEND_ONLY) {
      Row stored = acme.stored(row.key());
      Row changed = Samples.next(stored);
      for (var attribute : type.attributes()) {
        if (attribute.name().equals("searchAttributes")) {
          changed = changed.with(attribute.name(), List.of("other=value"));
        }
      }
      acme.committed(new Mutation.Update(stored, changed));
      if (type.removal() == RecordType.Removal.BY_BATCH) {
        acme.committed(new Mutation.Delete(acme.stored(row.key())));
      }
    }
  }

  /** A row that is not there yet. */
  private static Row fresh(Samples acme, RecordType type) {
    Row any = acme.any(type);
    Object[] key = any.key().values().toArray();
    for (int i = 0; i < key.length; i++) {
      if (key[i] instanceof String) {
        key[i] = "name-" + UUID.randomUUID();
      }
    }
    Row row = acme.row(type, key);
    for (var attribute : type.attributes()) {
      row = row.with(attribute.name(), any.get(attribute.name()));
    }
    for (var unique : type.uniqueKeys()) {
      for (String name : unique.attributes()) {
        boolean inKey = type.key().stream().anyMatch(part -> part.name().equals(name));
        if (!inKey && row.get(name) instanceof UUID) {
          row = row.with(name, UUID.randomUUID());
        }
      }
    }
    return row;
  }

  @ParameterizedTest
  @MethodSource("types")
  void whicheverIsTakenFromAStoreInUseIsNamedAndNothingIsLost(RecordType type) throws SQLException {
    List<String> needless = new ArrayList<>();
    try (Storage storage = open()) {
      Samples acme = Samples.of(storage, "acme");
      Row kept = acme.inserted(fresh(acme, type));
      use(storage, acme, type);
      Map<String, List<String>> rights = Rights.of(StoreCheck.Role.RUNTIME);
      for (String table : tables(type)) {
        for (String privilege : rights.get(table)) {
          revoke(StoreCheck.Role.RUNTIME, table, privilege);
          Optional<Throwable> told = told(() -> use(storage, acme, type));
          grant(StoreCheck.Role.RUNTIME, table, privilege);
          if (told.isEmpty()) {
            needless.add(privilege + " on " + table);
            continue;
          }
          assertThat(told.get())
              .as(privilege + " on " + table)
              .isInstanceOf(Unavailable.class)
              .hasMessageContaining("the runtime role")
              .hasMessageContaining(privilege + " on " + table)
              .hasMessageContaining("wovyr migrate up");
          assertThat(acme.stored(kept.key())).isEqualTo(kept);
          use(storage, acme, type);
        }
      }
    }
    assertThat(needless)
        .as("rights that readers of history and triggers of the table use")
        .allMatch(right -> isOfReadersOrTriggers(type, right));
  }

  private static boolean isOfReadersOrTriggers(RecordType type, String right) {
    String table = right.substring(right.lastIndexOf(' ') + 1);
    boolean history = table.equals("revision") || table.endsWith("_aud");
    boolean entries = table.startsWith(type.name() + "_by_");
    return entries || (history && right.startsWith("SELECT"));
  }

  private static Optional<Throwable> told(Runnable use) {
    try {
      use.run();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  @Test
  void aRightTakenFromTheSystemRoleIsNamedByWhatLooksOverAllTenants() throws SQLException {
    Scope.System system = new Scope.System("test");
    Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10);
    Map<String, Runnable> looks = new TreeMap<>();
    try (Storage storage = open()) {
      Samples acme = Samples.of(storage, "acme");
      acme.inserted(acme.owned(UUID.randomUUID()));
      looks.put(
          "execution_head",
          () -> assertThat(storage.scanSystem(system, due, Samples.strong()).items()).hasSize(1));
      for (String table : List.of("workflow_event", "audit_record", "feed_mark")) {
        looks.put(table, () -> storage.feed(system, Optional.empty(), 10, Samples.deadline()));
      }
      for (Map.Entry<String, Runnable> look : looks.entrySet()) {
        look.getValue().run();
        revoke(StoreCheck.Role.SYSTEM, look.getKey(), "SELECT");
        assertThatThrownBy(() -> look.getValue().run())
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("the system role")
            .hasMessageContaining("SELECT on " + look.getKey())
            .hasMessageContaining("wovyr migrate up");
        grant(StoreCheck.Role.SYSTEM, look.getKey(), "SELECT");
        look.getValue().run();
      }
    }
  }

  @Test
  void aSystemLoginThatIsNoMemberAnyMoreIsToldAndTheTenantsGoOn() throws SQLException {
    String login = "wovyr_test_" + UUID.randomUUID().toString().substring(0, 8);
    database.run("CREATE ROLE " + login + " LOGIN PASSWORD 'test' IN ROLE wovyr_system");
    Map<String, String> settings = database.with("system-user", login);
    settings.put("system-password", "test");
    Scope.System system = new Scope.System("test");
    try (Storage storage = new PostgresqlStorageProvider().open(settings)) {
      Samples acme = Samples.of(storage, "acme");
      storage.feed(system, Optional.empty(), 10, Samples.deadline());
      database.run("REVOKE wovyr_system FROM " + login);
      assertThatThrownBy(() -> storage.feed(system, Optional.empty(), 10, Samples.deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("the system role")
          .hasMessageContaining("make the login a member of its role");
      Row head = acme.inserted(acme.owned(UUID.randomUUID()));
      acme.committed(acme.step(head, 1));
    }
    database.run("DROP ROLE " + login);
  }

  @ParameterizedTest
  @MethodSource("ofAPurge")
  void aRightTakenFromThePurgeRoleIsNamedAndNothingIsPurged(String table, String privilege)
      throws SQLException {
    try (Storage storage = open()) {
      Samples acme = Samples.of(storage, "acme");
      Row head = acme.inserted(acme.owned(UUID.randomUUID()));
      acme.committed(acme.step(head, 2));
      UUID id = (UUID) head.key().values().get(0);
      Scan events = Scan.byKey(RecordTypes.EVENT, List.of(id), 10);
      for (boolean connected : new boolean[] {false, true}) {
        if (connected) {
          purge(storage, acme, id, 1L);
        }
        revoke(StoreCheck.Role.PURGE, table, privilege);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> purge(storage, acme, id, 3L))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("the purge role")
            .hasMessageContaining(privilege + " on " + table)
            .hasMessageContaining("wovyr migrate up");
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
            .as("what will not heal by itself is not waited for until the deadline")
            .isLessThan(Duration.ofSeconds(10));
        assertThat(storage.scan(acme.scope(), events, Samples.strong()).items()).hasSize(2);
        grant(StoreCheck.Role.PURGE, table, privilege);
      }
      purge(storage, acme, id, 3L);
      assertThat(storage.scan(acme.scope(), events, Samples.strong()).items()).isEmpty();
    }
  }

  static List<Arguments> ofAPurge() {
    return List.of(
        Arguments.of("workflow_event", "DELETE"),
        Arguments.of("workflow_event", "SELECT"),
        Arguments.of("feed_mark", "INSERT"),
        Arguments.of("feed_mark", "DELETE"),
        Arguments.of("wovyr_store", "UPDATE"));
  }

  private static void purge(Storage storage, Samples acme, UUID id, long to) {
    Purge purge = new Purge(acme.batch(), RecordTypes.EVENT, List.of(id), 1L, to, List.of());
    storage.purge(acme.scope(), purge, Samples.deadline());
  }

  @Test
  void aRowOfAnotherTenantIsRefusedByTheWallAndNotCalledAMissingRight() {
    try (Storage storage = open()) {
      Connections.Work<Integer> forged =
          connection -> {
            try (var statement = connection.createStatement()) {
              return statement.executeUpdate(
                  "INSERT INTO feed_cursor SELECT 'victim', 'x', gen_random_uuid(), 1, 1, 1, 'x',"
                      + " 1, 1, 1, null, 1, 'x'");
            }
          };
      assertThatThrownBy(
              () -> ((PostgresqlStorage) storage).inspect(StoreCheck.Role.RUNTIME, forged))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("row-level security")
          .hasMessageContaining("42501");
    }
  }
}
