/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every new connection before it is used: that the server is a primary that keeps what it
 * acknowledges, that the store is of a version we know, that the walls stand, that the role cannot
 * climb them and may do all it has to. A server we meet on a new timeline begins a new epoch here.
 * Thread-safe.
 */
final class StoreCheck implements ServerSource.Look {
  /** Version of the schema this code reads and writes. */
  static final int SCHEMA_VERSION = 7;

  /** Version of what rows mean beside their schema. */
  static final int FORMAT_VERSION = 1;

  /** Every table with rows of tenants. */
  static final List<String> WALLED =
      Stream.concat(
              new Tables(new PostgresqlValues()).names().stream(),
              Stream.of("feed_mark", "revision"))
          .toList();

  /** Every table whose rows never change. */
  static final List<String> APPEND_ONLY = appendOnly();

  private static List<String> appendOnly() {
    List<String> names = new ArrayList<>(List.of("revision"));
    for (RecordType type : RecordTypes.all()) {
      if (type.mutability() == RecordType.Mutability.APPEND_ONLY) {
        names.add(type.name());
      }
      if (Tables.audited(type)) {
        names.add(Entities.historyTable(type));
      }
    }
    return List.copyOf(names);
  }

  private static final String SERVER =
      "SELECT pg_is_in_recovery(), current_setting('synchronous_commit'),"
          + " current_setting('server_encoding'), to_regclass('wovyr_store') IS NOT NULL,"
          + " current_setting('server_version_num')::int";

  private static final String STORE =
      "SELECT store_id, schema_version, format_version FROM wovyr_store WHERE id = 1";

  private static final String EPOCH = "SELECT wovyr_epoch()";

  /** Roles this one is or can become that no wall binds, or that may look over or remove them. */
  private static final String CLIMBS =
      "SELECT r.rolname, r.rolsuper, r.rolbypassrls,"
          + " EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid"
          + "   AND c.oid = 'wovyr_store'::regclass),"
          + " r.rolname = ?"
          + " FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')"
          + " OR pg_has_role(session_user, r.oid, 'MEMBER')"
          + " ORDER BY r.rolname <> current_user, r.rolname";

  private static final String WALLS =
      "SELECT t.name, c.relrowsecurity AND c.relforcerowsecurity,"
          + " (SELECT count(*) FROM pg_policy p"
          + "   WHERE p.polrelid = c.oid AND p.polname = 'wovyr_tenant'"
          + "   AND pg_get_expr(p.polqual, p.polrelid)"
          + "     LIKE '%tenant_id = current_setting(%wovyr.tenant%'"
          + "   AND pg_get_expr(p.polwithcheck, p.polrelid)"
          + "     LIKE '%tenant_id = current_setting(%wovyr.tenant%'),"
          + " (SELECT count(*) FROM pg_policy p"
          + "   WHERE p.polrelid = c.oid AND p.polpermissive"
          + "   AND p.polname NOT IN ('wovyr_tenant', 'wovyr_system', 'wovyr_purge'))"
          + " FROM unnest(?) AS t(name)"
          + " LEFT JOIN pg_class c ON c.oid = to_regclass(t.name)";

  private static final String GUARDS =
      "SELECT t.name, EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = t.name::regclass"
          + "   AND g.tgname = t.name || '_append_only' AND g.tgenabled IN ('O', 'A')),"
          + " has_table_privilege(t.name, 'UPDATE'),"
          + " has_table_privilege(t.name, 'DELETE'),"
          + " has_table_privilege(t.name, 'TRUNCATE')"
          + " FROM unnest(?) AS t(name)";

  /** Policies are for the role that holds the rights: rights given elsewhere see nothing. */
  private static final String MEMBER =
      "SELECT session_user, coalesce((SELECT pg_has_role(r.oid, 'USAGE') FROM pg_roles r"
          + " WHERE r.rolname = ?), false)";

  private final Role role;
  private final String place;
  private final String ownRole;
  private final String systemRole;
  private final Rights rights;
  private final Consumer<StoreIdentity> found;

  /** What the connection is for. */
  enum Role {
    RUNTIME,
    SYSTEM,
    PURGE;

    /** As people call it. */
    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param found told the store's identity at every connect
   */
  StoreCheck(Role role, String place, String rolePrefix, Consumer<StoreIdentity> found) {
    this.role = role;
    this.place = place;
    this.ownRole = rolePrefix + "_" + role.title();
    this.systemRole = rolePrefix + "_system";
    this.rights = new Rights(role, place);
    this.found = found;
  }

  @Override
  public void at(Connection connection) throws SQLException {
    StoreIdentity identity = look(connection);
    long epoch;
    try (PreparedStatement statement = connection.prepareStatement(EPOCH);
        ResultSet row = statement.executeQuery()) {
      row.next();
      epoch = row.getLong(1);
    }
    found.accept(new StoreIdentity(identity.storeId(), epoch, identity.schemaVersion()));
  }

  @Override
  public void within(Connection connection) throws SQLException {
    look(connection);
  }

  private StoreIdentity look(Connection connection) throws SQLException {
    checkServer(connection);
    StoreIdentity identity = store(connection);
    checkRole(connection);
    checkMember(connection);
    checkWalls(connection);
    checkKept(connection);
    Optional<Unavailable> lacking = rights.lacking(connection);
    if (lacking.isPresent()) {
      throw lacking.get();
    }
    return identity;
  }

