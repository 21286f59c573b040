/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.schedule.Schedules.Fired;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Schedules: every time fires once, whoever fires it, whatever becomes of the answer. */
public abstract class SchedulesContract extends RepositoryContract {
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final String NAME = "nightly";

  /** What the clock on the wall of {@link #planner} shows. */
  private final AtomicReference<Instant> wall = new AtomicReference<>(NOON);

  private Node planner;

  protected SchedulesContract(TestStore.Factory stores) {
    super(stores);
  }

  @BeforeEach
  final void openPlanner() {
    wall.set(NOON);
    planner = newNode(wall::get);
  }

  private Repositories planned() {
    return planner.as(tenant());
  }

  private void clockShows(String instant) {
    wall.set(Instant.parse(instant));
  }

  private static NewSchedule cron(String expression, String zone) {
    return NewSchedule.of(NAME, Timing.Cron.of(expression, zone), ORDER);
  }

  private static NewSchedule hourly() {
    return NewSchedule.of(NAME, new Timing.Every(Duration.ofHours(1), NOON), ORDER);
  }

  private Schedule added(NewSchedule schedule) {
    return only(committed(planned().schedules().add(schedule)), Schedule.class);
  }

  private Schedule current() {
    return planned().schedules().find(NAME).orElseThrow();
  }

  private Fired fire() {
    return planned().schedules().fire(current());
  }

  private static Committed fired(Fired fired) {
    return committed(fired.result().orElseThrow());
  }

  private static Conflict lost(Fired fired, Reason reason) {
    assertThat(fired.executions()).isEmpty();
    return conflict(fired.result().orElseThrow(), reason);
  }

  private List<String> workflowIds(Fired fired) {
    return fired.executions().stream().map(id -> execution(id).workflowId()).toList();
  }

  @Test
  void whatIsSkippedWhenLateHasASecondToFire() {
    for (Duration tooShort : List.of(Duration.ZERO, Duration.ofNanos(999_999_999))) {
      assertThatThrownBy(() -> hourly().withMisfire(Misfire.SKIP, tooShort))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("1 second or more")
          .hasMessageContaining(tooShort.toString());
    }
    added(hourly().withMisfire(Misfire.SKIP, Duration.ofSeconds(1)));
    assertThat(hourly().withMisfire(Misfire.FIRE_ONCE, Duration.ZERO).misfireAfter()).isZero();
  }

  @Test
  void isStoredWithAllItSays() {
    NewSchedule wanted =
        new NewSchedule(
            NAME,
            Timing.Cron.of("30 2 * * *", "Europe/Berlin"),
            ORDER,
            Optional.of(Payload.text("input of a fire")),
            Misfire.SKIP,
            Duration.ofMinutes(5),
            Optional.of(Instant.parse("2026-06-10T00:00:00Z")),
            Optional.of(Instant.parse("2026-06-12T00:30:00Z")));

    added(wanted);

    Schedule stored = newNode().as(tenant()).schedules().find(NAME).orElseThrow();
    assertThat(stored.timing()).isEqualTo(wanted.timing());
    assertThat(stored.zone()).as("by id, not by offset").contains("Europe/Berlin");
    assertThat(stored.definition()).isEqualTo(ORDER);
    assertThat(stored.misfire()).isEqualTo(Misfire.SKIP);
    assertThat(stored.misfireAfter()).isEqualTo(Duration.ofMinutes(5));
    assertThat(stored.notBefore()).isEqualTo(wanted.notBefore());
    assertThat(stored.notAfter()).isEqualTo(wanted.notAfter());
    assertThat(stored.nextFireAt()).contains(Instant.parse("2026-06-10T00:30:00Z"));
    assertThat(stored.lastFireAt()).isEmpty();
    assertThat(stored.fires()).isZero();
    assertThat(planned().schedules().input(stored)).isEqualTo(wanted.input());
    assertThat(planned().schedules().next(stored, NOON, 10))
        .as("the last one included")
        .containsExactly(
            Instant.parse("2026-06-10T00:30:00Z"),
            Instant.parse("2026-06-11T00:30:00Z"),
            Instant.parse("2026-06-12T00:30:00Z"));
  }

