/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A PostgreSQL server's clock that tests can set ahead: functions of the clock's names that come
 * first in the search path of one database.
 */
final class TestClock {
  private TestClock() {}

  static void install(PostgresServer.Database database) throws SQLException {
    database.run(
        "CREATE TABLE test_clock (ahead interval NOT NULL)",
        "INSERT INTO test_clock VALUES ('0')",
        "GRANT SELECT ON test_clock TO PUBLIC",
        "CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
            + " 'SELECT pg_catalog.clock_timestamp() + ahead FROM public.test_clock'",
        "CREATE FUNCTION statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS"
            + " 'SELECT pg_catalog.statement_timestamp() + ahead FROM public.test_clock'",
        "ALTER DATABASE " + database.name() + " SET search_path = public, pg_catalog");
  }

  static void set(PostgresServer.Database database, Duration ahead) {
    try {
      database.run(
          "UPDATE test_clock SET ahead = make_interval(secs => " + ahead.toMillis() / 1000.0 + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
