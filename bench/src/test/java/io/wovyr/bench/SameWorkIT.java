/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ratio means something only if both sides did the same: whatever the way, the same rows. */
class SameWorkIT {
  private static final int STEPS = 5;

  private static final Set<String> TIMES =
      Set.of("created_at", "updated_at", "at_millis", "started_at");

  abstract static class OnAnyStore {
    @TempDir Path directory;

    abstract Store open(Path directory) throws Exception;

    private interface Check {
      void of(Store store) throws Exception;
    }

    private void on(Check check) throws Exception {
      try (Store store = open(directory)) {
        check.of(store);
      }
    }

    @Test
    void stepsLeaveTheSameRows() throws Exception {
      on(
          store -> {
            Map<Ground.Way, Map<String, List<String>>> left = new EnumMap<>(Ground.Way.class);
            for (Ground.Way way : Ground.Way.values()) {
              left.put(
                  way,
                  rows(
                      store,
                      way,
                      execution -> {
                        for (int i = 0; i < STEPS; i++) {
                          execution.step();
                        }
                      }));
            }
            Map<String, List<String>> floor = left.get(Ground.Way.FLOOR);
            assertThat(floor.get("workflow_event")).hasSize(STEPS + 2);
            assertThat(left.get(Ground.Way.STORAGE)).isEqualTo(floor);
            assertThat(left.get(Ground.Way.REPOSITORIES)).isEqualTo(floor);
          });
    }

    @Test
    void transactionsLeaveTheSameHeadLifecycleAndHistory() throws Exception {
      on(
          store -> {
            Map<Ground.Way, Map<String, List<String>>> left = new EnumMap<>(Ground.Way.class);
            for (Ground.Way way : Ground.Way.values()) {
              Map<String, List<String>> rows =
                  rows(
                      store,
                      way,
                      execution -> {
                        execution.transaction();
                        execution.transaction();
                        execution.transaction();
                      });
              // The event of the lifecycle is the layer's own; by hand it is one more of ours.
              assertThat(rows.remove("workflow_event")).hasSize(3 * 3 + 2);
              left.put(way, rows);
            }
            Map<String, List<String>> floor = left.get(Ground.Way.FLOOR);
            assertThat(floor.get("execution_aud")).hasSize(5);
            assertThat(left.get(Ground.Way.STORAGE)).isEqualTo(floor);
            assertThat(left.get(Ground.Way.REPOSITORIES)).isEqualTo(floor);
          });
    }

    @Test
    void everyWayLoadsAllEventsAndFindsTheRecord() throws Exception {
      on(
          store -> {
            for (Ground.Way way : Ground.Way.values()) {
              try (Ground ground = store.newGround();
                  Column column = ground.column(way)) {
                Ground.Held held = ground.create();
                Column.Execution execution = column.execution(held.id(), held.lease());
                execution.step();
                assertThat(execution.load()).as(column.name()).isEqualTo(3);
                assertThat(column.find(held.id())).as(column.name()).isTrue();
                List<UUID> copies = ground.copies(Copy.EXECUTION, held.id(), 10);
                assertThat(column.find(copies.get(9))).as(column.name()).isTrue();
                Column.Execution copy =
                    column.execution(copies.get(0), ground.lease(copies.get(0)));
                copy.step();
                copy.transaction();
              }
            }
          });
    }

    private interface Work {
      void on(Column.Execution execution) throws Exception;
    }

    private static Map<String, List<String>> rows(Store store, Ground.Way way, Work work)
        throws Exception {
      try (Ground ground = store.newGround();
          Column column = ground.column(way)) {
        Ground.Held held = ground.create();
        work.on(column.execution(held.id(), held.lease()));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        try (Connection connection = ground.administrator()) {
          rows.put("execution_head", rows(connection, held.id(), "execution_head", "execution_id"));
          rows.put(
              "workflow_event",
              rows(connection, held.id(), "workflow_event", "execution_id, sequence"));
          rows.put("execution", rows(connection, held.id(), "execution", "id"));
          rows.put("execution_aud", rows(connection, held.id(), "execution_aud", "id, rev"));
          rows.put("revision", rows(connection, held.id(), "revision", "rev"));
        }
        return rows;
      }
    }

