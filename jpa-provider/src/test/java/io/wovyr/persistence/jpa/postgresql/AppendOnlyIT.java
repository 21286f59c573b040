/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Events are never changed, and removed only by a purge. */
class AppendOnlyIT {
  private static final List<String> CHANGES =
      List.of(
          "UPDATE workflow_event SET type = 'forged'",
          "DELETE FROM workflow_event",
          "TRUNCATE workflow_event",
          "INSERT INTO workflow_event SELECT * FROM workflow_event"
              + " ON CONFLICT (tenant_id, execution_id, sequence) DO UPDATE SET type = 'forged'",
          "MERGE INTO workflow_event t USING (SELECT 1) s ON true"
              + " WHEN MATCHED THEN UPDATE SET type = 'forged'");

  private static PostgresServer.Database database;

  @BeforeAll
  static void open() {
    database = PostgresServer.shared().newStore();
    try (Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
      Samples acme = Samples.of(storage, "acme");
      acme.committed(new Mutation.Insert(acme.event(UUID.randomUUID(), 1)));
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static int run(Connection connection, String... statements) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT set_config('wovyr.tenant', 'acme', true)");
      int changed = 0;
      for (String text : statements) {
        changed = statement.executeUpdate(text);
      }
      return changed;
    } finally {
      connection.rollback();
    }
  }

  @Test
  @DisplayName("C100: no role changes or removes events")
  void noRoleChangesOrRemovesEvents() throws SQLException {
    for (String role : List.of("runtime", "system", "purge", "owner")) {
      for (String change : CHANGES) {
        try (Connection connection = database.as(role)) {
          assertThatThrownBy(() -> run(connection, change))
              .as(role + ": " + change)
              .isInstanceOf(SQLException.class);
        }
      }
    }
    try (Connection connection = database.admin()) {
      for (String change : CHANGES) {
        assertThatThrownBy(() -> run(connection, change))
            .as(change)
            .hasMessageContaining("append-only");
      }
    }
  }

  @Test
  @DisplayName(
      "C100: only the purge role removes them, with a permit that ends with its transaction")
  void onlyThePurgeRoleRemovesThem() throws SQLException {
    String permit = "SET LOCAL wovyr.purge = 'permitted'";
    String delete = "DELETE FROM workflow_event";
    try (Connection connection = database.as("purge")) {
      assertThat(run(connection, permit, delete)).isEqualTo(1);
      assertThatThrownBy(() -> run(connection, delete)).hasMessageContaining("append-only");
      assertThatThrownBy(() -> run(connection, permit, CHANGES.get(0)))
          .isInstanceOf(SQLException.class);
    }
    for (String role : List.of("runtime", "system")) {
      try (Connection connection = database.as(role)) {
        assertThatThrownBy(() -> run(connection, permit, delete))
            .as(role)
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void withoutTheTriggerTheOwnerCould() throws SQLException {
    database.run("ALTER TABLE workflow_event DISABLE TRIGGER workflow_event_append_only");
    try (Connection connection = database.as("owner")) {
      assertThat(run(connection, "DELETE FROM workflow_event")).isEqualTo(1);
    }
    database.run("ALTER TABLE workflow_event ENABLE TRIGGER workflow_event_append_only");
  }
}