  @Test
  void everyKindOfTimingIsReadBack() {
    List<Timing> timings =
        List.of(
            Timing.Cron.of("0 9 * * MON-FRI", "Australia/Lord_Howe"),
            new Timing.Every(Duration.parse("PT1H30M0.5S"), NOON.plusMillis(1)),
            new Timing.Once(NOON.plusSeconds(1)));
    for (int i = 0; i < timings.size(); i++) {
      committed(planned().schedules().add(NewSchedule.of("s" + i, timings.get(i), ORDER)));
      assertThat(planned().schedules().find("s" + i).orElseThrow().timing())
          .isEqualTo(timings.get(i));
    }
    assertThat(all(after -> planned().schedules().list(2, after)))
        .extracting(Schedule::name)
        .containsExactly("s0", "s1", "s2");
  }

  @Test
  void aNameIsTakenOnce() {
    added(hourly());
    conflict(planned().schedules().add(hourly()), Reason.ALREADY_EXISTS);
    assertThat(current().header().version()).isEqualTo(1);
  }

  @Test
  void aFireCreatesItsExecutionAndMovesTheScheduleOnInOneCommit() {
    added(hourly().withInput(Payload.text("input of a fire")));
    clockShows("2026-06-01T13:00:01Z");

    Fired fired = fire();

    Committed committed = fired(fired);
    WorkflowExecution execution = only(committed, WorkflowExecution.class);
    assertThat(fired.executions()).containsExactly(execution.id());
    assertThat(execution.workflowId()).isEqualTo("nightly@2026-06-01T13:00:00Z");
    assertThat(execution.definition()).isEqualTo(ORDER);
    assertThat(repositories().executions().input(execution))
        .contains(Payload.text("input of a fire"));
    assertThat(isDue(execution.id())).as("for a worker").isTrue();
    Schedule after = only(committed, Schedule.class);
    assertThat(after).isEqualTo(current());
    assertThat(after.lastFireAt()).contains(Instant.parse("2026-06-01T13:00:00Z"));
    assertThat(after.nextFireAt()).contains(Instant.parse("2026-06-01T14:00:00Z"));
    assertThat(after.fires()).isEqualTo(1);
    assertThat(after.timing()).isEqualTo(hourly().timing());
    assertThat(planned().schedules().input(after)).contains(Payload.text("input of a fire"));
  }

  @Test
  void firesAtItsTimeAndNotBefore() {
    added(hourly());
    clockShows("2026-06-01T12:59:59.999999Z");
    assertThat(fire()).isEqualTo(new Fired(Optional.empty(), List.of()));
    clockShows("2026-06-01T13:00:00Z");
    assertThat(fire().executions()).hasSize(1);
    assertThat(fire()).isEqualTo(new Fired(Optional.empty(), List.of()));
  }

  @Test
  void ofEightSchedulersThatSeeTheSameFireOneWins() {
    added(hourly());
    List<Node> nodes = List.of(newNode(wall::get), newNode(wall::get));
    for (int hour = 13; hour < 23; hour++) {
      clockShows("2026-06-01T" + hour + ":00:00Z");
      Schedule seen = current();

      List<Fired> all =
          Together.run(8, number -> nodes.get(number % 2).as(tenant()).schedules().fire(seen));

      List<Fired> won =
          all.stream().filter(one -> one.result().orElseThrow().isCommitted()).toList();
      assertThat(won).hasSize(1);
      assertThat(won.get(0).executions()).hasSize(1);
      all.stream()
          .filter(one -> !one.result().orElseThrow().isCommitted())
          .forEach(one -> lost(one, Reason.STALE_VERSION));
      assertThat(current().fires()).isEqualTo(hour - 12);
      assertThat(executions()).hasSize(hour - 12);
    }
  }

  /** All executions of the tenant. */
  private List<WorkflowExecution> executions() {
    return all(after -> repositories().executions().list(Optional.empty(), 100, after));
  }

  private static <T> List<T> all(Function<Optional<String>, Page<T>> list) {
    List<T> all = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<T> page = list.apply(next);
      all.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return all;
  }

