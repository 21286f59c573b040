/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * What an administrator of a PostgreSQL server does once: roles that may log in, a database, the
 * schema, and who is a member of which role ({@code docs/demo.md} has it for people).
 *
 * @param prefix begins the names of the logins
 * @param password of all of them; letters and digits
 */
record PostgresqlSetup(String prefix, String password) {
  private static final List<String> GROUPS = List.of("runtime", "system", "purge");

  /** The database and its schema as the migration role makes it, and the logins of the others. */
  void prepare(Connection administrator, String url, String database) throws SQLException {
    try (Statement statement = administrator.createStatement()) {
      for (String group : GROUPS) {
        ensureRole(administrator, "wovyr_" + group, "NOLOGIN");
        ensureRole(administrator, prefix + "_" + group, "LOGIN PASSWORD '" + password + "'");
        statement.execute("GRANT wovyr_" + group + " TO " + prefix + "_" + group);
      }
      ensureRole(administrator, prefix + "_owner", "LOGIN PASSWORD '" + password + "'");
      if (!exists(administrator, "SELECT 1 FROM pg_database WHERE datname = ?", database)) {
        statement.execute(
            "CREATE DATABASE %s OWNER %s_owner ENCODING 'UTF8' TEMPLATE template0"
                .formatted(database, prefix));
      }
    }
    new StoreSettings("postgresql", login(url, "owner"), StoreSettings.UNSEALED, "").migrate();
  }

  /** Settings of the runtime role, the system role beside it. */
  Map<String, String> settings(String url) {
    return Map.of(
        "url", url,
        "user", prefix + "_runtime",
        "password", password,
        "system-user", prefix + "_system",
        "system-password", password);
  }

  private Map<String, String> login(String url, String group) {
    return Map.of("url", url, "user", prefix + "_" + group, "password", password);
  }

  private static void ensureRole(Connection administrator, String role, String how)
      throws SQLException {
    if (exists(administrator, "SELECT 1 FROM pg_roles WHERE rolname = ?", role)) {
      return;
    }
    try (Statement statement = administrator.createStatement()) {
      statement.execute("CREATE ROLE " + role + " NOSUPERUSER NOBYPASSRLS NOCREATEROLE " + how);
    }
  }

  private static boolean exists(Connection administrator, String question, String name)
      throws SQLException {
    try (PreparedStatement statement = administrator.prepareStatement(question)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  @Override
  public String toString() {
    return prefix;
  }
}
