/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.Scheduler.Begun;
import io.wovyr.persistence.schedule.Scheduler.Outcome;
import io.wovyr.persistence.schedule.Scheduler.Result;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schedule commands over a real SQLite store. */
final class ScheduleCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private Repositories administrator() {
    return store
        .persistence()
        .as(Caller.of(GlobalOptions.DEFAULT_TENANT, "administrator", Role.READER, Role.ADMIN));
  }

  private Schedule schedule(String name) {
    return administrator().schedules().find(name).orElseThrow();
  }

  private Command.Result ok(String... words) {
    Command.Result result = wovyr.run(words);
    assertThat(result.exitCode()).as("%s", result.error()).isZero();
    return result;
  }

  private void addNightly(String... more) {
    List<String> words =
        new ArrayList<>(List.of("schedule", "add", "nightly", "--definition", "order@2", "--cron"));
    words.addAll(List.of("30 2 * * *", "--zone", "Europe/Berlin"));
    words.addAll(List.of(more));
    ok(words.toArray(String[]::new));
  }

  @Test
  void addsWhatTheOptionsSay() throws IOException {
    Path input = Files.writeString(directory.resolve("input.json"), "{\"region\": \"eu\"}");

    addNightly(
        "--input",
        input.toString(),
        "--misfire",
        "skip",
        "--misfire-after",
        "PT5M",
        "--not-before",
        "2030-01-01T00:00:00Z",
        "--not-after",
        "2031-01-01T00:00:00Z");

    Schedule added = schedule("nightly");
    assertThat(added.expression()).isEqualTo("30 2 * * *");
    assertThat(added.zone()).contains("Europe/Berlin");
    assertThat(added.definitionName()).isEqualTo("order");
    assertThat(added.definitionVersion()).isEqualTo(2);
    assertThat(added.misfire()).isEqualTo(Misfire.SKIP);
    assertThat(added.misfireAfter()).isEqualTo(Duration.ofMinutes(5));
    assertThat(added.nextFireAt()).contains(Instant.parse("2030-01-01T01:30:00Z"));
    assertThat(added.notAfter()).contains(Instant.parse("2031-01-01T00:00:00Z"));
    assertThat(administrator().schedules().input(added))
        .contains(Payload.json("{\"region\": \"eu\"}"));
  }

  @Test
  void addsIntervalsFromNowAndSingleTimes() {
    Instant before = Instant.now();
    ok("schedule", "add", "often", "--definition", "order@2", "--every", "PT10M");
    ok("schedule", "add", "later", "--definition", "order@2", "--at", "2031-05-05T05:05:05Z");

    assertThat(schedule("often").nextFireAt().orElseThrow())
        .isBetween(before.plusSeconds(600), Instant.now().plusSeconds(600));
    assertThat(schedule("later").nextFireAt()).contains(Instant.parse("2031-05-05T05:05:05Z"));
  }

  @Test
  void aFireThatFailsIsSeenOnItsSchedule() throws Exception {
    Files.writeString(directory.resolve("input.txt"), SampleStore.SECRET);
    ok(
        "schedule",
        "add",
        "broken",
        "--definition",
        "a@1",
        "--every",
        "PT1H",
        "--input",
        "input.txt");
    ok("schedule", "add", "well", "--definition", "a@1", "--every", "PT1H");
    assertThat(ok("schedule", "list").out()).doesNotContain("late");
    assertThat(ok("schedule", "show", "broken").out()).doesNotContain("late", "problem");
    store.tamper(
        "UPDATE schedule SET next_fire_at = next_fire_at - 7200000000",
        "UPDATE schedule SET input = substr(input, 1, length(input) - 1) WHERE name = 'broken'");

    Command.Result run = wovyr.run("schedule", "run", "--once");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("well: fired");
    assertThat(run.error()).contains("broken: ");

    assertThat(ok("schedule", "list").out())
        .containsPattern("broken +every 1 h +a 1 +\\S+ \\S+, 1 h late +-")
        .doesNotContainPattern("well .*late");
    assertThat(ok("schedule", "show", "broken").out())
        .containsPattern("late +by 1 h: no scheduler looks, or its fires fail\n")
        .containsPattern(
            "problem +its input cannot be opened with the settings here: .*payload is cut")
        .doesNotContain(SampleStore.SECRET);
    Parsed shown = Parsed.of(ok("schedule", "show", "broken", "--output", "json").out());
    assertThat(shown.text("problem")).contains("input");
    assertThat(Duration.parse(shown.text("lateBy"))).isGreaterThan(Duration.ofMinutes(59));
    Parsed list = Parsed.of(ok("schedule", "list", "--output", "json").out());
    assertThat(list.item("schedules", 0).isNull("lateBy")).isFalse();
    assertThat(list.item("schedules", 1).isNull("lateBy")).isTrue();
  }

  @Test
  void aPausedScheduleTellsThatItsDefinitionWasArchived() {
    administrator().definitions().add(NewDefinition.of("gone", Payload.text("one"))).orThrow();
    ok("schedule", "add", "orphan", "--definition", "gone@1", "--every", "PT1H");
    ok("definition", "archive", "gone@1");

    assertThat(ok("schedule", "show", "orphan").out())
        .containsPattern("problem +definition gone@1 is ARCHIVED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cron   | 0 3 31 2          | UTC",
        "cron   | 0 3 * * *         | Mars/Olympus",
        "every  | when it pleases   | ",
        "every  | PT0.001S          | ",
        "once   | tomorrow          | ",
        "lunar  | full moon         | "
      })
  void aTimingThatThisVersionCannotReadIsToldOfItsSchedule(
      String kind, String expression, String zone) throws Exception {
    addNightly();
    store.tamper(
        "UPDATE schedule SET kind = '%s', expression = '%s', zone = %s"
            .formatted(kind, expression, zone == null ? "NULL" : "'" + zone + "'"));

    assertThat(ok("schedule", "list").out()).contains("nightly", expression);
    Command.Result shown = wovyr.run("schedule", "show", "nightly");
    Command.Result json = wovyr.run("schedule", "show", "nightly", "--output", "json");
    Command.Result next = wovyr.run("schedule", "next", "nightly");

    assertThat(next.exitCode()).isEqualTo(4);
    assertThat(shown.exitCode()).as(shown.error()).isEqualTo(4);
    assertThat(shown.out())
        .containsPattern("timing +.*" + expression)
        .containsPattern("problem +.*schedule nightly .*not known here");
    assertThat(json.exitCode()).isEqualTo(4);
    assertThat(Parsed.of(json.out()).text("problem")).contains("not known here");
    assertThat(Parsed.of(json.out()).text("expression")).isEqualTo(expression);
  }

  @Test
  void takesTheNewestStoredDefinitionWhenNoVersionIsSaid() {
    Command.Result none =
        wovyr.run("schedule", "add", "a", "--definition", "invoice", "--every", "PT1H");
    assertThat(none.exitCode()).isEqualTo(5);
    assertThat(none.error()).contains("invoice@1");
    administrator().definitions().add(NewDefinition.of("invoice", Payload.text("one"))).orThrow();
    administrator()
        .definitions()
        .add(NewDefinition.of("invoice", Payload.text("two")).withVersion(7))
        .orThrow();

    ok("schedule", "add", "a", "--definition", "invoice", "--every", "PT1H");

    assertThat(schedule("a").definitionVersion()).isEqualTo(7);
  }

  @Test
  void listsAndPages() {
    addNightly();
    ok("schedule", "add", "often", "--definition", "order@2", "--every", "PT10M");
    ok("schedule", "add", "weekly", "--definition", "order@2", "--cron", "0 6 * * MON");
    ok("schedule", "pause", "often");

    Command.Result result = ok("schedule", "list");

    assertThat(result.lines()).hasSize(4);
    assertThat(result.out())
        .containsPattern("nightly +30 2 \\* \\* \\* in Europe/Berlin +order 2 +\\d{4}-")
        .containsPattern("often +every 10 min +order 2 +paused +- +0")
        .containsPattern("weekly +0 6 \\* \\* MON in UTC");
    Parsed first = Parsed.of(ok("schedule", "list", "--limit", "2", "--output", "json").out());
    assertThat(first.size("schedules")).isEqualTo(2);
    assertThat(first.item("schedules", 0).text("name")).isEqualTo("nightly");
    assertThat(first.item("schedules", 0).text("zone")).isEqualTo("Europe/Berlin");
    Parsed second =
        Parsed.of(ok("schedule", "list", "--after", first.text("next"), "--output", "json").out());
    assertThat(second.item("schedules", 0).text("name")).isEqualTo("weekly");
  }

  @Test
  void saysHowToBeginWhenThereIsNone() {
    assertThat(ok("schedule", "list").out())
        .contains("there are no schedules of tenant 'orders'", "wovyr schedule add");
  }

  @Test
  void showsAScheduleWithItsInputOnlyWhenAsked() throws IOException {
    Path input =
        Files.writeString(
            directory.resolve("input.json"), "{\"card\":\"" + SampleStore.SECRET + "\"}");
    addNightly("--input", input.toString());

    String shown = ok("schedule", "show", "nightly").out();

    assertThat(shown)
        .contains("30 2 * * * in Europe/Berlin", "application/json, 30 B", "fire-once")
        .contains("wovyr schedule next nightly")
        .doesNotContain(SampleStore.SECRET);
    assertThat(ok("schedule", "show", "nightly", "--values").out()).contains(SampleStore.SECRET);
    Parsed json = Parsed.of(ok("schedule", "show", "nightly", "--output", "json").out());
    assertThat(json.text("misfire")).isEqualTo("fire-once");
    assertThat(json.text("misfireAfter")).isEqualTo("PT1M");
    assertThat(json.number("fires")).isZero();
    assertThat(json.node().at("/input/length").asInt()).isEqualTo(30);
    assertThat(json.node().at("/input/json").isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("C093: a preview shows what becomes of a time inside the missing hour")
  void previewsTheFiresOfAStoredScheduleAndOfOneThatIsOnlyThoughtAbout() {
    addNightly();
    String[] across = {"--after", "2026-03-28T00:00:00Z", "--count", "3"};

    Command.Result stored = ok(words("schedule next nightly", across));

    assertThat(stored.lines().subList(1, 4))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("2026-03-28 01:30:00  Sat 2026-03-28 02:30:00 +01"),
            line -> assertThat(line).startsWith("2026-03-29 01:30:00  Sun 2026-03-29 03:30:00 +02"),
            line ->
                assertThat(line).startsWith("2026-03-30 00:30:00  Mon 2026-03-30 02:30:00 +02"));
    List<String> thought = new ArrayList<>(List.of("schedule", "next", "--output", "json"));
    thought.addAll(List.of("--cron", "30 2 * * *", "--zone", "Europe/Berlin"));
    thought.addAll(List.of(across));
    Parsed json = Parsed.of(ok(thought.toArray(String[]::new)).out());
    assertThat(json.node().at("/times").values())
        .extracting(time -> time.asString())
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z");
    assertThat(json.node().at("/name").isNull()).isTrue();
  }

  @Test
  void triesATimingOutWithoutAStore() {
    Command elsewhere = new Command(directory.resolve("elsewhere"));
    Command.Result next = elsewhere.run("schedule", "next", "--cron", "0 3 * * *", "--count", "2");
    Command.Result never = elsewhere.run("schedule", "next", "--cron", "0 0 30 2 *");

    assertThat(next.exitCode()).as(next.error()).isZero();
    assertThat(next.lines()).hasSize(3);
    assertThat(elsewhere.store()).doesNotExist();
    assertThat(never.exitCode()).isEqualTo(2);
    assertThat(never.error()).contains("never fires");
    for (String count : List.of("0", "1001")) {
      assertThat(elsewhere.run("schedule", "next", "--every", "PT1H", "--count", count).exitCode())
          .isEqualTo(2);
    }
  }

  @Test
  void aScheduleOfADefinitionThatIsNotStoredIsAddedWithAWarning() {
    administrator().definitions().add(NewDefinition.of("order", Payload.text("one"))).orThrow();

    assertThat(ok(words("schedule add a --every PT1H --definition order@1")).error()).isEmpty();
    assertThat(ok(words("schedule add b --every PT1H --definition order@2")).error())
        .contains("warning: definition order@2 is not stored here");
  }

  @Test
  void aTimeThatIsNoneIsRefusedWithoutTheNamesOfJava() {
    for (String wrong :
        List.of("--at yesterday", "--every soon", "--every PT1H --not-before 2026-13-01")) {
      Command.Result result = wovyr.run(words("schedule add a --definition order@1 " + wrong));
      assertThat(result.exitCode()).as(wrong).isEqualTo(2);
      assertThat(result.error()).contains(" such as ").doesNotContain("java.", "Exception");
    }
  }

  private static String[] words(String first, String... more) {
    List<String> all = new ArrayList<>(List.of(first.split(" ")));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void pausesResumesAndRemoves() {
    addNightly();

    assertThat(ok("schedule", "pause", "nightly").out()).contains("wovyr schedule resume nightly");
    assertThat(schedule("nightly").paused()).isTrue();
    assertThat(ok("schedule", "next", "nightly").out()).contains("is paused; it would fire");
    assertThat(wovyr.run("schedule", "pause", "nightly").exitCode()).isEqualTo(1);
    Parsed resumed = Parsed.of(ok("schedule", "resume", "nightly", "--output", "json").out());
    assertThat(resumed.node().at("/paused").asBoolean()).isFalse();
    assertThat(schedule("nightly").nextFireAt()).isPresent();
    ok("schedule", "pause", "nightly");
    assertThat(ok("schedule", "resume", "nightly").out()).contains("next: ").endsWith(" UTC\n");
    assertThat(ok("schedule", "remove", "nightly").out()).contains("fired 0 times");
    assertThat(administrator().schedules().find("nightly")).isEmpty();
    Command.Result gone = wovyr.run("schedule", "remove", "nightly");
    assertThat(gone.exitCode()).isEqualTo(5);
    assertThat(gone.error()).contains("'nightly'", "wovyr schedule list");
  }

  @Test
  void replacesOnlyWhenToldTo() {
    addNightly();
    String[] other = {"schedule", "add", "nightly", "--definition", "order@3", "--every", "PT1H"};

    Command.Result refused = wovyr.run(other);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.error()).contains("--replace");
    assertThat(schedule("nightly").kind()).isEqualTo("cron");
    assertThat(
            ok(words(
                    "schedule",
                    "add",
                    "nightly",
                    "--definition",
                    "order@3",
                    "--every",
                    "PT1H",
                    "--replace"))
                .out())
        .contains("replaced");
    assertThat(schedule("nightly").kind()).isEqualTo("every");
    assertThat(schedule("nightly").definitionVersion()).isEqualTo(3);
  }

  @Test
  void wrongTimingsAreAnsweredInOneLineThatSaysWhatIsWrong() {
    assertWrong("never fires", "--cron", "0 0 30 2 *");
    assertWrong("'hour'", "--cron", "0 24 * * *");
    assertWrong(
        "no time zone 'Europe/Atlantis'", "--cron", "0 1 * * *", "--zone", "Europe/Atlantis");
    assertWrong("1 second", "--every", "PT0.5S");
    assertWrong("--every", "--every", "ten minutes");
    assertWrong("in one of three ways");
    assertWrong("in one of three ways", "--every", "PT1M", "--cron", "0 1 * * *");
    assertWrong("--zone goes with --cron", "--every", "PT1M", "--zone", "UTC");
    assertWrong(
        "--anchor goes with --every", "--cron", "0 1 * * *", "--anchor", "2026-01-01T00:00:00Z");
    assertWrong("--misfire", "--every", "PT1M", "--misfire", "never");
    assertWrong("there is no file", "--every", "PT1M", "--input", "no-such-file");
    assertThat(administrator().schedules().find("wrong")).isEmpty();
    assertThat(wovyr.run("schedule", "next").error()).contains("give the name of a schedule");
    assertThat(wovyr.run("schedule", "next", "a", "--every", "PT1M").exitCode()).isEqualTo(2);
  }

  private void assertWrong(String reason, String... timing) {
    Command.Result result = wovyr.run(words("schedule add wrong --definition order@1", timing));
    assertThat(result.exitCode()).as("%s", (Object) timing).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.error().lines()).singleElement().asString().contains(reason);
  }

  /** Fires once, now. */
  private void addPulse() {
    NewSchedule pulse =
        NewSchedule.of(
            "pulse", new Timing.Once(Instant.now().minusSeconds(1)), DefinitionRef.of("order", 2));
    administrator().schedules().add(pulse).orThrow();
  }

  @Test
  void runsWhatIsDueOnceAndSaysWhatItFired() {
    addPulse();
    Command.Result fired = ok("schedule", "run", "--once");
    assertThat(fired.out()).startsWith("pulse: fired pulse@").hasLineCount(1);
    assertThat(schedule("pulse").fires()).isEqualTo(1);
    assertThat(ok("schedule", "run", "--once").out()).isEmpty();
  }

  @Test
  void aRunInJsonIsADocumentALine() {
    addPulse();
    Command.Result fired = ok("schedule", "run", "--once", "--all-tenants", "--output", "json");
    assertThat(fired.out()).hasLineCount(1);
    Parsed json = Parsed.of(fired.out());
    assertThat(json.text("tenantId")).isEqualTo(GlobalOptions.DEFAULT_TENANT);
    assertThat(json.text("schedule")).isEqualTo("pulse");
    assertThat(json.text("result")).isEqualTo("FIRED");
    assertThat(json.item("executions", 0).text("workflowId")).startsWith("pulse@");
    assertThat(json.isNull("problem")).isTrue();
  }

  @Test
  void aRunSaysWhyAScheduleIsRefused() {
    Repositories administrator = administrator();
    administrator
        .definitions()
        .add(NewDefinition.of("order", Payload.text("steps")).withVersion(2))
        .orThrow();
    addPulse();
    administrator
        .definitions()
        .move(administrator.definitions().find("order", 2).orElseThrow(), DefinitionStatus.ARCHIVED)
        .orThrow();
    Command.Result refused = wovyr.run("schedule", "run", "--once");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.error()).contains("pulse: ", "was paused", "ARCHIVED");
    assertThat(refused.out()).isEmpty();
  }

  @Test
  void runsForAsLongAsItIsTold() {
    addPulse();
    Command.Result run = ok("schedule", "run", "--for", "PT2S", "--every", "PT0.01S");
    assertThat(run.out()).startsWith("pulse: fired pulse@").hasLineCount(1);
  }

  /** Its own start, which may take longer, is no part of the time. */
  @Test
  void firesAllThatWasDueHoweverShortItRuns() {
    for (int i = 0; i < 30; i++) {
      administrator()
          .schedules()
          .add(
              NewSchedule.of(
                  "pulse-" + i,
                  new Timing.Once(Instant.now().minusSeconds(1)),
                  DefinitionRef.of("order", 2)))
          .orThrow();
    }
    Command.Result run = ok("schedule", "run", "--for", "PT0.001S");
    assertThat(run.out().lines().filter(line -> line.contains(": fired "))).hasSize(30);
    assertThat(run.error()).isEmpty();
  }

  /** The time may be over before the run begins, and a scheduler that is closed refuses to. */
  @Test
  void aRunThatIsOverBeforeItBeganEndsAsIfItHadRun() {
    SchedulerOptions options =
        SchedulerOptions.of("early").withTenant(GlobalOptions.DEFAULT_TENANT);
    Scheduler closed = store.persistence().scheduler(options);
    closed.close();
    AtomicBoolean over = new AtomicBoolean();

    assertThatIllegalStateException()
        .isThrownBy(() -> ScheduleRunCommand.unlessOver(over, () -> closed.run(outcome -> {})));
    ScheduleRunCommand.unlessOver(
        over,
        () -> {
          over.set(true);
          closed.run(outcome -> {});
        });
    ScheduleRunCommand.unlessOver(over, () -> fail("it is over"));
  }

  @Test
  void whatIsStillDueIsCountedBehindWhatOthersHaveDue() {
    SystemAccess system = store.persistence().system("test");
    addPulse();
    assertThat(ScheduleRunCommand.countDue(system, due -> true, 1)).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      administrator()
          .schedules()
          .add(
              NewSchedule.of(
                  "older-" + i,
                  new Timing.Once(Instant.now().minusSeconds(7_200)),
                  DefinitionRef.of("order", 2)))
          .orThrow();
    }
    Predicate<DueSchedule> ours = due -> due.name().equals("pulse");
    assertThat(ScheduleRunCommand.countDue(system, ours, 2)).isEqualTo(1);
    assertThat(ScheduleRunCommand.countDue(system, due -> true, 3)).isEqualTo(3);
    assertThat(ScheduleRunCommand.countDue(system, due -> true, 10)).isEqualTo(5);
  }

  @Test
  void aStoreThatIsAwayAtTheEndLeavesTheRunAGoodOne() {
    FailingProvider.failReadsWith(() -> new Unavailable("the store is away", null));
    try {
      Command.Result run =
          ok("schedule", "run", "--for", "PT0.001S", "--provider", FailingProvider.NAME);
      assertThat(run.error()).contains("what is still due is not known (the store is away");
    } finally {
      FailingProvider.heal();
    }
  }

  @Test
  void aRunThatStandsByTellsWhatIsStillDue() {
    try (Scheduler other =
        store
            .persistence()
            .scheduler(SchedulerOptions.of("other").withTenant(GlobalOptions.DEFAULT_TENANT))) {
      assertThat(other.fireDue()).isEmpty();
      addPulse();
      Command.Result run = ok("schedule", "run", "--for", "PT0.001S");
      assertThat(run.out()).isEmpty();
      assertThat(run.error()).contains("1 schedule is still due: wovyr schedule run --once");
    }
  }

  @Test
  void everyExecutionThatIsFiredHasALineOfItsOwn() {
    List<Begun> begun =
        List.of(new Begun(new UUID(0, 1), "pulse@1"), new Begun(new UUID(0, 2), "pulse@2"));
    Outcome fired = new Outcome("orders", "pulse", Result.FIRED, begun, Optional.empty());
    Outcome passed =
        new Outcome("orders", "pulse", Result.PASSED_OVER, List.of(), Optional.empty());

    assertThat(ScheduleRunCommand.lines("pulse", fired))
        .containsExactly(
            "pulse: fired pulse@1 (" + new UUID(0, 1) + ")",
            "pulse: fired pulse@2 (" + new UUID(0, 2) + ")");
    assertThat(ScheduleRunCommand.lines("pulse", passed)).containsExactly("pulse: passed over");
  }

  @Test
  void aRunIsEndedByAnInterrupt() {
    addPulse();
    Background run = Background.run(wovyr, "schedule", "run", "--every", "PT0.01S");
    run.awaitLines(1);
    run.interrupt();
    assertThat(run.awaitExit()).isZero();
  }

  @Test
  void refusesOptionsOfARunThatMakeNoSense() {
    for (String[] wrong :
        List.of(
            new String[] {"--once", "--for", "PT1S"},
            new String[] {"--for", "PT0S"},
            new String[] {"--for", "PT9000000000000H"},
            new String[] {"--every", "PT2H"},
            new String[] {"--lease", "PT0.1S"})) {
      List<String> words = new ArrayList<>(List.of("schedule", "run"));
      words.addAll(List.of(wrong));
      assertThat(wovyr.run(words.toArray(String[]::new)).exitCode()).as("%s", words).isEqualTo(2);
    }
  }
}
