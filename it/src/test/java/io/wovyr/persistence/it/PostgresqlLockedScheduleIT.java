/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.Scheduler.Outcome;
import io.wovyr.persistence.schedule.Scheduler.Result;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Timing;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A scheduler beside a schedule whose row somebody else holds: a transaction that is no concern of
 * ours, such as one of a person who forgot to end it.
 */
final class PostgresqlLockedScheduleIT {
  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofMinutes(2);

  /** A try at the locked one takes all of the deadline; the rest is for a slow machine. */
  private static final Duration IN_TIME = DEADLINE.plusSeconds(7);

  private static final List<String> OTHERS =
      IntStream.range(0, 5).mapToObj(number -> "other-" + number).toList();

  private PostgresServer.Database database;
  private Persistence persistence;
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.commit.deadline", DEADLINE.toString())
            .setting("wovyr.sealing.provider", "none");
    database.settings().forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    persistence = builder.build();
  }

  @AfterEach
  void close() {
    persistence.close();
    database.close();
  }

  private Repositories admin() {
    return persistence.as(Caller.of("acme", "planner", Role.ADMIN));
  }

  private void add(String name, Timing timing) {
    NewSchedule schedule = NewSchedule.of(name, timing, DefinitionRef.of("report", 3));
    admin().schedules().add(schedule).orThrow();
  }

  private Schedule schedule(String name) {
    return admin().schedules().find(name).orElseThrow();
  }

  private List<WorkflowExecution> begun() {
    return admin().executions().list(Optional.empty(), 1_000, Optional.empty()).items();
  }

  private long count(String schedule, Result result) {
    return outcomes.stream()
        .filter(outcome -> outcome.schedule().equals(schedule) && outcome.result() == result)
        .count();
  }

  private static void await(String what, BooleanSupplier reached) {
    Instant until = Instant.now().plus(SOON);
    while (!reached.getAsBoolean()) {
      assertThat(Instant.now()).as("waiting for %s", what).isBefore(until);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** How late the execution of a fire was begun. */
  private static Duration late(WorkflowExecution execution) {
    Instant time = Instant.parse(execution.workflowId().replaceAll(".*@", ""));
    return Duration.between(time, execution.startedAt());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theOthersFireInTimeAndTheLockedOneOnceWhenItIsFree(boolean leased) throws Exception {
    add("locked", new Timing.Once(Instant.now()));
    OTHERS.forEach(name -> add(name, new Timing.Every(Duration.ofSeconds(1), Instant.now())));
    SchedulerOptions options = SchedulerOptions.of("node-1").lookingEvery(Duration.ofMillis(100));
    try (Connection holder = database.admin();
        Statement statement = holder.createStatement();
        Scheduler scheduler = persistence.scheduler(leased ? options : options.withoutLease())) {
      holder.setAutoCommit(false);
      statement.execute("SELECT 1 FROM schedule WHERE name = 'locked' FOR UPDATE");
      scheduler.start(outcomes::add);

      await("tries at the locked one", () -> count("locked", Result.FAILED) >= 2);
      await(
          "fires of the others",
          () -> OTHERS.stream().allMatch(name -> count(name, Result.FIRED) >= 5));
      assertThat(schedule("locked").fires()).isZero();
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FAILED)
          .extracting(Outcome::schedule)
          .containsOnly("locked");
      assertThat(begun())
          .hasSizeGreaterThanOrEqualTo(25)
          .allSatisfy(
              execution ->
                  assertThat(late(execution)).as(execution.workflowId()).isLessThan(IN_TIME));

      holder.rollback();
      await("the locked one", () -> count("locked", Result.FIRED) == 1);
      long fires = schedule("other-0").fires();
      await("others beside it", () -> schedule("other-0").fires() > fires);
    }

    assertThat(count("locked", Result.FIRED)).isEqualTo(1);
    assertThat(schedule("locked").fires()).isEqualTo(1);
    assertThat(schedule("locked").nextFireAt()).isEmpty();
    assertThat(begun())
        .filteredOn(execution -> execution.workflowId().startsWith("locked@"))
        .hasSize(1);
  }
}
