/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Databases of a server, made for this run and dropped after it, with roles of their own: the
 * columns connect as the plain runtime role, which owns nothing and is bound by the policies.
 */
final class PostgresqlStore implements Store {
  /** In the JNDI of a container. */
  static final String RUNTIME_NAME = "jdbc/bench";

  private static final String SYSTEM_NAME = "jdbc/bench-system";
  private static final int WARM_STEPS = 20;

  private final PostgresqlServer server;
  private final int connections;
  private final String prefix = "wovyr_bench_" + ProcessHandle.current().pid();
  private final String password = UUID.randomUUID().toString();
  private final List<String> databases = new ArrayList<>();

  PostgresqlStore(PostgresqlServer server, int connections) throws SQLException {
    this.server = server;
    this.connections = connections;
    String login = " LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE PASSWORD '" + password + "'";
    server.run(
        null,
        "CREATE ROLE " + prefix + "_runtime NOLOGIN",
        "CREATE ROLE " + prefix + "_system NOLOGIN",
        "CREATE ROLE " + prefix + "_purge NOLOGIN",
        "CREATE ROLE " + runtime() + login,
        "CREATE ROLE " + observer() + login,
        "CREATE ROLE " + owner() + login,
        "GRANT " + prefix + "_runtime TO " + runtime(),
        "GRANT " + prefix + "_system TO " + observer());
  }

  private String runtime() {
    return prefix + "_worker";
  }

  private String observer() {
    return prefix + "_observer";
  }

  private String owner() {
    return prefix + "_owner";
  }

  @Override
  public String describe() {
    try {
      return server.version();
    } catch (SQLException e) {
      return "postgresql";
    }
  }

  @Override
  public PostgresqlGround newGround() throws SQLException {
    return ground(newDatabase(), null);
  }

  /**
   * A store behind DataSources of a container, beside tables of an application's own.
   *
   * @param tables statements that make them; the runtime role may insert
   */
  PostgresqlGround newGround(Container container, String... tables) throws SQLException {
    String database = newDatabase();
    server.run(database, tables);
    server.run(database, "GRANT INSERT ON ALL TABLES IN SCHEMA public TO " + runtime());
    String url = server.url(database, null);
    container.dataSource(RUNTIME_NAME, url, runtime(), password, connections);
    container.dataSource(SYSTEM_NAME, url, observer(), password, 2);
    return new PostgresqlGround(
        server,
        database,
        Map.of("datasource", RUNTIME_NAME, "system-datasource", SYSTEM_NAME, "role-prefix", prefix),
        new PostgresqlStorageProvider(container.transactions()));
  }

  private synchronized String newDatabase() throws SQLException {
    String database = prefix + "_" + (databases.size() + 1);
    server.run(
        null,
        "CREATE DATABASE "
            + database
            + " OWNER "
            + owner()
            + " ENCODING 'UTF8' TEMPLATE template0");
    databases.add(database);
    Objects.requireNonNull(new PostgresqlStorageProvider().migrator())
        .migrate(
            Map.of(
                "url",
                server.url(database, null),
                "user",
                owner(),
                "password",
                password,
                "role-prefix",
                prefix),
            step -> {});
    return database;
  }

  private PostgresqlGround ground(String database, @Nullable CountingWire wire) {
    Map<String, String> settings = new HashMap<>();
    settings.put("url", server.url(database, wire));
    settings.put("user", runtime());
    settings.put("password", password);
    settings.put("system-user", observer());
    settings.put("system-password", password);
    settings.put("role-prefix", prefix);
    settings.put("connections", String.valueOf(connections));
    return new PostgresqlGround(server, database, settings, new PostgresqlStorageProvider());
  }

  @Override
  public Usage usage() throws SQLException {
    Map.Entry<Double, Double> position = server.position();
    return new Usage(
        position.getKey(), position.getValue(), server.cpuNanos(), Processes.ownCpuNanos());
  }

  @Override
  public WireCount count(Ground ground, Ground.Way way, int steps) throws Exception {
    String database = ((PostgresqlGround) ground).database();
    try (CountingWire wire = new CountingWire(new InetSocketAddress(server.host(), server.port()));
        Ground view = ground(database, wire);
        Column column = view.column(way)) {
      Ground.Held held = view.create();
      Column.Execution execution = column.execution(held.id(), held.lease());
      for (int i = 0; i < WARM_STEPS; i++) {
        execution.step();
      }
      WireCount before = wire.total();
      for (int i = 0; i < steps; i++) {
        execution.step();
      }
      WireCount after = wire.total();
      return new WireCount(
          (after.trips() - before.trips()) / steps,
          (after.statements() - before.statements()) / steps,
          (after.bytes() - before.bytes()) / steps);
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    try {
      for (String database : databases) {
        server.run(null, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
      }
      for (String role :
          List.of("_worker", "_observer", "_owner", "_runtime", "_system", "_purge")) {
        server.run(null, "DROP ROLE IF EXISTS " + prefix + role);
      }
    } finally {
      server.close();
    }
  }
}
