/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.conformance.StorageUnderTest;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A table of the application's own, in its own transactions. */
final class CallersTable implements StorageUnderTest.Jta {
  private final TransactionManager manager;
  private final PostgresServer.Database database;
  private final DataSource dataSource;

  CallersTable(TestContainer container, PostgresServer.Database database, String name) {
    this.manager = container.transactions();
    this.database = database;
    this.dataSource = container.bound(name);
    try {
      database.run(
          "CREATE TABLE IF NOT EXISTS callers_own (id uuid PRIMARY KEY)",
          "GRANT SELECT, INSERT ON callers_own TO wovyr_test_runtime");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void step(Step step) {
    try {
      step.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void begin() {
    step(manager::begin);
  }

  @Override
  public void commit() {
    step(manager::commit);
  }

  @Override
  public void rollback() {
    step(manager::rollback);
  }

  @Override
  public void setRollbackOnly() {
    step(manager::setRollbackOnly);
  }

  @Override
  public void write(UUID id) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO callers_own VALUES (?)")) {
      insert.setObject(1, id);
      insert.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean isWritten(UUID id) {
    try {
      return !database.query("SELECT id FROM callers_own WHERE id = '" + id + "'").isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
