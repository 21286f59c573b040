/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresqlMovedValuesIT extends MovedValuesContract {
  private PostgresServer.Database database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Override
  Persistence open() {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.sealing.keystore.path", directory.resolve("keys.p12").toString())
            .setting("wovyr.sealing.keystore.create", "true");
    database.settings().forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    return builder.build();
  }

  @Override
  Storage raw() {
    return new PostgresqlStorageProvider().open(database.settings());
  }

  @Override
  Connection sql() throws SQLException {
    Connection connection = database.admin();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET session_replication_role = replica");
    }
    return connection;
  }

  @Override
  Object bound(Object keyValue) {
    return keyValue;
  }
}
