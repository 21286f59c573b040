/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import java.sql.SQLException;

/** The table of {@link Card}, an application's own beside ours. */
final class CardTable {
  private CardTable() {}

  static void create(PostgresServer.Database database) throws SQLException {
    database.run(
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.card (id bigint PRIMARY KEY, number bytea, note text)",
        "GRANT USAGE ON SCHEMA shop TO wovyr_test_runtime",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON shop.card TO wovyr_test_runtime");
  }
}
