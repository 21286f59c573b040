/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.jpa.entity.WorkflowExecutionEntity;
import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
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
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.envers.AuditReaderFactory;
import org.hibernate.envers.query.AuditEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The history of the lifecycle, which Envers writes in the commit's own transaction. */
class HistoryIT {
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

  private List<String> query(String sql) throws SQLException {
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

  private Row moved(Row execution, String status) {
    Row after = next(execution).with("status", status);
    acme.committed(new Mutation.Update(execution, after));
    return after;
  }

  @Test
  void everyChangeLeavesARevisionThatTellsWhoAndInWhichCommit() throws SQLException {
    UUID correlation = UUID.randomUUID();
    Row execution = acme.execution();
    UUID id = (UUID) execution.key().values().get(0);
    Batch creation =
        acme.batch(
            new Mutation.Insert(execution),
            new Mutation.Insert(acme.owned(id)),
            new Mutation.Insert(acme.event(id, 1).with("correlationId", correlation)));
    assertThat(storage.commit(creation, Samples.deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    Row running = moved(execution, "RUNNING");
    Row done = moved(running, "COMPLETED");
    acme.committed(new Mutation.Delete(done));

    assertThat(
            query(
                "SELECT a.revtype || ' ' || coalesce(a.status, '-') || ' ' || r.actor || ' '"
                    + " || a.tenant_id || r.tenant_id"
                    + " FROM execution_aud a JOIN revision r ON r.rev = a.rev"
                    + " WHERE a.id = '"
                    + id
                    + "' ORDER BY a.rev"))
        .containsExactly(
            "0 x tester acmeacme",
            "1 RUNNING tester acmeacme",
            "1 COMPLETED tester acmeacme",
            "2 - tester acmeacme");
    assertThat(
            query("SELECT correlation_id || ' ' || commit_id FROM revision ORDER BY rev LIMIT 1"))
        .containsExactly(correlation + " " + creation.commitId());
    assertThat(query("SELECT data_type FROM information_schema.columns WHERE column_name = 'rev'"))
        .containsOnly("bigint");
  }

  @Test
  void aRefusedChangeLeavesNone() throws SQLException {
    Row execution = acme.inserted(acme.execution());
    moved(execution, "RUNNING");
    assertThat(acme.commit(new Mutation.Update(execution, next(execution))))
        .isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(acme.commit(new Mutation.Insert(execution)))
        .isInstanceOf(CommitOutcome.Conflict.class);
    Row late = acme.execution();
    UUID id = (UUID) late.key().values().get(0);
    acme.committed(new Mutation.Insert(acme.event(id, 1)));
    assertThat(acme.commit(new Mutation.Insert(late), new Mutation.Insert(acme.event(id, 1))))
        .as("the last trip fails, after the history was written")
        .isInstanceOf(CommitOutcome.Conflict.class);

    assertThat(query("SELECT count(*) FROM execution_aud")).containsExactly("2");
    assertThat(query("SELECT count(*) FROM revision")).containsExactly("2");
  }

  @Test
  @DisplayName("C076: history is read by its own tenant only, though Envers asks for no tenant")
  void historyIsReadByItsOwnTenantOnly() throws SQLException {
    acme.inserted(acme.execution().with("workflowId", "of acme"));
    Samples attacker = Samples.of(storage, "attacker");
    attacker.inserted(attacker.execution().with("workflowId", "of attacker"));

    assertThat(workflowsInHistory("attacker")).containsExactly("of attacker");
    assertThat(workflowsInHistory("")).isEmpty();
    for (String table : List.of("execution_aud", "revision")) {
      database.run("ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY");
    }
    assertThat(workflowsInHistory("attacker"))
        .as("without the wall Envers shows the other tenant's, too")
        .containsExactlyInAnyOrder("of acme", "of attacker");
  }

  /** The workflows of all revisions that Envers finds in a session of the runtime role. */
  private List<String> workflowsInHistory(String tenant) throws SQLException {
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
        List<?> found =
            AuditReaderFactory.get(session)
                .createQuery()
                .forRevisionsOfEntity(WorkflowExecutionEntity.class, true, true)
                .addProjection(AuditEntity.property("workflowId"))
                .getResultList();
        return found.stream().map(String::valueOf).toList();
      } finally {
        connection.rollback();
      }
    }
  }

  @Test
  @DisplayName("C100: history is append-only")
  void historyIsAppendOnly() throws SQLException {
    acme.inserted(acme.execution());
    for (String table : List.of("execution_aud", "revision")) {
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
