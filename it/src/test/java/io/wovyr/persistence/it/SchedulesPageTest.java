/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.schedule.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of {@code docs/schedules.md}: it is this, in this order, and it works. */
final class SchedulesPageTest {
  private static final System.Logger log = System.getLogger(SchedulesPageTest.class.getName());
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Persistence persistence;

  @BeforeEach
  void openStore() {
    persistence = SqliteFile.orders(directory);
  }

  @AfterEach
  void closeStore() {
    persistence.close();
  }

  private static List<Instant> add(Persistence persistence) {
    // page:begin
    Caller planner = Caller.of("acme", "planner", Role.ADMIN);
    Schedules schedules = persistence.as(planner).schedules();
    Timing nightly = Timing.Cron.of("30 2 * * *", "Europe/Berlin");
    schedules
        .add(
            NewSchedule.of("nightly-report", nightly, DefinitionRef.of("report", 3))
                .withInput(Payload.json("{\"region\":\"eu\"}")))
        .orThrow();
    var next = schedules.next(nightly, Instant.now(), 5); // when it will fire
    // page:end
    return next;
  }

  private static void run(Persistence persistence, CountDownLatch stopped) throws Exception {
    // page:begin
    try (Scheduler scheduler = persistence.scheduler(SchedulerOptions.of("node-1"))) {
      scheduler.start(outcome -> log.log(INFO, "{0} {1}", outcome.schedule(), outcome.result()));
      stopped.await();
    }
    // page:end
  }

  private static void fireByHand(Persistence persistence) {
    // page:begin
    for (DueSchedule due : persistence.system("scheduler").dueSchedules(100)) {
      Caller caller = Caller.of(due.tenantId(), "scheduler", Role.WRITER);
      Schedules schedules = persistence.as(caller).schedules();
      try {
        schedules.find(due.name()).ifPresent(schedules::fire);
      } catch (PersistenceException e) { // one that cannot be fired must not hold up the others
        log.log(WARNING, "schedule " + due.name() + " was not fired", e);
      }
    }
    // page:end
  }

  private Repositories admin() {
    return persistence.as(Caller.of("acme", "planner", Role.ADMIN));
  }

  private void addDue(String name, DefinitionRef definition, Duration ago) {
    Timing once = new Timing.Once(Instant.now().minus(ago));
    admin().schedules().add(NewSchedule.of(name, once, definition)).orThrow();
  }

  private List<String> begun() {
    return admin().executions().list(Optional.empty(), 10, Optional.empty()).items().stream()
        .map(WorkflowExecution::workflowId)
        .map(workflowId -> workflowId.replaceAll("@.*", ""))
        .toList();
  }

  @Test
  void aScheduleSaysWhenItWillFire() {
    assertThat(add(persistence)).hasSize(5).isSorted();
    assertThat(admin().schedules().find("nightly-report")).isPresent();
  }

  @Test
  void aSchedulerFiresWhatIsDueUntilItIsClosed() throws Exception {
    addDue("now", DefinitionRef.of("report", 3), Duration.ofSeconds(1));
    CountDownLatch stopped = new CountDownLatch(1);
    FutureTask<Void> running =
        new FutureTask<>(
            () -> {
              run(persistence, stopped);
              return null;
            });
    new Thread(running, "scheduler").start();

    Instant deadline = Instant.now().plus(DEADLINE);
    while (begun().isEmpty() && Instant.now().isBefore(deadline)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    stopped.countDown();
    running.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);

    assertThat(begun()).containsExactly("now");
  }

  @Test
  void byHandOneThatCannotBeFiredHoldsUpNobody() {
    WorkflowDefinition gone =
        admin()
            .definitions()
            .add(NewDefinition.of("gone", Payload.text("steps")))
            .orThrow()
            .records(WorkflowDefinition.class)
            .get(0);
    addDue("broken", gone.ref(), Duration.ofSeconds(20));
    addDue("good", DefinitionRef.of("report", 3), Duration.ofSeconds(10));
    admin().definitions().move(gone, DefinitionStatus.ARCHIVED).orThrow();

    fireByHand(persistence);

    assertThat(begun()).containsExactly("good");
    assertThat(admin().schedules().find("broken").orElseThrow().paused()).isTrue();
  }

  @Test
  void isWhatThePageShows() throws Exception {
    assertThat(PageCode.shown("docs/schedules.md"))
        .isNotEmpty()
        .isEqualTo(PageCode.marked(SchedulesPageTest.class));
  }
}
