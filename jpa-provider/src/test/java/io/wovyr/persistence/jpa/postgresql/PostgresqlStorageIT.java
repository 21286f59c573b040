/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/** The conformance kit over PostgreSQL, as the plain runtime role. */
class PostgresqlStorageIT extends StorageContract {
  @Override
  protected StorageUnderTest storageUnderTest() {
    PostgresServer.Database database = PostgresServer.shared().newStore();
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "postgresql";
      }

      @Override
      public Storage open() {
        return new PostgresqlStorageProvider().open(database.settings());
      }

      @Override
      public Optional<OtherProcess> otherProcess() {
        return Optional.of(new OtherProcess(PostgresqlStorageProvider.class, database.settings()));
      }

      @Override
      public Optional<RowLock> lock(Scope scope, Key key) {
        return Optional.of(locked(database, scope, key));
      }

      @Override
      public void close() {
        database.close();
      }
    };
  }

  /** Another client locks the row. */
  private static StorageUnderTest.RowLock locked(
      PostgresServer.Database database, Scope scope, Key key) {
    try {
      Connection connection = database.admin();
      connection.setAutoCommit(false);
      String column = key.type().key().get(0).name().equals("id") ? "id" : "execution_id";
      try (PreparedStatement lock =
          connection.prepareStatement(
              "SELECT 1 FROM "
                  + key.type().name()
                  + " WHERE tenant_id = ? AND "
                  + column
                  + " = ? FOR UPDATE")) {
        lock.setString(1, scope.tenantId());
        lock.setObject(2, key.values().get(0));
        lock.execute();
      }
      return () -> {
        try {
          connection.rollback();
          connection.close();
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      };
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
