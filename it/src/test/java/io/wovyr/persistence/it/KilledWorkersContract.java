/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes that work and fire schedules, killed by SIGKILL at any moment: one of them, both,
 * and one that has just taken over what the other left. {@code -Dwovyr.test.kills=200} kills as
 * often, {@code -Dwovyr.test.seed} repeats the choices of a run.
 */
abstract class KilledWorkersContract {
  private static final int KILLS = Integer.getInteger("wovyr.test.kills", 3);
  private static final long SEED = Long.getLong("wovyr.test.seed", System.nanoTime());
  private static final int SAGAS = 4;
  private static final String TENANT = "acme";
  private static final Duration SOON = Duration.ofMinutes(3);

  /** In which a lease that was left behind is taken over. */
  private static final Duration STANDING_STILL = KilledWorker.TTL.multipliedBy(5);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MISFIRE_AFTER = Duration.ofSeconds(3);

  /** In which nobody fires, so that times are missed. */
  private static final Duration NOBODY = MISFIRE_AFTER.plusSeconds(2);

  @TempDir Path directory;
  private final Random random = new Random(SEED);
  private final List<UUID> sagas = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private Path effects;
  private Persistence persistence;

  /** Name of the provider. */
  abstract String provider();

  /** Everything a process needs to open the store. */
  abstract Map<String, String> settings();

  abstract Persistence open();

  private Repositories repositories() {
    return persistence.as(Caller.of(TENANT, "test", Role.values()));
  }

