/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.jpa.HistoryContract;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.envers.AuditReaderFactory;
import org.hibernate.envers.query.AuditEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryIT extends HistoryContract {
  private PostgresServer.Database database;
  private Storage storage;
  private Samples acme;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    storage = new PostgresqlStorageProvider().open(database.settings());
    acme = Samples.of(storage, "acme");
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  @Override
  protected List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.admin();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  @Override
  protected Storage storage() {
    return storage;
  }

  @Override
  protected String idText(String column) {
    return column + "::text";
  }

  @Override
  protected List<String> columns(String table) throws SQLException {
    return query(
        "SELECT column_name FROM information_schema.columns WHERE table_name = '" + table + "'");
  }

  @Override
  protected String hexText(String column) {
    return "encode(" + column + ", 'hex')";
  }

  @Override
  protected <T> T inSession(String tenant, Function<Session, T> work) throws SQLException {
    try (SessionFactories factories = PostgresqlStorageProvider.hibernate();
        Connection connection = database.as("runtime")) {
      SessionFactory factory = factories.get(Deadline.after(Duration.ofSeconds(30)));
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT set_config('wovyr.tenant', '" + tenant + "', true)");
      }
      try (Session session =
          factory
              .withOptions()
              .connection(connection)
              .tenantIdentifier((Object) (tenant.isEmpty() ? "nobody" : tenant))
              .openSession()) {
        return work.apply(session);
      } finally {
        connection.rollback();
      }
    }
  }

  @Override
  protected Row execution(String tenant) {
    return Samples.of(storage, tenant).execution();
  }

  @Override
  protected Row row(String tenant, RecordType type, Object... key) {
    return Samples.of(storage, tenant).row(type, key);
  }

  @Override
  protected Row event(String tenant, UUID execution, long sequence) {
    return Samples.of(storage, tenant).event(execution, sequence);
  }

  @Test
  void revisionsHave64Bits() throws SQLException {
    assertThat(query("SELECT data_type FROM information_schema.columns WHERE column_name = 'rev'"))
        .containsOnly("bigint");
  }

  static List<RecordType> audited() {
    return RecordTypes.all().stream().filter(Tables::audited).toList();
  }

  @ParameterizedTest
  @MethodSource("audited")
  @DisplayName("C076: history is read by its own tenant only, though Envers asks for no tenant")
  void historyIsReadByItsOwnTenantOnly(RecordType type) throws SQLException {
    for (String tenant : List.of("acme", "attacker")) {
      Samples samples = Samples.of(storage, tenant);
      Row row = samples.any(type);
      RecordHeader header = row.header();
      samples.committed(
          new Mutation.Insert(
              row.with(
                  new RecordHeader(
                      header.id(),
                      tenant,
                      1,
                      header.createdAt(),
                      header.updatedAt(),
                      "of " + tenant,
                      1,
                      1,
                      1,
                      header.extra()))));
    }

    assertThat(writersInHistory(type, "attacker")).containsExactly("of attacker");
    assertThat(writersInHistory(type, "")).isEmpty();
    for (String table : List.of(Entities.historyTable(type), "revision")) {
      database.run("ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY");
    }
    assertThat(writersInHistory(type, "attacker"))
        .as("without the wall Envers shows the other tenant's, too")
        .containsExactlyInAnyOrder("of acme", "of attacker");
  }

  /** Who wrote what Envers finds in the history, in a session of the runtime role. */
  private List<String> writersInHistory(RecordType type, String tenant) throws SQLException {
    return inSession(
        tenant,
        session -> {
          List<?> found =
              AuditReaderFactory.get(session)
                  .createQuery()
                  .forRevisionsOfEntity(Entities.of(type).entityClass(), true, true)
                  .addProjection(AuditEntity.property("updatedBy"))
                  .getResultList();
          return found.stream().map(String::valueOf).toList();
        });
  }

  @Test
  @DisplayName("C100: history is append-only")
  void historyIsAppendOnly() throws SQLException {
    List<String> tables = new ArrayList<>(List.of("revision"));
    for (RecordType type : audited()) {
      acme.inserted(acme.any(type));
      tables.add(Entities.historyTable(type));
    }
    for (String table : tables) {
      for (String change :
          List.of(
              "UPDATE " + table + " SET rev = rev + 1",
              "DELETE FROM " + table,
              "TRUNCATE " + table)) {
        for (String role : List.of("runtime", "system", "purge", "owner")) {
          try (Connection connection = database.as(role);
              Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT set_config('wovyr.tenant', 'acme', true)");
            assertThatThrownBy(() -> statement.execute(change))
                .as(role + ": " + change)
                .isInstanceOf(SQLException.class);
            connection.rollback();
          }
        }
        assertThatThrownBy(() -> database.run(change)).hasMessageContaining("append-only");
      }
    }
  }
}
