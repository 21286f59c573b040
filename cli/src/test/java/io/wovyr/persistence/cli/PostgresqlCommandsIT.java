/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a PostgreSQL server, each role with its own login. */
final class PostgresqlCommandsIT {
  private static final String DATABASE = "wovyr_test_cli";
  private static final String OWNER = "wovyr_cli_owner";
  private static final String RUNTIME = "wovyr_cli_runtime";
  private static final String SYSTEM = "wovyr_cli_system";
  private static PostgresqlServer server;

  @TempDir private Path directory;
  private Command wovyr;
  private Path password;

  @BeforeAll
  static void startServer() throws SQLException {
    server = PostgresqlServer.start();
    server.login(OWNER, "CREATEROLE");
    server.login(RUNTIME, "");
    server.login(SYSTEM, "");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void makeDatabase() throws SQLException, IOException {
    server.database(DATABASE, OWNER);
    wovyr = new Command(directory);
    password = Files.writeString(directory.resolve("password"), PostgresqlServer.PASSWORD + "\n");
  }

  private static String url() {
    return server.url(DATABASE);
  }

  private Command.Result as(String user, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", url(), "--user", user, "--password", "file:" + password));
    return wovyr.runBare(all.toArray(String[]::new));
  }

  /** As the runtime role, the system role beside it, values in clear. */
  private Command.Result asRuntime(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-D", "wovyr.sealing.provider=none"));
    return withSystem(all.toArray(String[]::new));
  }

  /** As the runtime role, the system role beside it. */
  private Command.Result withSystem(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "-D",
            "wovyr.storage.system-user=" + SYSTEM,
            "-D",
            "wovyr.storage.system-password=file:" + password));
    return as(RUNTIME, all.toArray(String[]::new));
  }

  private void migrate() throws SQLException {
    Command.Result up = as(OWNER, "migrate", "up");
    assertThat(up.exitCode()).as(up.error()).isZero();
    server.run("GRANT wovyr_runtime TO " + RUNTIME, "GRANT wovyr_system TO " + SYSTEM);
  }

  private static void isRefused(Command.Result result, int exitCode, String... words) {
    assertThat(result.exitCode()).as(result.error()).isEqualTo(exitCode);
    assertThat(result.out()).isEmpty();
    assertThat(result.error().lines())
        .singleElement()
        .asString()
        .startsWith("wovyr: ")
        .contains(words)
        .doesNotContain("not-the-one", "\tat ");
  }

  @Test
  void migrateUpMakesTheSchemaAndGivesTheOtherRolesTheirRights() throws SQLException {
    Command.Result before = as(OWNER, "migrate", "status");
    migrate();
    Command.Result after = as(OWNER, "migrate", "status");
    Command.Result again = as(OWNER, "migrate", "up");

    assertThat(before.exitCode()).isEqualTo(3);
    assertThat(before.out())
        .contains("there is no store yet", "to migrate: wovyr migrate up --url " + url());
    assertThat(after.exitCode()).isZero();
    assertThat(after.out()).containsPattern("store +postgresql \\S+/" + DATABASE + "\n");
    assertThat(again.out()).contains("is up to date");
    for (List<String> command :
        List.of(
            List.of("execution", "list"),
            List.of("lease", "list"),
            List.of("feed", "tail"),
            List.of("feed", "tail", "--all"),
            List.of("feed", "status"),
            List.of("provider", "check"))) {
      Command.Result result = asRuntime(command.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s: %s", command, result.error()).isZero();
      assertThat(result.error()).as("%s", command).isEmpty();
    }
  }

  @Test
  void theRolesThatHoldTheRightsMayHaveOtherNames() throws SQLException {
    String prefix = "wovyr.storage.role-prefix=wovyr_cli_other";
    Command.Result up = as(OWNER, "migrate", "up", "-D", prefix);
    assertThat(up.exitCode()).as(up.error()).isZero();
    server.login("wovyr_cli_member", "IN ROLE wovyr_cli_other_runtime");

    Command.Result list = as("wovyr_cli_member", "execution", "list", "-D", prefix);
    assertThat(list.exitCode()).as(list.error()).isZero();
    assertThat(as("wovyr_cli_member", "execution", "list").error())
        .as("it is no member of the role by the usual name")
        .contains("wovyr_runtime");
  }

  @Test
  void whoIsNamedOnTheCommandLineMigratesWhateverTheSettingsSay() throws IOException {
    Files.write(
        directory.resolve("wovyr.properties"),
        List.of(
            "wovyr.storage.provider=postgresql",
            "wovyr.storage.url=" + url(),
            "wovyr.storage.user=" + RUNTIME,
            "wovyr.storage.password=file:" + password,
            "wovyr.storage.migration-user=nobody",
            "wovyr.storage.migration-password=file:" + password));
    isRefused(wovyr.runBare("migrate", "up"), 3, "login");
    assertThat(wovyr.runBare("migrate", "up", "--user", OWNER).exitCode()).isZero();
  }

  @Test
  void saysWhatIsWrongWithTheServerAndWhatToDo() throws SQLException {
    isRefused(
        wovyr.runBare("execution", "list", "--url", "jdbc:postgresql:/nonsense:x", "--user", "x"),
        2,
        "jdbc:postgresql://host:5432/database");
    isRefused(
        wovyr.runBare(
            "execution", "list", "--url", "jdbc:postgresql://127.0.0.1:1/x", "--user", "x"),
        3,
        "cannot be reached",
        "wovyr.storage.url");
    isRefused(wovyr.runBare("execution", "list", "--provider", "postgresql"), 2, "--url");
    isRefused(
        as("nobody_we_know", "execution", "list"), 3, "refused the login", "user and password");
    isRefused(
        wovyr.runBare(
            "execution",
            "list",
            "--url",
            server.url("no_such_database"),
            "--user",
            OWNER,
            "--password",
            "file:" + password),
        3,
        "no such database",
        "create it");
    isRefused(as(RUNTIME, "execution", "list"), 3, "wovyr migrate up --url " + url());
    migrate();
    server.login("wovyr_cli_admin", "SUPERUSER IN ROLE wovyr_runtime");
    isRefused(as("wovyr_cli_admin", "execution", "list"), 2, "superuser");
    server.run("DROP ROLE wovyr_cli_admin");
    isRefused(as(OWNER, "execution", "list"), 2, "owner");
    for (String command : List.of("feed tail --all", "feed status --all", "sweep")) {
      isRefused(as(RUNTIME, command.split(" ")), 2, "wovyr.storage.system-user");
    }
  }

  /** Told to run the same command again, it would fail the same way. */
  @Test
  void whoMayNotMigrateIsToldWhoMay() throws SQLException {
    String[] advice = {"as the owner", "wovyr.storage.migration-user"};
    isRefused(as(RUNTIME, "migrate", "up"), 3, advice);
    as(OWNER, "migrate", "up");
    isRefused(as(RUNTIME, "migrate", "up"), 3, advice);
    migrate();
    for (String command : List.of("up", "status")) {
      Command.Result result = as(RUNTIME, "migrate", command);
      isRefused(result, 3, advice);
      assertThat(result.error()).doesNotContain("--user " + RUNTIME);
    }
  }

  @Test
  void whoMayNotEvenSeeTheSchemaIsToldWhoMayMigrate() throws SQLException {
    try (Connection owner =
            java.sql.DriverManager.getConnection(url(), OWNER, PostgresqlServer.PASSWORD);
        Statement statement = owner.createStatement()) {
      statement.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
    }
    Command.Result result = as(RUNTIME, "migrate", "up");

    isRefused(result, 3, "as the owner", "wovyr.storage.migration-user");
    assertThat(result.error()).doesNotContain("--user " + RUNTIME);
  }

  @Test
  void noPasswordAtAllIsSaidToBeMissing() throws SQLException {
    for (List<String> command : List.of(List.of("execution", "list"), List.of("migrate", "up"))) {
      List<String> words = new ArrayList<>(command);
      words.addAll(List.of("--url", url(), "--user", OWNER));
      isRefused(
          wovyr.runBare(words.toArray(String[]::new)),
          3,
          "no password was given",
          "wovyr.storage.password");
    }
    isRefused(
        wovyr.runBare("execution", "list", "--url", url()), 3, "no user was named either (--user)");
  }

  @Test
  void aWrongPasswordIsNotRepeated() throws IOException {
    Files.writeString(password, "not-the-one");
    isRefused(as(OWNER, "migrate", "up"), 3, "refused the login");
  }

  @Test
  void aPasswordItselfIsNotTakenFromTheCommandLine() {
    isRefused(
        wovyr.runBare("execution", "list", "--url", url(), "--password", "not-the-one"),
        2,
        "env:VARIABLE");
  }

  @Test
  void theDemoLeavesAStoreTheOtherCommandsCanLookInto() throws Exception {
    migrate();
    Path orders = directory.resolve("orders.csv");
    List<String> shipped = Files.readAllLines(Path.of("../samples/order-saga/orders.csv"));
    Files.write(orders, shipped.subList(0, 7));
    Path run = directory.resolve("run");
    isRefused(
        as(RUNTIME, "demo", "--orders", orders.toString(), "--directory", run.toString()),
        2,
        "wovyr.storage.system-user");
    assertThat(run).doesNotExist();

    Command.Result demo =
        withSystem(
            "demo",
            "--orders",
            orders.toString(),
            "--directory",
            run.toString(),
            "--workers",
            "1",
            "--kills",
            "0",
            "--pauses",
            "0");
    assertThat(demo.exitCode()).as(demo.out() + demo.error()).isZero();
    String look = demo.lines().get(demo.lines().size() - 1);
    assertThat(look).startsWith("Look into its store: wovyr execution list --url ");
    String[] words =
        (look.substring("Look into its store: wovyr ".length()) + " --output json").split(" ");
    assertThat(DemoCommandIT.orders(Parsed.of(wovyr.runBare(words).out()))).isEqualTo(6);
    assertThat(look).contains(run.resolve("keystore.p12").toString());
    assertThat(storedPayloadsWith("GD-7931")).as("sealed, though no keystore was given").isZero();
    assertThat(Files.readString(run.resolve("run.json")))
        .doesNotContain(PostgresqlServer.PASSWORD + "\"", password.toString());
    feedIsHeldBackByWhoIsNamed();
  }

  private static long storedPayloadsWith(String value) throws SQLException {
    try (Connection connection = server.admin(DATABASE);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT count(*) FILTER (WHERE position(convert_to(?, 'UTF8') in payload) > 0),"
                    + " count(payload) FROM workflow_event")) {
      statement.setString(1, value);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        assertThat(row.getLong(2)).as("there are payloads").isPositive();
        return row.getLong(1);
      }
    }
  }

  private void feedIsHeldBackByWhoIsNamed() throws SQLException, IOException {
    server.login("wovyr_cli_reporter", "");
    server.database("wovyr_test_neighbour", "wovyr_cli_reporter");
    try (Connection foreign =
            java.sql.DriverManager.getConnection(
                server.url("wovyr_test_neighbour"),
                "wovyr_cli_reporter",
                PostgresqlServer.PASSWORD);
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("SET application_name = 'month-end report'");
      statement.execute("CREATE TABLE work (id int)");
      completeAnOrder();

      Command.Result text = asRuntime("feed", "status", "--all");
      Parsed json = Parsed.of(asRuntime("feed", "status", "--all", "--output", "json").out());

      assertThat(text.out())
          .containsPattern("feed +held back")
          .containsPattern("held back by +.*wovyr_cli_reporter.*month-end report");
      assertThat(labels(DocumentedExamplesIT.shown("feed status --all")))
          .as("docs/cli.md")
          .containsAll(labels(text.lines()));
      assertThat(json.flag("heldBack")).isTrue();
      assertThat(json.text("heldBackBy")).contains("month-end report");
      assertThat(as(RUNTIME, "feed", "status").out()).contains("wovyr.storage.system-user");
      for (String command : List.of("feed status --all", "provider check")) {
        assertThat(asRuntime(command.split(" ")).out())
            .as(command)
            .containsPattern("held back by +.*month-end report.*no member of pg_read_all_stats");
      }
      server.run("GRANT pg_read_all_stats TO " + SYSTEM);
      assertThat(asRuntime("feed", "status", "--all").out())
          .contains("month-end report")
          .doesNotContain("pg_read_all_stats");
      server.run("REVOKE pg_read_all_stats FROM " + SYSTEM);
      foreign.rollback();
    }
    assertThat(asRuntime("feed", "status", "--all").out()).containsPattern("feed +up to date");
  }

  private static List<String> labels(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.startsWith("no consumer"))
        .map(line -> line.replaceFirst("  .*", ""))
        .toList();
  }

  private void completeAnOrder() {
    try (SampleStore store =
        SampleStore.open(
            "postgresql",
            java.util.Map.of(
                "wovyr.storage.url",
                url(),
                "wovyr.storage.user",
                RUNTIME,
                "wovyr.storage.password",
                PostgresqlServer.PASSWORD,
                "wovyr.sealing.provider",
                "none"))) {
      store.createOrder("order-1");
    }
  }

  /** The settings of the runtime role, with the system role beside it. */
  private List<String> runtimeOptions() {
    return List.of(
        "--url",
        url(),
        "--user",
        RUNTIME,
        "--password",
        "file:" + password,
        "-D",
        "wovyr.storage.system-user=" + SYSTEM,
        "-D",
        "wovyr.storage.system-password=file:" + password,
        "-D",
        "wovyr.sealing.provider=none");
  }

  @Test
  void twoSchedulersFireEveryTimeOnceThoughOneIsKilled() throws SQLException, InterruptedException {
    migrate();
    ok(
        "schedule",
        "add",
        "pulse",
        "--definition",
        "beat@1",
        "--every",
        "PT1S",
        "--misfire",
        "fire-all");
    for (List<String> how : List.of(List.of("--no-lease"), List.of("--lease", "PT5S"))) {
      List<String> options = new ArrayList<>(runtimeOptions());
      options.addAll(how);
      try (SchedulerProcess killed = SchedulerProcess.start(directory, options)) {
        killed.awaitFires(1);
        try (SchedulerProcess other = SchedulerProcess.start(directory, options)) {
          killed.awaitFires(2);
          killed.kill();
          other.awaitFires(3);
          assertThat(other.stop()).isEqualTo(143);
          assertThat(other.said()).doesNotContainAnyElementsOf(killed.said());
        }
      }
    }
    try (SampleStore store =
        SampleStore.open(
            "postgresql",
            Map.of(
                "wovyr.storage.url",
                url(),
                "wovyr.storage.user",
                RUNTIME,
                "wovyr.storage.password",
                PostgresqlServer.PASSWORD))) {
      SchedulerProcess.everyTimeFiredOnce(
          store.persistence().as(Caller.of(GlobalOptions.DEFAULT_TENANT, "test", Role.READER)),
          "pulse",
          Duration.ofSeconds(1));
    }
  }

  private void ok(String... words) {
    Command.Result result = asRuntime(words);
    assertThat(result.exitCode()).as(result.error()).isZero();
  }
}