  private static Stream<List<Fault>> faults() {
    return Stream.of(
        List.of(Fault.BEFORE),
        List.of(Fault.LOST),
        List.of(Fault.AFTER),
        List.of(Fault.IN_FLIGHT),
        List.of(Fault.AFTER, Fault.BEFORE, Fault.LOST),
        List.of(Fault.IN_FLIGHT, Fault.IN_FLIGHT, Fault.LOST));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFireWhoseAnswerIsLostIsResolvedAndFiresOnce(List<Fault> faults) {
    added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    planner.faults().failNext(faults.toArray(Fault[]::new));

    Fired fired = fire();
    landAll();

    fired(fired);
    assertThat(fired.executions()).hasSize(1);
    assertFiredOnce();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aMissedTimeThatIsLeftOutWithALostAnswerIsLeftOutOnce(List<Fault> faults) {
    added(hourly().withMisfire(Misfire.SKIP, Duration.ofMinutes(1)));
    clockShows("2026-06-01T13:30:00Z");
    planner.faults().failNext(faults.toArray(Fault[]::new));

    Fired fired = fire();
    landAll();

    fired(fired);
    assertThat(fired.executions()).isEmpty();
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T14:00:00Z"));
    assertThat(current().header().version()).isEqualTo(2);
  }

  private void landAll() {
    while (planner.faults().land()) {
      // A try that was in flight arrives late.
    }
  }

  private void assertFiredOnce() {
    assertThat(current().fires()).isEqualTo(1);
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T14:00:00Z"));
    assertThat(executions())
        .extracting(WorkflowExecution::workflowId)
        .containsExactly("nightly@2026-06-01T13:00:00Z");
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST", "AFTER", "IN_FLIGHT"})
  void aSchedulerThatDiesWithoutAnAnswerLosesAndDoublesNothing(Fault fault) {
    added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    Schedule seen = current();
    planner.faults().failNext(fault);
    int[] tries = {0};
    planner
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (tries[0]++ == 0 && fault == Fault.AFTER) {
                return store.commit(batches, deadline);
              }
              // Who is told to stop does not wait for the deadline.
              Thread.currentThread().interrupt();
              throw new Unavailable("away", null);
            });
    try {
      assertThatThrownBy(() -> planned().schedules().fire(seen)).isInstanceOf(OutcomeUnknown.class);
    } finally {
      Thread.interrupted();
    }
    planner.probe().aroundCommit(Storage::commit);

    Fired other = newNode(wall::get).as(tenant()).schedules().fire(seen);
    landAll();

    if (fault == Fault.AFTER) {
      lost(other, Reason.STALE_VERSION);
    } else {
      fired(other);
    }
    assertFiredOnce();
  }

  @Test
  void fireOnceFiresOnceForAllThatWereMissed() {
    added(hourly());
    clockShows("2026-06-02T15:30:00Z");

    Fired fired = fire();

    assertThat(workflowIds(fired)).containsExactly("nightly@2026-06-02T15:00:00Z");
    assertThat(current().lastFireAt()).contains(Instant.parse("2026-06-02T15:00:00Z"));
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-02T16:00:00Z"));
    assertThat(current().fires()).isEqualTo(1);
  }

  @Test
  void skipLeavesOutWhatWasMissedAndFiresWhatIsOnTime() {
    added(hourly().withMisfire(Misfire.SKIP, Duration.ofMinutes(1)));
    clockShows("2026-06-02T15:01:00Z");
    assertThat(workflowIds(fire()))
        .as("late by no more than the limit")
        .containsExactly("nightly@2026-06-02T15:00:00Z");

    clockShows("2026-06-03T15:01:00.000001Z");
    Fired late = fire();

    fired(late);
    assertThat(late.executions()).isEmpty();
    assertThat(current().lastFireAt()).contains(Instant.parse("2026-06-02T15:00:00Z"));
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-03T16:00:00Z"));
    assertThat(current().fires()).isEqualTo(1);
  }

  @Test
  void fireAllFiresEachMissedTimeAtMostAHundredAtOnce() {
    added(
        NewSchedule.of(NAME, new Timing.Every(Duration.ofMinutes(1), NOON), ORDER)
            .withMisfire(Misfire.FIRE_ALL, Duration.ofMinutes(1)));
    wall.set(NOON.plus(Duration.ofMinutes(130)));
    List<String> ids = new ArrayList<>();

    while (ids.size() < 130) {
      Fired some = fire();
      fired(some);
      assertThat(some.executions())
          .as("fewer where a commit of the store holds fewer")
          .hasSizeBetween(1, 100);
      ids.addAll(workflowIds(some));
    }

    assertThat(ids)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 130)
                .mapToObj(minute -> NAME + "@" + NOON.plus(Duration.ofMinutes(minute)))
                .toList());
    assertThat(fire().result()).isEmpty();
    assertThat(current().fires()).isEqualTo(130);
  }

  @Test
  @DisplayName(
      "C093: daily 02:30 across the change fires once each local day, at 03:30 on that day")
  void eachLocalDayFiresOnceAcrossTheSpringChange() {
    clockShows("2026-02-10T05:00:00Z");
    added(cron("30 2 * * *", "America/New_York"));
    ZoneId newYork = ZoneId.of("America/New_York");
    List<LocalDate> days = new ArrayList<>();
    Instant last = wall.get();
    while (last.isBefore(Instant.parse("2026-03-12T00:00:00Z"))) {
      wall.set(current().nextFireAt().orElseThrow());
      assertThat(fire().executions()).hasSize(1);
      last = current().lastFireAt().orElseThrow();
      days.add(last.atZone(newYork).toLocalDate());
      boolean changes = last.atZone(newYork).toLocalDate().equals(LocalDate.of(2026, 3, 8));
      assertThat(last.atZone(newYork).toLocalTime()).hasToString(changes ? "03:30" : "02:30");
    }
    assertThat(days)
        .containsExactlyElementsOf(
            LocalDate.of(2026, 2, 10).datesUntil(LocalDate.of(2026, 3, 13)).toList());
  }

  @Test
  void whatIsMissedWhilePausedIsLeftOut() {
    Schedule before = added(hourly().withMisfire(Misfire.FIRE_ALL, Duration.ofMinutes(1)));
    clockShows("2026-06-01T13:00:00Z");

    Schedule paused = only(committed(planned().schedules().pause(before)), Schedule.class);

    assertThat(paused.paused()).isTrue();
    assertThat(paused.nextFireAt()).isEmpty();
    assertThat(fire().result()).isEmpty();
    assertThat(planned().schedules().next(paused, wall.get(), 1))
        .as("a preview shows what it would be")
        .containsExactly(Instant.parse("2026-06-01T14:00:00Z"));
    assertThatThrownBy(() -> planned().schedules().pause(paused))
        .isInstanceOf(IllegalTransition.class);

    clockShows("2026-06-01T16:10:00Z");
    Schedule resumed = only(committed(planned().schedules().resume(paused)), Schedule.class);
    assertThat(resumed.nextFireAt()).contains(Instant.parse("2026-06-01T17:00:00Z"));
    assertThat(fire().result()).isEmpty();
    assertThatThrownBy(() -> planned().schedules().resume(resumed))
        .isInstanceOf(IllegalTransition.class);
    conflict(planned().schedules().pause(before), Reason.STALE_VERSION);
  }

  @Test
  void aFireLosesAgainstAPauseThatCameFirst() {
    Schedule seen = added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    committed(planned().schedules().pause(seen));

    lost(planned().schedules().fire(seen), Reason.STALE_VERSION);
    assertThat(executions()).isEmpty();
  }

  @Test
  void replacingComputesTheNextFireAnewAndKeepsWhatWas() {
    added(hourly().withInput(Payload.text("old")));
    clockShows("2026-06-01T13:00:00Z");
    fire();
    DefinitionRef other = DefinitionRef.of("invoice", 2);
    NewSchedule after =
        NewSchedule.of(NAME, Timing.Cron.of("15 * * * *", "UTC"), other)
            .withInput(Payload.text("new"));

    committed(planned().schedules().replace(current(), after));

    Schedule replaced = current();
    assertThat(replaced.nextFireAt()).contains(Instant.parse("2026-06-01T13:15:00Z"));
    assertThat(replaced.lastFireAt()).contains(Instant.parse("2026-06-01T13:00:00Z"));
    assertThat(replaced.fires()).isEqualTo(1);
    clockShows("2026-06-01T13:15:00Z");
    WorkflowExecution created = only(fired(fire()), WorkflowExecution.class);
    assertThat(created.definition()).isEqualTo(other);
    assertThat(repositories().executions().input(created)).contains(Payload.text("new"));
    conflict(planned().schedules().replace(replaced, after), Reason.STALE_VERSION);
    assertThatThrownBy(
            () ->
                planned()
                    .schedules()
                    .replace(current(), NewSchedule.of("other", after.timing(), other)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aPausedScheduleStaysPausedWhenItIsReplaced() {
    Schedule paused = only(committed(planned().schedules().pause(added(hourly()))), Schedule.class);
    committed(planned().schedules().replace(paused, cron("0 3 * * *", "UTC")));
    assertThat(current().paused()).isTrue();
    assertThat(current().nextFireAt()).isEmpty();
    committed(planned().schedules().resume(current()));
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-02T03:00:00Z"));
  }

  @Test
  void aRemovedScheduleFiresNoMoreAndItsNameIsFree() {
    Schedule seen = added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    committed(planned().schedules().remove(seen));

    assertThat(planned().schedules().find(NAME)).isEmpty();
    lost(planned().schedules().fire(seen), Reason.NOT_FOUND);
    conflict(planned().schedules().remove(seen), Reason.NOT_FOUND);
    Schedule again = added(hourly());
    assertThat(again.header().id()).isNotEqualTo(seen.header().id());
    lost(planned().schedules().fire(seen), Reason.NOT_FOUND);
  }

  @Test
  void onceFiresOnceAndIsOver() {
    added(NewSchedule.of(NAME, new Timing.Once(NOON.minusSeconds(5)), ORDER));
    assertThat(workflowIds(fire())).containsExactly("nightly@2026-06-01T11:59:55Z");
    assertThat(current().nextFireAt()).isEmpty();
    assertThat(current().paused()).isFalse();
    assertThat(fire().result()).isEmpty();
    assertThat(planned().schedules().next(current(), NOON, 5)).isEmpty();
    assertThatThrownBy(
            () ->
                planned()
                    .schedules()
                    .replace(
                        current(),
                        NewSchedule.of(NAME, new Timing.Once(NOON.minusSeconds(5)), ORDER)))
        .as("it would not fire again")
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aTimeThatIsOverIsRefusedWhereWhatIsLateIsSkipped() {
    NewSchedule over =
        NewSchedule.of(NAME, new Timing.Once(NOON.minusSeconds(61)), ORDER)
            .withMisfire(Misfire.SKIP, Duration.ofMinutes(1));
    assertThatThrownBy(() -> planned().schedules().add(over))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(NAME + " would never fire");
    added(
        NewSchedule.of(NAME, new Timing.Once(NOON.minusSeconds(60)), ORDER)
            .withMisfire(Misfire.SKIP, Duration.ofMinutes(1)));
    assertThat(workflowIds(fire())).containsExactly("nightly@2026-06-01T11:59:00Z");
  }

  @Test
  void firesWithinItsTimeOnly() {
    added(
        hourly()
            .within(
                Optional.of(Instant.parse("2026-06-01T15:00:00Z")),
                Optional.of(Instant.parse("2026-06-01T16:59:59Z"))));
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T15:00:00Z"));
    clockShows("2026-06-01T15:00:00Z");
    assertThat(workflowIds(fire())).containsExactly("nightly@2026-06-01T15:00:00Z");
    clockShows("2026-06-01T18:00:00Z");
    assertThat(workflowIds(fire())).containsExactly("nightly@2026-06-01T16:00:00Z");
    assertThat(current().nextFireAt()).as("over").isEmpty();
  }

  @Test
  void aTimeThatFiredBeforeTheClockWentBackDoesNotFireAgain() {
    added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    assertThat(fire().executions()).hasSize(1);
    clockShows("2026-06-01T14:00:00Z");
    assertThat(fire().executions()).hasSize(1);
    clockShows("2026-06-01T13:30:00Z");
    committed(planned().schedules().replace(current(), hourly()));
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T14:00:00Z"));

    clockShows("2026-06-01T14:00:10Z");
    Fired again = fire();

    fired(again);
    assertThat(again.executions()).isEmpty();
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T15:00:00Z"));
    assertThat(executions()).hasSize(2);
  }

  @Test
  void aTimeWhoseWorkflowIdIsTakenIsLeftOutAndTheOthersFire() {
    added(hourly().withMisfire(Misfire.FIRE_ALL, Duration.ofMinutes(1)));
    committed(
        repositories()
            .executions()
            .create(NewExecution.of(ORDER).withWorkflowId("nightly@2026-06-01T14:00:00Z")));
    clockShows("2026-06-01T15:30:00Z");

    Fired fired = fire();

    assertThat(workflowIds(fired))
        .containsExactly("nightly@2026-06-01T13:00:00Z", "nightly@2026-06-01T15:00:00Z");
    assertThat(current().nextFireAt()).contains(Instant.parse("2026-06-01T16:00:00Z"));
    assertThat(current().fires()).isEqualTo(2);
  }

  @Test
  void aFireOfManyExecutionsReadsItsDefinitionOnce() {
    committed(planned().definitions().add(NewDefinition.of("order", Payload.text("steps"))));
    added(hourly().withMisfire(Misfire.FIRE_ALL, Duration.ofMinutes(1)));
    clockShows("2026-06-01T13:00:00Z");
    long before = planner.probe().reads();
    assertThat(fire().executions()).hasSize(1);
    long forOne = planner.probe().reads() - before;
    clockShows("2026-06-01T17:00:00Z");
    before = planner.probe().reads();
    assertThat(fire().executions()).hasSize(4);
    assertThat(planner.probe().reads() - before).isEqualTo(forOne);
  }

  @Test
  void aScheduleWhoseDefinitionIsArchivedIsPausedInsteadOfStandingInTheWay() {
    WorkflowDefinition definition =
        only(
            committed(
                planned().definitions().add(NewDefinition.of("order", Payload.text("steps")))),
            WorkflowDefinition.class);
    added(hourly());
    committed(planned().definitions().move(definition, DefinitionStatus.ARCHIVED));
    clockShows("2026-06-01T13:00:00Z");

    assertThatThrownBy(this::fire)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(NAME)
        .hasMessageContaining("was paused")
        .hasMessageContaining("ARCHIVED");
    assertThat(current().paused()).isTrue();
    assertThat(executions()).isEmpty();
    assertThatThrownBy(() -> planned().schedules().add(NewSchedule.of("b", daily(), ORDER)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("ARCHIVED");
  }

  private static Timing daily() {
    return Timing.Cron.of("0 3 * * *", "UTC");
  }

  @Test
  void whatIsFiredIsWhatIsStored() {
    Schedule seen = added(hourly());
    clockShows("2026-06-01T13:00:00Z");
    Schedule forged =
        new Schedule(
            seen.header(),
            NAME,
            seen.kind(),
            seen.expression(),
            seen.zone(),
            seen.anchor(),
            "another-definition",
            7,
            "",
            seen.misfire(),
            seen.misfireAfter(),
            seen.notBefore(),
            seen.notAfter(),
            false,
            seen.nextFireAt(),
            seen.lastFireAt(),
            1_000,
            Optional.empty());

    WorkflowExecution created =
        only(fired(planned().schedules().fire(forged)), WorkflowExecution.class);

    assertThat(created.definition()).isEqualTo(ORDER);
    assertThat(current().definition()).isEqualTo(ORDER);
    assertThat(current().fires()).isEqualTo(1);
  }

  private static Stream<Arguments> refused() {
    Instant before = NOON.minusSeconds(3_600);
    return Stream.of(
        Arguments.of("30 February", cron("0 0 30 2 *", "UTC"), "never fires"),
        Arguments.of("31 of short months", cron("0 0 31 4,6,9,11 *", "UTC"), "never fires"),
        Arguments.of("a minute of 60", cron("60 * * * *", "UTC"), "minute"),
        Arguments.of("an hour of 24", cron("0 24 * * *", "UTC"), "hour"),
        Arguments.of("a day of 0", cron("0 0 0 * *", "UTC"), "day of month"),
        Arguments.of("a month of 13", cron("0 0 1 13 *", "UTC"), "'month'"),
        Arguments.of("a weekday of 8", cron("0 0 * * 8", "UTC"), "day of week"),
        Arguments.of("a range backwards", cron("5-1 * * * *", "UTC"), "minute"),
        Arguments.of("a step of 0", cron("0 */0 * * *", "UTC"), "hour"),
        Arguments.of("a word", cron("0 0 * * someday", "UTC"), "day of week"),
        Arguments.of("six fields", cron("0 0 0 * * *", "UTC"), "5 fields"),
        Arguments.of("a nickname", cron("@daily", "UTC"), "5 fields"),
        Arguments.of(
            "over before it began",
            hourly().within(Optional.empty(), Optional.of(before)),
            "would not fire"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void whatNeverFiresOrCannotBeReadIsRefusedSayingWhy(
      String what, NewSchedule wrong, String reason) {
    assertThatThrownBy(() -> planned().schedules().add(wrong))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(reason);
    assertThat(planned().schedules().find(NAME)).isEmpty();
  }

  @Test
  void aPreviewIsOfOneToAThousandTimes() {
    assertThat(planned().schedules().next(daily(), NOON, 1_000)).hasSize(1_000).isSorted();
    for (int count : new int[] {0, 1_001}) {
      assertThatThrownBy(() -> planned().schedules().next(daily(), NOON, count))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void schedulesThatAreDueAreFoundForAllTenantsSoonestFirst() {
    Repositories here = repositories();
    Repositories elsewhere = node().as(tenant() + "-b");
    Instant now = time().now();
    committed(here.schedules().add(every("late", Duration.ofMinutes(20), now)));
    committed(elsewhere.schedules().add(every("early", Duration.ofMinutes(10), now)));
    committed(here.schedules().add(every("not-yet", Duration.ofHours(5), now)));
    committed(here.schedules().add(every("paused", Duration.ofMinutes(5), now)));
    committed(here.schedules().pause(here.schedules().find("paused").orElseThrow()));
    assertThat(dueHere()).isEmpty();

    pass(Duration.ofMinutes(30));

    assertThat(dueHere())
        .containsExactly(
            new DueSchedule(tenant() + "-b", "early"), new DueSchedule(tenant(), "late"));
    fired(here.schedules().fire(here.schedules().find("late").orElseThrow()));
    assertThat(dueHere()).containsExactly(new DueSchedule(tenant() + "-b", "early"));
    assertThat(node().persistence().system("contract").dueSchedules(1)).hasSize(1);
    for (int limit : new int[] {0, 1_001}) {
      assertThatThrownBy(() -> node().persistence().system("contract").dueSchedules(limit))
          .isInstanceOf(InvalidInput.class);
    }
  }

  private static NewSchedule every(String name, Duration interval, Instant anchor) {
    return NewSchedule.of(name, new Timing.Every(interval, anchor), ORDER);
  }

  /** Among those of others, where the store is shared. */
  private List<DueSchedule> dueHere() {
    List<DueSchedule> due = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<DueSchedule> page = node().persistence().system("contract").dueSchedules(1_000, next);
      page.items().stream().filter(one -> one.tenantId().startsWith(tenant())).forEach(due::add);
      next = page.next();
    } while (next.isPresent());
    return due;
  }

  @Test
  void eachTenantHasItsOwn() {
    added(hourly());
    Repositories other = planner.as(tenant() + "-b");
    assertThat(other.schedules().find(NAME)).isEmpty();
    assertThat(all(after -> other.schedules().list(10, after))).isEmpty();
    assertThatThrownBy(() -> other.schedules().pause(current())).isInstanceOf(InvalidInput.class);
    clockShows("2026-06-01T13:00:00Z");
    lost(other.schedules().fire(current()), Reason.NOT_FOUND);
    committed(other.schedules().add(hourly()));
    assertThat(current().fires()).isZero();
  }

  private Repositories as(Role role) {
    return planner.persistence().as(Caller.of(tenant(), "someone", role));
  }

  @Test
  void onlyAnAdministratorChangesSchedulesAndOnlyAWorkerFires() {
    Schedule schedule = added(hourly().withInput(Payload.text("input")));
    clockShows("2026-06-01T13:00:00Z");
    for (Role role : List.of(Role.READER, Role.WRITER, Role.OPERATOR, Role.AUDITOR)) {
      var schedules = as(role).schedules();
      List<Runnable> changes =
          List.of(
              () -> schedules.add(every("other", Duration.ofHours(1), NOON)),
              () -> schedules.replace(schedule, hourly()),
              () -> schedules.pause(schedule),
              () -> schedules.resume(schedule),
              () -> schedules.remove(schedule));
      changes.forEach(change -> assertThatThrownBy(change::run).isInstanceOf(AccessDenied.class));
    }
    for (Role role : List.of(Role.READER, Role.OPERATOR, Role.ADMIN)) {
      assertThatThrownBy(() -> as(role).schedules().fire(schedule))
          .isInstanceOf(AccessDenied.class);
    }
    assertThatThrownBy(() -> as(Role.AUDITOR).schedules().input(schedule))
        .isInstanceOf(AccessDenied.class);
    fired(as(Role.WRITER).schedules().fire(schedule));
  }

  @Test
  void aChangeOfAScheduleChangesNothingElseOfIt() {
    Schedule stored = added(hourly().withInput(Payload.text("input")));
    Schedules schedules = planned().schedules();

    Schedule paused = only(committed(schedules.pause(forged(stored, false))), Schedule.class);
    assertThat(paused).isEqualTo(current());
    assertThat(paused.paused()).isTrue();
    assertSame(paused, stored);
    assertThat(paused.definition()).isEqualTo(ORDER);
    assertThat(paused.misfire()).isEqualTo(stored.misfire());
    assertThatThrownBy(() -> schedules.pause(forged(paused, false)))
        .as("not paused by what the record says, but by what is stored")
        .isInstanceOf(IllegalTransition.class);

    Schedule resumed = only(committed(schedules.resume(forged(paused, true))), Schedule.class);
    assertSame(resumed, stored);
    assertThat(resumed.nextFireAt()).isEqualTo(stored.nextFireAt());

    Schedule replaced =
        only(committed(schedules.replace(forged(resumed, true), hourly())), Schedule.class);
    assertThat(replaced.paused()).isFalse();
    assertThat(replaced.fires()).isZero();
    assertThat(replaced.lastFireAt()).isEmpty();
    assertThat(replaced.header().createdAt()).isEqualTo(stored.header().createdAt());
    assertThat(replaced.input()).isEmpty();
  }

  /** What neither pausing nor resuming has to do with. */
  private void assertSame(Schedule after, Schedule before) {
    assertThat(after.timing()).isEqualTo(before.timing());
    assertThat(after.fires()).isEqualTo(before.fires());
    assertThat(after.lastFireAt()).isEqualTo(before.lastFireAt());
    assertThat(planned().schedules().input(after)).contains(Payload.text("input"));
  }

  @Test
  void aScheduleOfTheSameNameThatIsAnotherRecordIsNotChanged() {
    Schedule first = added(hourly());
    Schedules schedules = planned().schedules();
    committed(schedules.remove(first));
    Schedule second = added(hourly());
    assertThat(second.header().version())
        .as("the version alone does not tell them apart")
        .isEqualTo(first.header().version());

    conflict(schedules.pause(first), Reason.NOT_FOUND);
    conflict(schedules.replace(first, hourly()), Reason.NOT_FOUND);
    conflict(schedules.resume(first), Reason.NOT_FOUND);
    conflict(schedules.remove(first), Reason.NOT_FOUND);
    assertThat(current()).isEqualTo(second);
  }

  /** The same record, but for all that a caller may not change by the way. */
  private static Schedule forged(Schedule stored, boolean paused) {
    return new Schedule(
        stored.header(),
        stored.name(),
        "every",
        "PT1S",
        Optional.empty(),
        Optional.of(NOON),
        "smuggled",
        9,
        "",
        Misfire.FIRE_ALL,
        Duration.ofDays(9),
        Optional.empty(),
        Optional.empty(),
        paused,
        Optional.of(NOON),
        Optional.of(NOON),
        77,
        Optional.empty());
  }
}
