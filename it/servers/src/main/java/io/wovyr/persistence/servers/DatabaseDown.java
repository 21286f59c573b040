/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** As long as this is open, the store's database has no connections and accepts none. */
final class DatabaseDown implements AutoCloseable {
  private final String name;
  private final String elsewhere;

  private DatabaseDown(PostgresServer.Database database) {
    this.name = database.name();
    this.elsewhere = database.adminUrl().replace("/" + name, "/postgres");
  }

  static DatabaseDown now() throws SQLException {
    DatabaseDown down = new DatabaseDown(Surroundings.database());
    down.run("ALTER DATABASE " + down.name + " ALLOW_CONNECTIONS false");
    down.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
            + down.name
            + "'");
    return down;
  }

  private void run(String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(elsewhere);
        Statement sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }

  @Override
  public void close() throws SQLException {
    run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
  }
}
