/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.event;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static io.wovyr.persistence.jpa.sqlite.TestRows.strong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C100: what was written once is neither changed nor removed, but by a purge. */
class AppendOnlyTest {
  @TempDir Path directory;
  private SqliteStore store;
  private Storage storage;
  private final UUID execution = UUID.randomUUID();

  @BeforeEach
  void threeEvents() {
    store = SqliteStore.in(directory);
    storage = store.open();
    storage.commit(
        batch(
            insert(event(TENANT, execution, 1)),
            insert(event(TENANT, execution, 2)),
            insert(event(TENANT, execution, 3))),
        deadline());
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private List<Row> events() {
    return storage
        .scan(SCOPE, Scan.byKey(RecordTypes.EVENT, List.of(execution), 10), strong())
        .items();
  }

  /** A connection with the pragmas of the store's own. */
  private SqliteConnection ours() throws SQLException {
    return SqliteConnection.writer(
        SqliteSettings.of(store.settings()), SqliteConnection.Source.DRIVER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE workflow_event SET type = 'forged' WHERE sequence = 2",
        "UPDATE workflow_event SET feed_key = feed_key + 1000",
        "DELETE FROM workflow_event WHERE sequence = 2",
        "DELETE FROM workflow_event",
        "INSERT INTO workflow_event SELECT * FROM workflow_event WHERE sequence = 2"
            + " ON CONFLICT DO UPDATE SET type = 'forged'",
        "INSERT OR REPLACE INTO workflow_event SELECT * FROM workflow_event WHERE sequence = 2",
        "UPDATE OR REPLACE workflow_event SET sequence = 3 WHERE sequence = 2"
      })
  @DisplayName("C100: every statement that would change an event is refused, in a transaction too")
  void everyChangeOfAnEventIsRefused(String forgery) throws Exception {
    List<Row> before = events();
    try (SqliteConnection connection = ours();
        Statement statement = connection.jdbc().createStatement()) {
      connection.beginWrite();
      assertThatThrownBy(() -> statement.execute(forgery))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("append-only");
      connection.commit();
    }
    assertThat(events()).isEqualTo(before);
  }

  @Test
  @DisplayName("C100: a purge permit does not open the way for updates")
  void aPermitAllowsNoUpdate() throws Exception {
    try (SqliteConnection connection = ours();
        Statement statement = connection.jdbc().createStatement()) {
      connection.beginWrite();
      statement.execute("INSERT INTO purge_permit (id, ends) VALUES (1, 1)");
      assertThatThrownBy(() -> statement.execute("UPDATE workflow_event SET type = 'forged'"))
          .hasMessageContaining("append-only");
    }
  }

  @Test
  @DisplayName("C100: a purge permit cannot be left behind: its transaction does not commit")
  void aPermitCannotBeLeftBehind() throws Exception {
    List<Row> before = events();
    try (SqliteConnection connection = ours();
        Statement statement = connection.jdbc().createStatement()) {
      connection.beginWrite();
      statement.execute("INSERT INTO purge_permit (id, ends) VALUES (1, 1)");
      statement.execute("DELETE FROM workflow_event");
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.execute("INSERT INTO purge_permit_end (id) VALUES (1)"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(events()).isEqualTo(before);
  }

  @Test
  void aPermitWrittenByAToolThatChecksNothingIsReportedAtTheNextStart() throws Exception {
    store.run("PRAGMA foreign_keys = OFF", "INSERT INTO purge_permit (id, ends) VALUES (1, 1)");
    assertThatThrownBy(store::open)
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("purge permit");
  }

  @Test
  void aPurgeRemovesItsRangeAndClosesTheDoorBehindIt() throws Exception {
    PurgeOutcome outcome =
        storage.purge(
            SCOPE,
            new Purge(batch(), RecordTypes.EVENT, List.of(execution), 1L, 3L, List.of()),
            deadline());
    assertThat(outcome).isEqualTo(new PurgeOutcome.Purged(2));
    assertThat(events()).extracting(row -> row.key().values().get(1)).containsExactly(3L);
    try (Connection connection = store.foreign();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("DELETE FROM workflow_event"))
          .hasMessageContaining("append-only");
    }
  }

  @Test
  @DisplayName("C012: no second row at a sequence, whoever writes it")
  void aSecondRowAtASequenceIsImpossible() throws Exception {
    try (Connection connection = store.foreign();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(
              () ->
                  statement.execute(
                      "INSERT INTO workflow_event SELECT feed_key + 1000, tenant_id,"
                          + " execution_id, sequence, randomblob(16), version, created_at,"
                          + " updated_at, updated_by, schema_version, entity_version,"
                          + " serialization_version, extra, type, correlation_id, causation_id,"
                          + " dedupe_key, fencing_token, commit_id, payload, changes"
                          + " FROM workflow_event WHERE sequence = 3"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("UNIQUE");
    }
    assertThat(events()).hasSize(3);
  }
}
