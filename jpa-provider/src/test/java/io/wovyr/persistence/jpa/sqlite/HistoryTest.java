/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.jpa.HistoryContract;
import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest extends HistoryContract {
  @TempDir Path directory;
  private SqliteStore store;
  private Storage storage;

  @BeforeEach
  void open() {
    store = SqliteStore.in(directory);
    storage = store.open();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Override
  protected Storage storage() {
    return storage;
  }

  @Override
  protected List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = store.foreign();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  @Override
  protected List<String> columns(String table) throws SQLException {
    return query("SELECT name FROM pragma_table_info('" + table + "')");
  }

  @Override
  protected String idText(String column) {
    String hex = "lower(hex(" + column + "))";
    return "substr(%1$s, 1, 8) || '-' || substr(%1$s, 9, 4) || '-' || substr(%1$s, 13, 4) || '-' ||"
            .formatted(hex)
        + " substr(%1$s, 17, 4) || '-' || substr(%1$s, 21)".formatted(hex);
  }

  @Override
  protected String hexText(String column) {
    return "lower(hex(" + column + "))";
  }

  @Override
  protected <T> T inSession(String tenant, Function<Session, T> work) throws SQLException {
    try (SessionFactories factories = SqliteStorageProvider.hibernate();
        Connection connection = store.foreign();
        Session session =
            factories
                .get(TestRows.deadline())
                .withOptions()
                .connection(connection)
                .tenantIdentifier((Object) tenant)
                .openSession()) {
      return work.apply(session);
    }
  }

  @Override
  protected Row execution(String tenant) {
    return TestRows.row(RecordTypes.EXECUTION, tenant, UUID.randomUUID());
  }

  @Override
  protected Row row(String tenant, RecordType type, Object... key) {
    return TestRows.row(type, tenant, key);
  }

  @Override
  protected Row event(String tenant, UUID execution, long sequence) {
    return TestRows.event(tenant, execution, sequence);
  }

  @Test
  @DisplayName("C100: history is append-only, for every tool")
  void historyIsAppendOnly() throws SQLException {
    storage.commit(TestRows.batch(TestRows.insert(execution("acme"))), TestRows.deadline());
    for (String table : List.of("execution_aud", "revision")) {
      for (String change :
          List.of(
              "UPDATE " + table + " SET tenant_id = 'attacker'",
              "DELETE FROM " + table,
              "INSERT INTO "
                  + table
                  + " SELECT * FROM "
                  + table
                  + " WHERE true ON CONFLICT DO UPDATE SET tenant_id = 'attacker'")) {
        assertThatThrownBy(() -> store.run(change))
            .as(change)
            .hasMessageContaining(table + " is append-only");
      }
      assertThatThrownBy(
              () ->
                  store.run(
                      "PRAGMA recursive_triggers = ON",
                      "INSERT OR REPLACE INTO " + table + " SELECT * FROM " + table))
          .hasMessageContaining(table + " is append-only");
      assertThat(query("SELECT tenant_id FROM " + table)).containsExactly("acme");
    }
  }

  @Test
  void batchesWrittenTogetherKeepHistoriesOfTheirOwn() throws SQLException {
    Row taken = execution("acme");
    Row other = execution("rival");
    Batch of = TestRows.batch(TestRows.insert(taken));
    Batch again = TestRows.batch(TestRows.insert(taken));
    Batch rival = TestRows.batch(Scope.tenant("rival"), TestRows.insert(other));
    List<CommitOutcome> outcomes = storage.commit(List.of(of, again, rival), TestRows.deadline());

    assertThat(outcomes.get(1)).isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(
            query(
                "SELECT a.tenant_id || ' ' || "
                    + idText("r.commit_id")
                    + " FROM execution_aud a JOIN revision r"
                    + " ON r.rev = a.rev AND r.tenant_id = a.tenant_id ORDER BY r.rev"))
        .containsExactly("acme " + of.commitId(), "rival " + rival.commitId());
    assertThat(query("SELECT rev FROM revision ORDER BY rev")).containsExactly("1", "2");
  }
}
