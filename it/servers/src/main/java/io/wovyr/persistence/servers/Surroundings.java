/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.postgresql.Driver;

/**
 * What is there before the server starts: a migrated PostgreSQL store on a free port, the settings
 * file, the server's own configuration, and free ports for it. JUnit calls it, once for each run;
 * inside the server it is not there.
 */
public final class Surroundings implements TestExecutionListener {
  private static boolean ready;
  private static PostgresServer.@Nullable Database database;

  /** For JUnit. */
  public Surroundings() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (!ready) {
      ready = true;
      try {
        prepare(Files.createDirectories(Path.of(property("wovyr.test.directory"))));
      } catch (IOException | SQLException e) {
        throw new IllegalStateException("the server's surroundings cannot be made", e);
      }
    }
  }

  private static void prepare(Path directory) throws IOException, SQLException {
    PostgresServer.Database database = PostgresServer.shared().newStore();
    Surroundings.database = database;
    CardTable.create(database);
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(Map.of("path", directory.resolve("orders.db").toString()), step -> {});
    Map<String, Integer> ports = freePorts(List.of("http", "https", "management"));
    ports.forEach(
        (name, port) -> System.setProperty("wovyr.test." + name + "-port", port.toString()));

    Map<String, String> here = here(directory, database, Objects.requireNonNull(ports.get("http")));
    DeploymentPage page = DeploymentPage.read(Path.of(property("wovyr.test.page")), here);
    DeploymentPage sample =
        DeploymentPage.read(Path.of(property("wovyr.test.web-orders"), "README.md"), here);
    database.run(sample.block("placed_order.sql"));
    Path settings = directory.resolve("wovyr.properties");
    // The page's reader makes the keystore by the command.
    Files.writeString(
        settings,
        page.block("wovyr.properties")
            + sample.block("orders.properties")
            + "wovyr.sealing.keystore.create=true\n");
    System.setProperty("wovyr.test.settings", settings.toString());

    Path home = Path.of(property("wovyr.test.server-home"));
    if (property("wovyr.test.server").equals("liberty")) {
      LibertyHome.configure(home, page, settings);
    } else {
      WildFlyHome.configure(home, page, directory);
    }
  }

  /** What stands in the pages, and what it is here. */
  private static Map<String, String> here(
      Path directory, PostgresServer.Database database, Integer httpPort) {
    Map<String, String> settings = database.settings();
    Map<String, String> here = new HashMap<>();
    here.put("/etc/orders", directory.toString());
    here.put("/opt/drivers/postgresql-42.7.14.jar", driver().toString());
    here.put("jdbc:postgresql://127.0.0.1:5432/orders", database.url());
    here.put("9080", httpPort.toString());
    for (String role : List.of("", "system-", "purge-")) {
      String name = role.isEmpty() ? "app" : role.substring(0, role.length() - 1);
      here.put("orders_" + name, Objects.requireNonNull(settings.get(role + "user")));
      here.put(name + "-secret", Objects.requireNonNull(settings.get(role + "password")));
    }
    return here;
  }

  /** The file that the driver comes from. */
  static Path driver() {
    return Path.of(Driver.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static Map<String, Integer> freePorts(List<String> names) throws IOException {
    List<Integer> free = freePorts(names.size());
    Map<String, Integer> ports = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      ports.put(names.get(i), free.get(i));
    }
    return ports;
  }

  /** Ports of loopback that nobody listens on. */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      ports.add(socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  /** The store's database, for tests that look at it, or harm it, from outside of the server. */
  static PostgresServer.Database database() {
    return Objects.requireNonNull(database, "not made");
  }

  static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }
}
