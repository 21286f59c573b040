/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.jpa.postgresql.TestCertificate;
import io.wovyr.persistence.jpa.postgresql.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PostgreSQL server with TLS and a migrated store, which nodes reach as their page says of a
 * server that is not on their machine; beside it a table of the application's own.
 */
final class StoreCluster implements AutoCloseable {
  private static final String HOST = "localhost";

  /** What the page says of TLS. */
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://db\\.example\\.com:5432/orders(\\?[^`\"\\s]+)[`\"]");

  private final TestCluster cluster;
  private final Path directory;

  private StoreCluster(TestCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
  }

  static StoreCluster start(Path directory) throws Exception {
    Path authority = TestCertificate.make(directory, "ca", HOST);
    TestCluster cluster =
        TestCluster.start(
            directory.resolve("data"),
            0,
            Map.of(
                "ssl", "on",
                "ssl_cert_file", authority.toString(),
                "ssl_key_file", directory.resolve("ca.key").toString()));
    StoreCluster store = new StoreCluster(cluster, directory);
    cluster.prepare();
    cluster.run("CREATE ROLE wovyr_test_purge LOGIN", "GRANT wovyr_purge TO wovyr_test_purge");
    store.run(
        "CREATE TABLE charge (token uuid PRIMARY KEY, execution_id uuid NOT NULL)",
        "GRANT SELECT, INSERT ON charge TO wovyr_test_runtime");
    Files.writeString(
        store.settings(),
        store.page(0).block("wovyr.properties") + "wovyr.sealing.keystore.create=true\n");
    return store;
  }

  /** The settings file of all nodes. */
  Path settings() {
    return directory.resolve("wovyr.properties");
  }

  /** As the page says it, with the host of the certificate. */
  String url() throws IOException {
    String page = Files.readString(Path.of(Surroundings.property("wovyr.test.page")));
    Matcher found = URL.matcher(page);
    if (!found.find()) {
      throw new IllegalStateException("the page does not say how TLS is asked for");
    }
    return "jdbc:postgresql://"
        + HOST
        + ":"
        + cluster.port()
        + "/wovyr"
        + found.group(1).replace("&amp;", "&").replace("/etc/orders", directory.toString());
  }

  /** The page as a node on this port reads it. */
  DeploymentPage page(int httpPort) throws IOException {
    Map<String, String> here = new HashMap<>();
    here.put("/etc/orders", directory.toString());
    here.put("/opt/drivers/postgresql-42.7.14.jar", Surroundings.driver().toString());
    here.put("jdbc:postgresql://127.0.0.1:5432/orders", url().replace("&", "&amp;"));
    here.put("db.example.com:5432/orders", HOST + ":" + cluster.port() + "/wovyr");
    here.put("9080", String.valueOf(httpPort));
    here.put("orders_app", "wovyr_test_runtime");
    here.put("orders_system", "wovyr_test_system");
    here.put("orders_purge", "wovyr_test_purge");
    return DeploymentPage.read(Path.of(Surroundings.property("wovyr.test.page")), here);
  }

  /** A superuser's connection. */
  Connection admin() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + cluster.port() + "/wovyr", "postgres", "");
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  /** The rows of a query of the superuser, as text. */
  List<List<String>> query(String sql) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (Connection connection = admin();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(String.valueOf(row.getString(i)));
        }
        rows.add(values);
      }
    }
    return rows;
  }

  /** The one number that a query returns. */
  long count(String sql) throws SQLException {
    return Long.parseLong(query(sql).get(0).get(0));
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
