/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.payload.Payload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresqlSealingIT extends SealingContract {
  private PostgresServer.Database database;
  private String begin;

  @BeforeEach
  void migrate() throws SQLException {
    database = PostgresServer.shared().newStore();
    logEverythingOnTheServer();
    begin = "begin-" + UUID.randomUUID();
    parameter(begin);
  }

  @AfterEach
  void drop() {
    database.close();
  }

  /** The server logs every statement with its parameters, those of refused ones too. */
  private void logEverythingOnTheServer() throws SQLException {
    for (String setting :
        List.of(
            "log_statement = 'all'",
            "log_min_duration_statement = 0",
            "log_parameter_max_length = -1",
            "log_parameter_max_length_on_error = -1",
            "log_error_verbosity = 'verbose'")) {
      database.run("ALTER DATABASE " + database.name() + " SET " + setting);
    }
  }

  /** From the begin of the test on, to a mark that is in it as a parameter. */
  @Override
  List<String> serverLog() throws Exception {
    if (query("SELECT pg_current_logfile()").contains(null)) {
      System.out.println("NOT RUN: what the server logs is in no file of its own");
      return List.of();
    }
    String mark = "mark-" + UUID.randomUUID();
    parameter(mark);
    Instant end = Instant.now().plusSeconds(20);
    while (true) {
      List<String> log = query("SELECT pg_read_file(pg_current_logfile())");
      int last = log.get(0).indexOf("$1 = '" + mark);
      if (last >= 0) {
        return log.get(0).substring(log.get(0).indexOf(begin), last).lines().toList();
      }
      assertThat(Instant.now()).as("the mark is logged").isBefore(end);
    }
  }

  private void parameter(String text) throws SQLException {
    try (Connection connection = database.admin();
        PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
      statement.setString(1, text);
      statement.execute();
    }
  }

  @Override
  WovyrPersistence.Builder store() {
    return store(
        Map.of(
            "wovyr.sealing.keystore.path",
            keystore().toString(),
            "wovyr.sealing.keystore.create",
            "true"));
  }

  private Persistence open(Map<String, String> sealing) {
    return store(sealing).build();
  }

  private WovyrPersistence.Builder store(Map<String, String> sealing) {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder().provider(new PostgresqlStorageProvider()).settings(sealing);
    database.settings().forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    return builder;
  }

  private static Repositories work(Persistence persistence) {
    return persistence.as(Caller.of("acme", "somebody", Role.READER, Role.WRITER));
  }

  private static UUID create(Persistence persistence, Optional<Payload> input) {
    UUID id = UUID.randomUUID();
    NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
    work(persistence)
        .executions()
        .create(input.map(execution::withInput).orElse(execution))
        .orThrow();
    return id;
  }

  @Test
  void aServerStoreWhoseKeysNobodyNamedIsLookedAtAndNothingSensitiveIsWritten() throws Exception {
    Optional<Payload> input = Optional.of(Payload.text("of a person"));
    UUID sealed;
    try (Persistence persistence = open()) {
      sealed = create(persistence, input);
    }
    try (Persistence persistence = open(Map.of())) {
      assertThat(
              work(persistence)
                  .executions()
                  .find(ExecutionQuery.all(), 10, Optional.empty())
                  .items())
          .hasSize(1);
      WorkflowExecution found = work(persistence).executions().find(sealed).orElseThrow();
      assertThatThrownBy(() -> work(persistence).executions().input(found))
          .isInstanceOf(UnknownKey.class)
          .hasMessageContainingAll(sealed.toString(), "wovyr.sealing.keystore.path");
      for (Optional<Payload> value : List.of(input, Optional.<Payload>empty())) {
        assertThatThrownBy(() -> create(persistence, value))
            .as("even without input it would be written who did it")
            .isInstanceOf(InvalidInput.class)
            .hasMessageContainingAll(
                "wovyr.sealing.keystore.path",
                "wovyr keys create",
                "wovyr.sealing.provider to none");
      }
    }
    assertThat(query("SELECT id::text FROM execution")).containsExactly(sealed.toString());
    try (Persistence persistence = open(Map.of("wovyr.sealing.provider", "none"))) {
      create(persistence, input);
    }
    assertThat(query("SELECT count(*)::text FROM execution")).containsExactly("2");
    assertThat(query("SELECT actor FROM revision ORDER BY rev")).containsExactly("", "somebody");
  }

  @Override
  Path keystore() {
    return directory.resolve("keys.p12");
  }

  @Override
  List<String> query(String sql) throws SQLException {
    return database.query(sql);
  }

  /** Every row of every table; bytes show as hexadecimal digits. */
  @Override
  List<String> everythingStored() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.admin();
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT relname FROM pg_class WHERE relkind = 'r'"
                  + " AND relnamespace = 'public'::regnamespace")) {
        while (row.next()) {
          tables.add(row.getString(1));
        }
      }
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery("SELECT t::text FROM " + table + " t")) {
          while (row.next()) {
            rows.add(row.getString(1));
          }
        }
      }
    }
    return rows;
  }
}
