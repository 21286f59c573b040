/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.Config;

/** Looks into the store by SQL, through the DataSource of the runtime role, as a report does. */
final class StoreSql {
  private StoreSql() {}

  /** The first column of a query as the runtime role sees it, with this tenant's rows. */
  static List<String> asTenant(Config config, String tenant, String sql, Object... parameters)
      throws SQLException {
    try (Connection connection = dataSource(config).getConnection()) {
      connection.setAutoCommit(false);
      read(connection, "SELECT set_config('wovyr.tenant', ?, true)", tenant);
      List<String> rows = read(connection, sql, parameters);
      connection.rollback();
      connection.setAutoCommit(true);
      return rows;
    }
  }

  /** The one that the settings name. */
  @SuppressWarnings("BanJNDI") // The tests' own settings give the name.
  static DataSource dataSource(Config config) {
    try {
      return InitialContext.doLookup(config.getValue("wovyr.storage.datasource", String.class));
    } catch (NamingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> read(Connection connection, String sql, Object... parameters)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(row.getString(1));
        }
      }
    }
    return rows;
  }
}