  private void checkServer(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SERVER);
        ResultSet row = statement.executeQuery()) {
      row.next();
      if (row.getBoolean(1)) {
        throw new Unavailable(
            "the PostgreSQL server "
                + place
                + " is a standby: name the primary, or all servers of"
                + " the cluster, in wovyr.storage.url",
            null);
      }
      if (row.getString(2).equals("off")) {
        throw Unavailable.lasting(
            "the PostgreSQL server "
                + place
                + " has synchronous_commit = off for this login, so it"
                + " may lose what it acknowledged: set it on",
            null);
      }
      if (!row.getString(3).equals("UTF8")) {
        throw Unavailable.lasting(
            "the database " + place + " has the encoding " + row.getString(3) + ": it must be UTF8",
            null);
      }
      if (!row.getBoolean(4)) {
        throw notMigrated(place);
      }
    }
  }

  static Unavailable notMigrated(String place) {
    return Unavailable.lasting(
        "the PostgreSQL store "
            + place
            + " is not there, not up to date, or not granted to this"
            + " role: run "
            + Access.migrateAt(place)
            + " under the migration role, and make the login a member"
            + " of its role",
        null);
  }

  private StoreIdentity store(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STORE);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw notMigrated(place);
      }
      checkVersion(place, row.getInt(2), row.getInt(3));
      if (row.getInt(2) < SCHEMA_VERSION) {
        throw notMigrated(place);
      }
      return new StoreIdentity(row.getObject(1, UUID.class), 0, row.getInt(2));
    }
  }

  /**
   * @throws UnsupportedVersion when the store is newer than this code
   * @throws Corrupt when no version ever made such a store
   */
  static void checkVersion(String place, int schemaVersion, int formatVersion) {
    // A first migration that did not come to its end has left the schema at 0.
    if (schemaVersion < 0 || formatVersion < (schemaVersion == 0 ? 0 : 1)) {
      throw new Corrupt(
          "the PostgreSQL store %s says that it is of schema %d and format %d, which were never written: restore a backup"
              .formatted(place, schemaVersion, formatVersion),
          null);
    }
    if (schemaVersion > SCHEMA_VERSION || formatVersion > FORMAT_VERSION) {
      throw new UnsupportedVersion(
          "the PostgreSQL store %s is of a newer version (schema %d, format %d) than this program"
                  .formatted(place, schemaVersion, formatVersion)
              + " (schema %d, format %d): use the newer program"
                  .formatted(SCHEMA_VERSION, FORMAT_VERSION));
    }
  }

  private void checkRole(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLIMBS)) {
      statement.setString(1, systemRole);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          @Nullable String what = refused(row);
          if (what != null) {
            throw new InvalidInput(
                "the login of the %s role at %s is or can become %s, %s: use a login that is a member of its own role only"
                    .formatted(role.title(), place, row.getString(1), what));
          }
        }
      }
    }
  }

  private void checkMember(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MEMBER)) {
      statement.setString(1, ownRole);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (!row.getBoolean(2)) {
          throw Unavailable.lasting(
              "the login %s of the %s role at %s is no member of %s, which has the rights: run \"GRANT %s TO %s\" as an administrator"
                  .formatted(
                      row.getString(1), role.title(), place, ownRole, ownRole, row.getString(1)),
              null);
        }
      }
    }
  }

  private @Nullable String refused(ResultSet row) throws SQLException {
    if (row.getBoolean(2)) {
      return "a superuser, whom no row-level security binds";
    }
    if (row.getBoolean(3)) {
      return "a role with BYPASSRLS";
    }
    if (row.getBoolean(4)) {
      return "the owner of the tables, who could take the walls away";
    }
    return row.getBoolean(5) && role != Role.SYSTEM ? "which sees the rows of all tenants" : null;
  }

  private void checkWalls(Connection connection) throws SQLException {
    List<String> broken = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(WALLS)) {
      statement.setArray(1, connection.createArrayOf("text", WALLED.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (!row.getBoolean(2) || row.getLong(3) != 1 || row.getLong(4) != 0) {
            broken.add(row.getString(1));
          }
        }
      }
    }
    if (!broken.isEmpty()) {
      throw Unavailable.lasting(
          "the walls between tenants are down at "
              + place
              + ": row-level security of "
              + broken
              + " is missing, not forced, or has policies of others; restore it before going on",
          null);
    }
  }

  private void checkKept(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(GUARDS)) {
      statement.setArray(1, connection.createArrayOf("text", WALLED.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          checkKept(row);
        }
      }
    }
  }

  private void checkKept(ResultSet row) throws SQLException {
    String table = row.getString(1);
    boolean appendOnly = APPEND_ONLY.contains(table);
    if (appendOnly && !row.getBoolean(2)) {
      throw Unavailable.lasting(
          "the trigger that keeps %s append-only is gone at %s: restore it".formatted(table, place),
          null);
    }
    boolean mayChange = appendOnly && row.getBoolean(3);
    boolean mayRemove = (row.getBoolean(4) && !Rights.removes(role, table)) || row.getBoolean(5);
    if (mayChange || mayRemove) {
      throw new InvalidInput(
          "the login of the %s role at %s may change or remove rows of %s, which it must not: revoke that; %s under the migration role revokes what earlier versions granted"
              .formatted(role.title(), place, table, Access.migrateAt(place)));
    }
  }
}