    static List<String> rows(Connection connection, UUID id, String table, String order)
        throws SQLException {
      List<String> rows = new ArrayList<>();
      try (PreparedStatement statement =
              connection.prepareStatement("SELECT * FROM " + table + " ORDER BY " + order);
          ResultSet row = statement.executeQuery()) {
        ResultSetMetaData columns = row.getMetaData();
        while (row.next()) {
          StringBuilder text = new StringBuilder();
          for (int i = 1; i <= columns.getColumnCount(); i++) {
            String name = columns.getColumnName(i);
            text.append(name).append('=').append(plain(name, row.getObject(i), id)).append(' ');
          }
          rows.add(text.toString());
        }
      }
      return rows;
    }

    /** What must be the same; ids, times and places in the feed only have to be there. */
    private static String plain(String column, @Nullable Object value, UUID id) {
      if (value == null) {
        return "null";
      }
      if (TIMES.contains(column) || column.equals("lease_expires_at")) {
        return "time";
      }
      if (column.equals("due_at")) {
        return ((Number) value).longValue() % Step.TTL_MICROS == 0 ? "bucket" : "time";
      }
      if (column.contains("feed_key") || column.equals("rev")) {
        return "number";
      }
      if (column.endsWith("workflow_id")) {
        return "text";
      }
      UUID uuid = uuid(value);
      if (uuid != null) {
        return uuid.equals(id) ? "own" : "id";
      }
      return value instanceof byte[] bytes ? bytes.length + " bytes" : value.toString();
    }

    private static @Nullable UUID uuid(Object value) {
      if (value instanceof byte[] bytes && bytes.length == 16) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
      }
      return value instanceof UUID uuid ? uuid : null;
    }
  }

  @Nested
  class OnSqlite extends OnAnyStore {
    @Override
    Store open(Path directory) {
      return new SqliteStore(directory);
    }
  }

  @Nested
  class OnPostgresql extends OnAnyStore {
    @Override
    Store open(Path directory) throws SQLException {
      return new PostgresqlStore(PostgresqlServer.start(directory, 100), 8);
    }

    @Test
    void enlistedStepsLeaveTheSameRowsAsTheSameByHandInTheSameTransaction() throws Exception {
      PostgresqlServer server = PostgresqlServer.start(directory, 100);
      try (PostgresqlStore store = new PostgresqlStore(server, 8);
          EnlistGround ground = EnlistGround.of(store, directory.resolve("transactions"))) {
        Map<EnlistGround.Way, Map<String, List<String>>> left =
            new EnumMap<>(EnlistGround.Way.class);
        for (EnlistGround.Way way : EnlistGround.Way.values()) {
          Ground.Held held = ground.ground().create();
          Session.Work work = ground.work(way, held);
          for (int i = 0; i < STEPS; i++) {
            work.run();
          }
          try (Connection connection = ground.ground().administrator()) {
            left.put(
                way,
                Map.of(
                    "head", of(connection, held, "execution_head", "execution_id"),
                    "events", of(connection, held, "workflow_event", "sequence"),
                    "orders", of(connection, held, "bench_order", "id")));
          }
        }
        Map<String, List<String>> floor = left.get(EnlistGround.Way.FLOOR);
        assertThat(floor.get("events")).hasSize(STEPS + 2);
        assertThat(floor.get("orders")).hasSize(STEPS);
        assertThat(left.get(EnlistGround.Way.ENLISTED)).isEqualTo(floor);
      }
    }

    private static List<String> of(
        Connection connection, Ground.Held held, String table, String order) throws SQLException {
      return rows(
          connection, held.id(), table + " WHERE execution_id = '" + held.id() + "'", order);
    }

    @Test
    void everyWayTakesOneRoundTripForAStep() throws Exception {
      try (Store store = open(directory)) {
        for (Ground.Way way : Ground.Way.values()) {
          try (Ground ground = store.newGround()) {
            WireCount count = store.count(ground, way, 20);
            assertThat(count.trips()).as(way.name()).isEqualTo(1);
            assertThat(count.statements()).as(way.name()).isEqualTo(2);
          }
        }
      }
    }
  }
}