  @Test
  @DisplayName(
      "workers killed anywhere: each step is undone once in reverse order, each retry comes once"
          + " with its delay, each time fires once or is missed by its rule")
  void whateverIsKilledIsDoneOnceByWhoeverComesNext() throws Exception {
    effects = Files.createFile(directory.resolve("effects"));
    try (Persistence opened = open()) {
      persistence = opened;
      for (Misfire misfire : Misfire.values()) {
        Timing timing = new Timing.Every(SECOND, Instant.now());
        repositories()
            .schedules()
            .add(
                NewSchedule.of(misfire.name(), timing, DefinitionRef.of("beat", 1))
                    .withMisfire(misfire, MISFIRE_AFTER))
            .orThrow();
      }
      killAndFinish();
      sagas.forEach(this::assertDoneOnce);
      assertEffectsInOrder();
      for (Misfire misfire : Misfire.values()) {
        assertFired(misfire);
      }
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + ", problems " + problems, e);
    }
  }

  private void killAndFinish() throws InterruptedException {
    begin();
    try (Worker leased = new Worker("leased");
        Worker free = new Worker("free")) {
      leased.start();
      free.start();
      for (int kill = 0; kill < KILLS; kill++) {
        Worker one = random.nextBoolean() ? leased : free;
        Worker other = one == leased ? free : leased;
        begin();
        one.await("READY");
        int steps = random.nextInt(20);
        for (int i = 0; i < steps; i++) {
          one.await("STEP");
        }
        LockSupport.parkNanos(random.nextInt(20_000_000));
        one.kill();
        if (kill % 3 == 1) {
          other.kill();
          LockSupport.parkNanos(NOBODY.toNanos());
          other.start();
        } else if (kill % 3 == 2) {
          // Where it left nothing behind, at some moment of the other.
          other.saidWithin("TAKEN", STANDING_STILL);
          other.kill();
          other.start();
        }
        one.start();
      }
      await("rollbacks", () -> sagas.stream().allMatch(this::isOver));
      await("fires", () -> schedule(Misfire.FIRE_ALL).nextFireAt().isPresent() && isQuiet());
    }
  }

  private boolean isOver(UUID id) {
    return repositories().executions().find(id).orElseThrow().status()
        == ExecutionStatus.COMPENSATED;
  }

  /** No fire is due: what is counted then belongs together. */
  private boolean isQuiet() {
    return Stream.of(Misfire.values())
        .allMatch(one -> schedule(one).nextFireAt().orElseThrow().isAfter(Instant.now()));
  }

  private Schedule schedule(Misfire misfire) {
    return repositories().schedules().find(misfire.name()).orElseThrow();
  }

  private void begin() {
    for (int i = 0; i < SAGAS; i++) {
      UUID id = UUID.randomUUID();
      repositories()
          .executions()
          .create(NewExecution.of(DefinitionRef.of(KilledWorker.SAGA, 1)).withId(id))
          .orThrow();
      sagas.add(id);
    }
  }

  private static void await(String what, java.util.function.BooleanSupplier reached) {
    Instant until = Instant.now().plus(SOON);
    while (!reached.getAsBoolean()) {
      assertThat(Instant.now()).as("waiting for %s", what).isBefore(until);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private List<WorkflowEvent> events(UUID id, Predicate<String> types) {
    List<WorkflowEvent> found = new ArrayList<>();
    Optional<String> next = Optional.of("1");
    while (next.isPresent()) {
      var page = repositories().events().read(id, Long.parseLong(next.get()), 1_000);
      page.items().stream().filter(event -> types.test(event.type())).forEach(found::add);
      next = page.next();
    }
    return found;
  }

  private List<String> types(UUID id, String begin) {
    return events(id, type -> type.startsWith(begin)).stream().map(WorkflowEvent::type).toList();
  }

  private static List<String> numbered(String begin, IntStream numbers) {
    return numbers.mapToObj(number -> begin + number).toList();
  }

  private static IntStream down() {
    return IntStream.iterate(KilledWorker.STEPS, i -> i > 0, i -> i - 1);
  }

  private void assertDoneOnce(UUID id) {
    assertThat(types(id, "Did-"))
        .containsExactlyElementsOf(numbered("Did-", IntStream.rangeClosed(1, KilledWorker.STEPS)));
    assertThat(types(id, "Undone-")).containsExactlyElementsOf(numbered("Undone-", down()));
    assertThat(types(id, "UndoFailed-")).containsExactly("UndoFailed-" + KilledWorker.HARD);
    assertThat(types(id, "Undoing-").stream().distinct())
        .containsExactlyElementsOf(numbered("Undoing-", down()));
    List<CompensationRecord> stack = repositories().compensations().all(id);
    assertThat(stack)
        .hasSize(KilledWorker.STEPS)
        .allMatch(entry -> entry.status() == CompensationStatus.COMPENSATED);
    for (CompensationRecord entry : stack) {
      assertThat(entry.attempts())
          .as("attempts at %d of %s", entry.position(), id)
          .isEqualTo(types(id, "Undoing-" + entry.position()).size());
      assertThat(repositories().compensations().history(entry))
          .hasSize(entry.position() == KilledWorker.HARD ? 1 : 0);
    }
    assertRetriedOnce(id);
  }

  private void assertRetriedOnce(UUID id) {
    List<String> all = new ArrayList<>();
    for (int attempt = 1; attempt <= KilledWorker.ATTEMPTS; attempt++) {
      all.add("Started-" + attempt);
      all.add("Failed-" + attempt);
    }
    List<WorkflowEvent> attempts =
        events(id, type -> type.startsWith("Started-") || type.startsWith("Failed-"));
    assertThat(attempts).extracting(WorkflowEvent::type).containsExactlyElementsOf(all);
    RetryRecord retry = repositories().retries().find(id, "charge").orElseThrow();
    assertThat(retry.status()).isEqualTo(RetryStatus.EXHAUSTED);
    assertThat(retry.attempts()).isEqualTo(KilledWorker.ATTEMPTS);
    List<FailedAttempt> history = repositories().retries().history(retry);
    assertThat(history).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3);
    for (int i = 0; i < history.size(); i++) {
      FailedAttempt failed = history.get(i);
      String told =
          repositories().events().payload(attempts.get(2 * i + 1)).orElseThrow().content().utf8();
      assertThat(failed.delay().map(Duration::toString).orElse("none"))
          .as("delay after attempt %d of %s", i + 1, id)
          .isEqualTo(told);
      if (failed.delay().isPresent()) {
        assertThat(attempts.get(2 * i + 2).header().createdAt())
            .as("begin of attempt %d of %s", i + 2, id)
            .isAfterOrEqualTo(failed.failedAt().plus(failed.delay().get()));
      }
    }
  }

  /** An outside system refuses a token that is lower than one it has seen. */
  private void assertEffectsInOrder() throws IOException {
    Map<String, Long> tokens = new HashMap<>();
    Map<String, List<String>> seen = new HashMap<>();
    for (String line : Files.readAllLines(effects)) {
      String[] words = line.split(" ");
      long token = Long.parseLong(words[1]);
      if (token >= tokens.merge(words[0], token, Math::max)) {
        seen.computeIfAbsent(words[0], unused -> new ArrayList<>()).add(words[2]);
      }
    }
    List<String> wanted =
        Stream.concat(
                IntStream.rangeClosed(1, KilledWorker.ATTEMPTS).mapToObj(i -> "charge-" + i),
                down().mapToObj(i -> "undo-" + i))
            .toList();
    for (UUID id : sagas) {
      List<String> all = seen.getOrDefault(id.toString(), List.of());
      List<String> without = new ArrayList<>();
      for (String effect : all) {
        if (without.isEmpty() || !without.get(without.size() - 1).equals(effect)) {
          without.add(effect);
        }
      }
      assertThat(without).as("effects of %s, repeated ones once", id).isEqualTo(wanted);
    }
  }

  private void assertFired(Misfire misfire) {
    Schedule schedule = schedule(misfire);
    Map<Instant, WorkflowExecution> begun = new HashMap<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page =
          repositories().executions().list(Optional.empty(), 1_000, next);
      for (WorkflowExecution execution : page.items()) {
        if (execution.workflowId().startsWith(misfire.name() + "@")) {
          Instant time = Instant.parse(execution.workflowId().replaceAll(".*@", ""));
          assertThat(begun.put(time, execution)).as("second fire of %s", time).isNull();
        }
      }
      next = page.next();
    } while (next.isPresent());
    assertThat(schedule.fires()).as("fires of %s", misfire).isEqualTo(begun.size());
    Instant time =
        repositories().schedules().next(schedule, schedule.header().createdAt(), 1).get(0);
    List<Instant> missed = new ArrayList<>();
    for (; time.isBefore(schedule.nextFireAt().orElseThrow()); time = time.plus(SECOND)) {
      WorkflowExecution execution = begun.remove(time);
      if (execution == null) {
        missed.add(time);
      } else {
        if (misfire == Misfire.FIRE_ALL) {
          assertThat(missed).as("left out before %s", time).isEmpty();
        }
        Instant at = execution.header().createdAt();
        boolean late = time.plus(MISFIRE_AFTER).isBefore(at.minus(SECOND));
        assertThat(late && misfire == Misfire.SKIP).as("late fire of %s", time).isFalse();
        missed.forEach(
            one -> assertThat(one.plus(MISFIRE_AFTER)).as("%s of %s", one, misfire).isBefore(at));
        missed.clear();
      }
    }
    if (misfire == Misfire.FIRE_ALL) {
      assertThat(missed).as("missed at the end").isEmpty();
    }
    assertThat(begun.keySet()).as("at other times").isEmpty();
    assertThat(repositories().executions().list(Optional.empty(), 1, Optional.empty()).items())
        .isNotEmpty();
  }

  /** A worker's process, and the next one of its name. */
  private final class Worker implements AutoCloseable {
    private final String name;
    private int number;
    private Process process;
    private LinkedBlockingQueue<String> lines;

    Worker(String name) {
      this.name = name;
    }

    void start() {
      number++;
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m", "-cp"));
      command.addAll(List.of(System.getProperty("java.class.path"), KilledWorker.class.getName()));
      command.addAll(List.of(name + "-" + number, TENANT, effects.toString(), provider()));
      settings().forEach((key, value) -> command.add(key + "=" + value));
      try {
        process =
            new ProcessBuilder(command)
                .redirectError(
                    ProcessBuilder.Redirect.appendTo(directory.resolve(name + ".log").toFile()))
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
      lines = said;
      Process from = process;
      Thread reader = new Thread(() -> read(from, said), name + "-lines");
      reader.setDaemon(true);
      reader.start();
    }

    private void read(Process from, LinkedBlockingQueue<String> said) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          said.add(line);
        }
      } catch (IOException e) {
        // It was killed.
      }
      said.add("GONE");
    }

    void await(String word) throws InterruptedException {
      assertThat(saidWithin(word, SOON)).as("%s of %s", word, name).isTrue();
    }

    /** What else it says is passed over. */
    boolean saidWithin(String word, Duration most) throws InterruptedException {
      long until = System.nanoTime() + most.toNanos();
      String line = "";
      while (line != null && !line.startsWith(word)) {
        line = lines.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(line).as(name).isNotEqualTo("GONE");
        if (line != null && line.startsWith("PROBLEM")) {
          problems.add(line);
        }
      }
      return line != null;
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
      process.destroyForcibly();
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
    }
  }
}
