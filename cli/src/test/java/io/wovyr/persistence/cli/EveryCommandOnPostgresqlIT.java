/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every command with every option of its own on a PostgreSQL server, in text and in JSON, each as
 * the login that needs the fewest rights for it. A command or an option without an example here
 * fails the test.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class EveryCommandOnPostgresqlIT {
  private static final String DATABASE = "wovyr_test_every";
  private static final String OWNER = "wovyr_every_owner";
  private static final String RUNTIME = "wovyr_every_runtime";
  private static final String SYSTEM = "wovyr_every_system";

  /**
   * Shown elsewhere: the demo by {@link PostgresqlCommandsIT}, the benchmark by its own tests,
   * backups, which this server has its own tools for, by {@link BackupCommandsTest}.
   */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "demo",
          "bench",
          "backup create",
          "backup list",
          "backup verify",
          "backup restore",
          "backup begin-epoch");

  /** Ends with an interrupt only: {@link #theFeedIsFollowedUntilInterrupted()}. */
  private static final String FOLLOWING = "feed tail --follow";

  @TempDir private static Path directory;
  private static PostgresqlServer server;
  private static Command wovyr;
  private static Map<String, String> words;

  @BeforeAll
  static void makeStore() throws SQLException, IOException {
    server = PostgresqlServer.start();
    server.login(OWNER, "CREATEROLE");
    server.login(RUNTIME, "");
    server.login(SYSTEM, "");
    server.database(DATABASE, OWNER);
    wovyr = new Command(directory);
    Files.writeString(directory.resolve("password"), PostgresqlServer.PASSWORD + "\n");
    Files.writeString(directory.resolve("order.json"), "{\"steps\": [\"charge\"]}");
    Files.writeString(directory.resolve("secret.txt"), SampleStore.SECRET);
    isGood(run(As.OWNER, "migrate", "up"));
    server.run("GRANT wovyr_runtime TO " + RUNTIME, "GRANT wovyr_system TO " + SYSTEM);
    isGood(wovyr.runBare("keys", "create", keystore()));
    try (SampleStore store = openStore()) {
      fill(store);
    }
    try (Connection connection = server.admin(DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE execution SET entity_version = 9 WHERE workflow_id LIKE 'order-newer%'");
    }
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static String sha256(String file) throws IOException {
    try {
      byte[] content = Files.readAllBytes(directory.resolve(file));
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String keystore() {
    return directory.resolve("keys.p12").toString();
  }

  private static SampleStore openStore() {
    return SampleStore.open(
        "postgresql",
        Map.of(
            "wovyr.storage.url",
            server.url(DATABASE),
            "wovyr.storage.user",
            RUNTIME,
            "wovyr.storage.password",
            PostgresqlServer.PASSWORD,
            "wovyr.sealing.keystore.path",
            keystore()));
  }

  /** What every command has something to show of. */
  private static void fill(SampleStore store) throws IOException {
    UUID order = store.completeOrder("order-1");
    UUID newer = store.createOrder("order-newer");
    store.createOrder("order-newer-too");
    UUID working = SampleWork.rolledBack(store, "order-work");
    SampleWork.failing(store, "order-retry", Optional.of(Duration.ofHours(2)));
    SampleWork.failing(store, "order-later", Optional.of(Duration.ofHours(3)));
    SampleWork.failing(store, "order-exhausted", Optional.empty());
    store.acquire(store.createOrder("order-held"), "worker-7");
    SampleStore.createOrder(store.tenant("elsewhere"), "order-elsewhere");
    SampleWork.consumer(store, "billing");
    words =
        Map.of(
            "{order}",
            order.toString(),
            "{checksum}",
            sha256("order.json"),
            "{work}",
            working.toString(),
            "{newer}",
            newer.toString(),
            "{directory}",
            directory.toString());
  }

  /** Who logs in. */
  private enum As {
    RUNTIME,
    /** The runtime role, the system role beside it. */
    SYSTEM,
    OWNER
  }

  /**
   * One call.
   *
   * @param command its words; {@code {n}} is another number in every run
   * @param text a pattern found in its answer to people
   * @param json the members of its answer to programs; none where it is no JSON
   */
  private record Example(As as, String command, String text, List<String> json) {}

  private static Example example(String command, String text, String... json) {
    return new Example(As.RUNTIME, command, text, List.of(json));
  }

  private static Example overAll(String command, String text, String... json) {
    return new Example(As.SYSTEM, command, text, List.of(json));
  }

  private static Example asOwner(String command, String text, String... json) {
    return new Example(As.OWNER, command, text, List.of(json));
  }

  private static List<Example> examples() {
    List<Example> all = new ArrayList<>();
    all.addAll(ofExecutions());
    all.addAll(ofDefinitionsAndSchedules());
    all.addAll(ofWork());
    all.addAll(ofSecretsAndKeys());
    all.addAll(ofTheStore());
    return all;
  }

  private static List<Example> ofExecutions() {
    return List.of(
        example("execution list", "order-work +order 2", "tenant", "executions", "next"),
        example("execution list --limit 1", "more: wovyr .*--after", "executions", "next"),
        example("execution list --status COMPLETED", "{order} +COMPLETED", "executions"),
        example("execution list --workflow-id order-work", "{work}", "executions"),
        example("execution list --after {next}", "ID +STATUS", "executions"),
        example("execution list --tenant elsewhere", "order-elsewhere", "tenant"),
        example("execution show {order}", "status +COMPLETED", "id", "head", "input"),
        example("execution show {order} --values", "4111-1111", "input", "outcome"),
        example("execution show order-held", "worker-7", "head"),
        example("execution events {order}", "Charged", "executionId", "events", "next"),
        example("execution events {order} --from 2 --limit 1 --values", "2 ", "events"),
        example("execution state {order}", "state hash +1:", "stateHash", "entries"),
        example("execution state {order} --at 2 --values", "after event +2", "sequence"),
        example("execution tail {order}", "Charged", "sequence", "type"),
        example("execution tail {order} --from 2 --values", "4111-1111", "payload"),
        example("lease list", "worker-7", "tenant", "leases", "next"),
        example("lease list --limit 1", "worker", "leases"),
        example("lease list --after {next}", "", "leases"),
        example("quarantine list", "execution +{newer} +NEWER_VERSION", "records", "next"),
        example("quarantine list --type execution --limit 1", "NEWER_VERSION", "records"),
        example("quarantine list --type execution --after {next}", "", "records"),
        example("quarantine show execution {newer}", "NEWER_VERSION", "type", "key", "reason"));
  }

  private static List<Example> ofDefinitionsAndSchedules() {
    return List.of(
        example(
            "definition add order.json --name order{n} --content-type application/json"
                + " --policy retention.keep-latest=5 --draft",
            "definition order\\d+@1 is stored: DRAFT",
            "name",
            "version"),
        example("definition add order.json --name plain{n}@1", "@1 is stored", "checksum"),
        example(
            "definition add order.json --name order --checksum {checksum}", "order@1", "checksum"),
        example("definition list", "order", "definitions", "next"),
        example("definition list --status ACTIVE --limit 1", "ACTIVE", "definitions"),
        example("definition list --after {next}", "", "definitions"),
        example("definition show order@1", "status +ACTIVE", "name", "policies"),
        new Example(As.RUNTIME, "definition show order@1 --body", "steps", List.of()),
        example("definition archive plain{n}@1", "ARCHIVED|archived", "status"),
        example(
            "schedule add cron{n} --definition order@1 --cron 30_2_*_*_* --zone Europe/Berlin"
                + " --misfire skip --misfire-after PT5M --not-before 2026-01-01T00:00:00Z"
                + " --not-after 2099-01-01T00:00:00Z --input order.json --content-type text/plain",
            "schedule cron\\d+ is added",
            "name",
            "nextFireAt"),
        example("schedule add every{n} --definition order@1 --every PT2H", "is added", "name"),
        example(
            "schedule add every1 --definition order@1 --every PT1H"
                + " --anchor 2026-01-01T00:00:00Z --replace",
            "schedule every1",
            "name"),
        example(
            "schedule add once{n} --definition order@1 --at 2099-06-01T00:00:00Z",
            "2099-06",
            "nextFireAt"),
        example("schedule list", "every 1 h", "schedules", "next"),
        example("schedule list --limit 1", "more: wovyr", "schedules"),
        example("schedule list --after {next}", "", "schedules"),
        example("schedule show cron1", "Europe/Berlin", "name", "input"),
        example("schedule show cron1 --values", "charge", "input"),
        example("schedule next every1 --after 2026-01-01T00:00:00Z --count 2", "2026", "times"),
        example("schedule next --cron 30_2_*_*_* --zone Europe/Berlin", "02:30:00", "zone"),
        example("schedule next --every PT1H --anchor 2026-01-01T00:00:00Z", ":00:00", "times"),
        example("schedule next --at 2099-06-01T00:00:00Z", "2099-06-01", "times"),
        example("schedule pause once{n}", "is paused", "paused"),
        example("schedule resume once{n}", "once", "paused"),
        example("schedule remove once{n}", "removed", "removed"),
        example(
            "schedule add due{n} --definition order@1 --every PT1S --anchor 2026-01-01T00:00:00Z",
            "due",
            "name"),
        overAll("schedule run --for PT5S --every PT0.1S --lease PT2S", "due\\d: fired", "result"),
        overAll("schedule run --for PT5S --no-lease --all-tenants", "orders/due\\d", "result"),
        overAll("schedule run --once", "", "result"));
  }

  private static List<Example> ofWork() {
    return List.of(
        example("activity list", "charge +Charge", "activities", "next"),
        example("activity list --open --limit 1", "charge", "activities"),
        example("activity list --after {next}", "", "activities"),
        example("activity list order-work", "charge", "activities"),
        example("retry list", "charge +PENDING", "retries", "next"),
        example("retry list --pending --limit 1", "PENDING", "retries"),
        example("retry list --exhausted", "charge +EXHAUSTED", "retries"),
        example("retry list --after {next}", "", "retries"),
        example("retry list order-retry", "PENDING", "retries"),
        example("retry show order-exhausted charge", "1 of 1", "status", "history"),
        example("retry show order-exhausted charge --values", "4111-1111", "history"),
        example("retry retry-now order-exhausted charge", "is due now", "status"),
        example("compensation list order-work", "2 +charge +undo-charge", "compensations"),
        example("compensation list --status REGISTERED --limit 1", "REGISTERED", "compensations"),
        example("compensation list --status REGISTERED --after {next}", "", "compensations"),
        example("compensation show order-work 2", "undoes activity +charge", "action", "input"),
        example("compensation show order-work 2 --values", "4111-1111", "input"),
        example("compensation resume order-work", "{work} is due now", "executionId", "next"));
  }

  private static List<Example> ofSecretsAndKeys() {
    return List.of(
        example("secret put card{n} --file secret.txt", "stored secret:card\\d+@1", "reference"),
        example("secret put typed", "stored secret:typed@\\d", "version"),
        example("secret list", "secret:typed@1", "secrets", "next"),
        example("secret list --limit 1", "more: wovyr", "secrets"),
        example("secret list --after {next}", "", "secrets"),
        example("keys list", "DATA +1", "tenant", "keys"),
        example("keys check", "opens", "keystore", "keys"),
        example("keys create {directory}/more{n}.p12", "more\\d", "keystore", "password"));
  }

  private static List<Example> ofTheStore() {
    return List.of(
        example("feed tail", "wovyr.ExecutionCreated", "cursor", "tenant", "event"),
        example("feed tail --last 1 --values", "what comes next", "event"),
        example("feed tail --from beginning", "Charged", "event"),
        example("feed tail --from beginning --limit 1", "wovyr.ExecutionCreated", "event"),
        overAll("feed tail --all", "orders +\\S+ ", "tenant"),
        example("feed status", "feed +up to date", "heldBack", "events", "consumers"),
        example("feed status --count 1", "1 or more", "counted"),
        overAll("feed status --all", "tenant +all", "heldBack", "position"),
        example("provider list", "postgresql +yes", "providers"),
        overAll("provider check", "health +can be read and written", "writable", "records"),
        asOwner("migrate status", "schema +version", "schemaVersion", "pending"),
        asOwner("migrate up", "is up to date", "applied", "schemaVersion"),
        overAll("sweep", "removed \\d+ expired commit markers", "commitMarkers", "largeValues"),
        new Example(As.RUNTIME, "completion bash", "complete", List.of()));
  }

  private static Command.Result run(As as, String... given) {
    List<String> all = new ArrayList<>(List.of(given));
    all.addAll(options(as));
    return wovyr.runBare(all.toArray(String[]::new));
  }

  private static List<String> options(As as) {
    String password = "file:" + directory.resolve("password");
    List<String> all = new ArrayList<>();
    all.addAll(List.of("--url", server.url(DATABASE), "--password", password));
    all.addAll(List.of("--user", as == As.OWNER ? OWNER : RUNTIME));
    all.addAll(List.of("-D", "wovyr.sealing.keystore.path=" + keystore()));
    if (as == As.SYSTEM) {
      all.addAll(List.of("-D", "wovyr.storage.system-user=" + SYSTEM));
      all.addAll(List.of("-D", "wovyr.storage.system-password=" + password));
    }
    return all;
  }

  private static void isGood(Command.Result result) {
    assertThat(result.exitCode()).as(result.out() + result.error()).isZero();
    // Told beside the answer: a keystore that was made, a record that a newer version wrote, and
    // schedules that came due again while a scheduler ended.
    assertThat(result.error().lines())
        .allMatch(line -> line.matches(".*WOVYR-(0201|0101) .*|\\d+ schedules? .* still due: .*"));
  }

  /** First: later ones show again what it made. */
  @Order(1)
  @TestFactory
  List<DynamicTest> answersPeopleAndPrograms() {
    return examples().stream()
        .map(example -> DynamicTest.dynamicTest(example.command(), () -> answers(example)))
        .toList();
  }

  private void answers(Example example) {
    Command.Result text = call(example, 1);
    isGood(text);
    assertThat(text.out()).containsPattern(filled(example.text(), 1));
    boolean values = example.command().contains("--values");
    if (!values) {
      assertThat(text.out()).doesNotContain(SampleStore.SECRET);
    }
    if (example.json().isEmpty()) {
      return;
    }
    Command.Result json = call(example, 2, "--output", "json");
    isGood(json);
    for (String line : json.lines()) {
      assertThat(Parsed.of(line).names()).as(line).containsAll(example.json());
    }
    if (!values) {
      assertThat(json.out()).doesNotContain(SampleStore.SECRET);
    }
  }

  /** Where the same list goes on after its first record. */
  private static String next(As as, String command) {
    List<String> given =
        new ArrayList<>(List.of(command.replace(" --after {next}", "").split(" ")));
    given.addAll(List.of("--limit", "1", "--output", "json"));
    return Parsed.of(run(as, given.toArray(String[]::new)).out()).text("next");
  }

  /** As a full disk and a reader that has seen enough do. */
  private static OutputStream refusing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  /** The first example of each command loses its answer; the others make what it needs. */
  @TestFactory
  List<DynamicTest> anAnswerThatIsLostIsAFailure() {
    Set<String> seen = new TreeSet<>();
    Set<Example> firstOfEach =
        examples().stream()
            .filter(example -> !example.text().isEmpty())
            .filter(example -> seen.add(example.command().replaceFirst("(\\S+ \\S+).*", "$1")))
            .collect(Collectors.toSet());
    return List.of("text", "json").stream()
        .flatMap(
            format ->
                examples().stream()
                    .map(
                        example ->
                            DynamicTest.dynamicTest(
                                example.command() + " " + format,
                                () -> {
                                  if (firstOfEach.contains(example)) {
                                    losesItsAnswer(example, format);
                                  } else {
                                    keepsItsAnswer(example, format);
                                  }
                                })))
        .toList();
  }

  private static void keepsItsAnswer(Example example, String format) {
    for (int number : numbers(format)) {
      isGood(call(example, number, "--output", format));
    }
  }

  private static List<Integer> numbers(String format) {
    return format.equals("text") ? List.of(3, 5) : List.of(4, 6);
  }

  private static void losesItsAnswer(Example example, String format) {
    int number = numbers(format).get(0);
    Command.Result full =
        call(example, number, given -> into("No space left on device", given), "--output", format);
    assertThat(full.exitCode()).as(full.error()).isEqualTo(1);
    assertThat(full.error()).contains("could not be written", "No space left on device");
    if (format.equals("json")) {
      List<String> lines = full.error().lines().filter(line -> line.startsWith("{")).toList();
      assertThat(Parsed.of(lines.get(lines.size() - 1)).at("error").number("exit")).isEqualTo(1);
    }
    Command.Result enough =
        call(
            example,
            numbers(format).get(1),
            given -> into("Broken pipe", given),
            "--output",
            format);
    assertThat(enough.exitCode()).as(enough.error()).isZero();
  }

  private static Command.Result into(String reason, String[] given) {
    return wovyr.runInto(refusing(reason), given);
  }

  private static Command.Result call(Example example, int number, String... more) {
    return call(example, number, wovyr::runBare, more);
  }

  private static Command.Result call(
      Example example, int number, Function<String[], Command.Result> runner, String... more) {
    List<String> given = new ArrayList<>();
    for (String word : filled(example.command(), number).split(" ")) {
      boolean goesOn = word.equals("{next}");
      given.add(goesOn ? next(example.as(), example.command()) : word.replace('_', ' '));
    }
    given.addAll(List.of(more));
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream((SampleStore.SECRET + "\n").getBytes(StandardCharsets.UTF_8)));
    try {
      given.addAll(options(example.as()));
      return runner.apply(given.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  private static String filled(String text, int number) {
    String filled = text.replace("{n}", String.valueOf(number));
    for (Map.Entry<String, String> word : words.entrySet()) {
      filled = filled.replace(word.getKey(), word.getValue());
    }
    return filled;
  }

  @Test
  void theFeedIsFollowedUntilInterrupted() {
    List<String> given = options(As.RUNTIME);
    given.addAll(0, List.of("feed", "tail", "--follow", "--last", "1", "--output", "json"));
    Background tail = Background.runBare(directory, given.toArray(String[]::new));
    tail.awaitLines(1);
    try (SampleStore store = openStore()) {
      store.createOrder("order-followed");
    }
    tail.awaitLines(2);
    tail.interrupt();

    assertThat(tail.awaitExit()).isZero();
    assertThat(Parsed.of(tail.lines().get(1)).at("event").text("type"))
        .isEqualTo("wovyr.ExecutionCreated");
  }

  /** By far shorter than the time a read may take here. */
  private static final Duration AT_ONCE = Duration.ofSeconds(60);

  @Test
  void whatNeedsTheSystemRoleSaysAtOnceWhatToConfigure() {
    String password = "wovyr.storage.system-password=file:" + directory.resolve("password");
    Map<List<String>, String> wrong =
        Map.of(
            List.of(),
            "wovyr.storage.system-user",
            List.of("-D", "wovyr.storage.system-user=" + RUNTIME),
            "give wovyr.storage.system-password",
            List.of("-D", "wovyr.storage.system-user=nobody_we_know", "-D", password),
            "(wovyr.storage.system-user, wovyr.storage.system-password)",
            List.of("-D", "wovyr.storage.system-user=" + RUNTIME, "-D", password),
            "GRANT wovyr_system TO " + RUNTIME);
    for (String command :
        List.of(
            "feed tail --all",
            "feed status --all",
            "schedule run --once",
            "schedule run",
            "schedule run --all-tenants")) {
      wrong.forEach((options, message) -> isRefusedAtOnce(command, options, message));
    }
  }

  private static void isRefusedAtOnce(String command, List<String> options, String message) {
    List<String> given = new ArrayList<>(List.of(command.split(" ")));
    given.addAll(options);
    given.addAll(List.of("-D", "wovyr.read.deadline=PT10M"));
    Command.Result result =
        assertTimeoutPreemptively(AT_ONCE, () -> run(As.RUNTIME, given.toArray(String[]::new)));

    String what = command + " " + options;
    assertThat(result.exitCode()).as(what).isIn(options.isEmpty() ? List.of(2) : List.of(1, 3));
    assertThat(result.out()).as(what).isEmpty();
    assertThat(result.error().lines()).as(what).singleElement().asString().contains(message);
  }

  @Test
  void noCommandAndNoOptionIsWithoutAnExample() {
    Set<String> missing = new TreeSet<>();
    CommandLine root = Wovyr.commandLine(Console.system());
    for (CommandSpec command : leaves(root, new ArrayList<>())) {
      String name = command.qualifiedName().substring("wovyr ".length());
      if (ELSEWHERE.contains(name)) {
        continue;
      }
      List<String> examples =
          examples().stream()
              .map(Example::command)
              .filter(one -> (one + " ").startsWith(name + " "))
              .toList();
      if (examples.isEmpty()) {
        missing.add(name);
      }
      for (OptionSpec option : command.options()) {
        boolean shown =
            examples.stream()
                .anyMatch(one -> (one + " ").contains(" " + option.longestName() + " "));
        if (!option.inherited() && !option.usageHelp() && !option.versionHelp() && !shown) {
          missing.add(name + " " + option.longestName());
        }
      }
    }
    assertThat(missing).containsExactly(FOLLOWING);
  }

  private static List<CommandSpec> leaves(CommandLine command, List<CommandSpec> into) {
    if (command.getSubcommands().isEmpty()) {
      into.add(command.getCommandSpec());
    }
    command.getSubcommands().values().forEach(one -> leaves(one, into));
    return into;
  }
}
