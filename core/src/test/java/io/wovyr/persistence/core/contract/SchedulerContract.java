/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.WorkflowExecution;
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
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Schedulers: whatever becomes of one of them, every time fires once. */
public abstract class SchedulerContract extends RepositoryContract {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration LEASE = Duration.ofMinutes(3);
  private static final long PATIENCE_SECONDS = 120;

  /** Begins the names of their threads. */
  private static final String SCHEDULERS = "wovyr-scheduler-";

  protected SchedulerContract(TestStore.Factory stores) {
    super(stores);
  }

  private SchedulerOptions options(String name) {
    return SchedulerOptions.of(name)
        .withTenant(tenant())
        .withLease(LEASE)
        .lookingEvery(Duration.ofMillis(10));
  }

  private static Scheduler scheduler(Node node, SchedulerOptions options) {
    return node.persistence().scheduler(options);
  }

  private Schedule add(String name) {
    return add(name, Misfire.FIRE_ALL);
  }

  private Schedule add(String name, Misfire misfire) {
    NewSchedule schedule =
        NewSchedule.of(name, new Timing.Every(INTERVAL, time().now()), ORDER)
            .withMisfire(misfire, INTERVAL.multipliedBy(6));
    return only(committed(repositories().schedules().add(schedule)), Schedule.class);
  }

  private Schedule current(String name) {
    return repositories().schedules().find(name).orElseThrow();
  }

  private static List<Result> results(List<Outcome> outcomes) {
    return outcomes.stream().map(Outcome::result).toList();
  }

  /** The workflow ids of everything that was begun, in any order. */
  private List<String> begun() {
    List<String> ids = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = repositories().executions().list(Optional.empty(), 100, next);
      page.items().forEach(one -> ids.add(one.workflowId()));
      next = page.next();
    } while (next.isPresent());
    return ids;
  }

  private void everyTimeFiredOnce(String schedule, int times) {
    assertThat(begun()).hasSize(times).doesNotHaveDuplicates();
    assertThat(current(schedule).fires()).isEqualTo(times);
  }

  @Test
  void whatIsDueIsFiredAndToldOf() {
    Schedule schedule = add("report");
    try (Scheduler scheduler = scheduler(node(), options("one"))) {
      assertThat(scheduler.fireDue()).isEmpty();
      assertThat(scheduler.isActive()).isTrue();
      Instant first = schedule.nextFireAt().orElseThrow();
      pass(INTERVAL.plusSeconds(1));

      List<Outcome> outcomes = scheduler.fireDue();

      assertThat(results(outcomes)).containsExactly(Result.FIRED);
      assertThat(outcomes.get(0).tenantId()).isEqualTo(tenant());
      assertThat(outcomes.get(0).schedule()).isEqualTo("report");
      assertThat(outcomes.get(0).executions())
          .extracting(Begun::workflowId)
          .containsExactly("report@" + first);
      assertThat(execution(outcomes.get(0).executions().get(0).executionId()).workflowId())
          .isEqualTo("report@" + first);
      assertThat(scheduler.fireDue()).isEmpty();
    }
    everyTimeFiredOnce("report", 1);
  }

  @Test
  void oneFiresAndTheOtherStandsByUntilItIsClosed() {
    add("report");
    Scheduler one = scheduler(node(), options("one"));
    try (Scheduler other = scheduler(newNode(), options("other"))) {
      one.fireDue();
      pass(INTERVAL.plusSeconds(1));
      assertThat(other.fireDue()).isEmpty();
      assertThat(other.isActive()).isFalse();
      one.close();
      one.close();
      assertThat(one.isActive()).isFalse();
      assertThat(results(other.fireDue())).containsExactly(Result.FIRED);
      assertThat(other.isActive()).isTrue();
    }
    assertThatThrownBy(one::fireDue).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> one.start(outcome -> {})).isInstanceOf(IllegalStateException.class);
    everyTimeFiredOnce("report", 1);
  }

  @Test
  void whenOneIsGoneAnotherTakesOverAndALateOneFiresNothing() {
    add("report");
    Scheduler gone = scheduler(node(), options("gone"));
    gone.fireDue();
    try (Scheduler next = scheduler(newNode(), options("next"))) {
      assertThat(next.fireDue()).isEmpty();
      // Where the store has no clock, that first look began to watch the lease.
      pass(LEASE.plusSeconds(2));
      next.fireDue();
      assertThat(next.isActive()).isTrue();

      assertThat(gone.fireDue()).isEmpty();
      assertThat(gone.isActive()).isFalse();
    }
    assertThat(begun()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(current("report").fires()).isEqualTo(begun().size());
    assertThat(current("report").nextFireAt().orElseThrow()).isAfter(time().now());
  }

  @Test
  void sideBySideEveryTimeFiresOnce() {
    Schedule schedule = add("report");
    Instant from = schedule.nextFireAt().orElseThrow();
    List<Scheduler> racing =
        Stream.of(node(), newNode(), newNode())
            .map(node -> scheduler(node, options("racing").withoutLease()))
            .toList();
    int won = 0;
    for (int round = 0; round < 10; round++) {
      pass(INTERVAL);
      List<CompletableFuture<List<Outcome>>> looks =
          racing.stream().map(one -> CompletableFuture.supplyAsync(one::fireDue)).toList();
      for (CompletableFuture<List<Outcome>> look : looks) {
        won += (int) results(look.join()).stream().filter(Result.FIRED::equals).count();
      }
    }
    racing.forEach(Scheduler::close);
    assertThat(won).isEqualTo((int) current("report").fires());
    everyTimeFiredOnce("report", 10);
    assertThat(begun()).contains("report@" + from, "report@" + from.plus(INTERVAL.multipliedBy(9)));
  }

  @Test
  void aClockThatJumpsMakesNoTimeFireTwiceAndLosesNone() {
    add("report");
    AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);
    Node jumping = newNode(() -> time().now().plus(wrong.get()));
    try (Scheduler one = scheduler(jumping, options("one").withoutLease());
        Scheduler right = scheduler(newNode(), options("right").withoutLease())) {
      pass(INTERVAL);
      one.fireDue();
      wrong.set(INTERVAL.multipliedBy(12));
      pass(INTERVAL);
      one.fireDue();
      wrong.set(INTERVAL.multipliedBy(-12));
      pass(INTERVAL);
      one.fireDue();
      for (int i = 0; i < 15; i++) {
        pass(INTERVAL);
        right.fireDue();
        one.fireDue();
      }
    }
    Schedule after = current("report");
    assertThat(after.nextFireAt().orElseThrow()).isAfter(time().now());
    List<String> all = new ArrayList<>();
    Instant at = after.lastFireAt().orElseThrow();
    while (at.isAfter(after.header().createdAt())) {
      all.add("report@" + at);
      at = at.minus(INTERVAL);
    }
    assertThat(begun()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(after.fires()).isEqualTo(all.size());
  }

  @Test
  void whatIsPausedMeanwhileIsNotFired() {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    Node slow = newNode();
    try (Scheduler scheduler = scheduler(slow, options("slow").withoutLease())) {
      slow.probe()
          .beforeNextCommit(() -> committed(repositories().schedules().pause(current("report"))));
      assertThat(results(scheduler.fireDue())).containsExactly(Result.LOST);
      assertThat(scheduler.fireDue()).isEmpty();
    }
    assertThat(begun()).isEmpty();
    assertThat(current("report").paused()).isTrue();
  }

  @Test
  void whatIsRemovedMeanwhileIsNotFired() {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    Node slow = newNode();
    try (Scheduler scheduler = scheduler(slow, options("slow").withoutLease())) {
      slow.probe()
          .beforeNextCommit(() -> committed(repositories().schedules().remove(current("report"))));
      assertThat(results(scheduler.fireDue())).containsExactly(Result.LOST);
    }
    assertThat(begun()).isEmpty();
  }

  @Test
  void aScheduleWhoseDefinitionWasArchivedIsRefusedOnceAndTheOthersFire() {
    add("report");
    NewDefinition old = NewDefinition.of("old", Payload.text("steps"));
    WorkflowDefinition definition =
        only(committed(repositories().definitions().add(old)), WorkflowDefinition.class);
    committed(
        repositories()
            .schedules()
            .add(
                NewSchedule.of("old", new Timing.Every(INTERVAL, time().now()), definition.ref())));
    committed(repositories().definitions().move(definition, DefinitionStatus.ARCHIVED));
    pass(INTERVAL.plusSeconds(1));
    try (Scheduler scheduler = scheduler(node(), options("one"))) {
      List<Outcome> outcomes = scheduler.fireDue();
      assertThat(results(outcomes)).containsExactlyInAnyOrder(Result.FIRED, Result.REFUSED);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.REFUSED)
          .allSatisfy(
              outcome -> assertThat(outcome.problem().orElseThrow()).contains("old", "was paused"));
      assertThat(scheduler.fireDue()).isEmpty();
    }
    assertThat(current("old").paused()).isTrue();
  }

  @Test
  void whatIsMissedIsPassedOverWhenItsRuleSaysSo() {
    add("report", Misfire.SKIP);
    pass(INTERVAL.multipliedBy(720));
    try (Scheduler scheduler = scheduler(node(), options("one"))) {
      List<Outcome> outcomes = new ArrayList<>();
      for (List<Outcome> more = scheduler.fireDue(); !more.isEmpty(); more = scheduler.fireDue()) {
        outcomes.addAll(more);
      }
      // Those that are late by less than six intervals are not missed.
      assertThat(results(outcomes)).isNotEmpty().containsOnly(Result.FIRED);
      assertThat(outcomes.stream().mapToInt(outcome -> outcome.executions().size()).sum())
          .isBetween(6, 7);
      if (rawStorage().limits().batchItems() >= 100) {
        assertThat(outcomes).as("one commit, where it holds them").hasSize(1);
      }
    }
    everyTimeFiredOnce("report", begun().size());
  }

  private static RecordHeader withId(RecordHeader header, UUID id) {
    return new RecordHeader(
        id,
        header.tenantId(),
        1,
        header.createdAt(),
        header.updatedAt(),
        header.updatedBy(),
        header.schemaVersion(),
        header.entityVersion(),
        header.serializationVersion(),
        Bytes.EMPTY);
  }

  private static RecordHeader ofANewerNode(RecordHeader header, UUID id, long version) {
    return new RecordHeader(
        id,
        header.tenantId(),
        version,
        header.createdAt(),
        header.updatedAt(),
        "newer-node",
        header.schemaVersion(),
        header.entityVersion() + 1,
        header.serializationVersion(),
        Bytes.EMPTY);
  }

  @Test
  void howeverManyFailNoneIsHiddenBehindThem() {
    noneIsHiddenBehind(
        row -> row.with(ofANewerNode(row.header(), row.header().id(), row.header().version())));
  }

  /** As a newer version may have stored it. */
  @Test
  void howeverManyTimingsAreNotAllowedHereNoneIsHiddenBehindThem() {
    noneIsHiddenBehind(row -> row.with("expression", "PT0.5S"));
  }

  /** More than one page of them, all more overdue than the one that is well. */
  private void noneIsHiddenBehind(UnaryOperator<Row> damage) {
    int failing = 1_001;
    Row pattern = damage.apply(rawRow(Key.of(RecordTypes.SCHEDULE, add("pattern").name())));
    int together = Math.min(50, rawStorage().limits().batchItems() / 4);
    for (int first = 0; first < failing; first += together) {
      rawCommit(
          IntStream.range(first, Math.min(failing, first + together))
              .mapToObj(number -> new Mutation.Insert(failing(pattern, number)))
              .toArray(Mutation[]::new));
    }
    pass(INTERVAL.minusSeconds(1));
    add("report");
    repositories().schedules().pause(current("pattern"));
    pass(INTERVAL.plusSeconds(1));
    SchedulerOptions ours = options("one").lookingEvery(Duration.ofHours(1));
    try (Scheduler scheduler = scheduler(node(), ours)) {
      assertThat(results(scheduler.fireDue()))
          .hasSize(failing + 1)
          .containsOnly(Result.FAILED, Result.FIRED)
          .containsOnlyOnce(Result.FIRED);
      pass(INTERVAL);
      assertThat(results(scheduler.fireDue())).as("they are left alone").containsOnly(Result.FIRED);
    }
    everyTimeFiredOnce("report", 2);
  }

  private static Row failing(Row pattern, int number) {
    Key key = Key.of(RecordTypes.SCHEDULE, "failing-" + number);
    return new Row(key, withId(pattern.header(), UUID.randomUUID()), pattern.values());
  }

  private void change(String schedule, String attribute, Object value) {
    Row row = rawRow(Key.of(RecordTypes.SCHEDULE, schedule));
    rawCommit(
        new Mutation.Update(
            row, row.with(attribute, value).with(row.header().next(time().now(), "test"))));
  }

  @Test
  void aTimingThatIsNotAllowedHereIsLeftAloneAndHoldsUpNoOther() {
    List<String> unknown = List.of("interval", "cron", "instant", "kind");
    unknown.forEach(this::add);
    add("report");
    change("interval", "expression", "PT0.5S");
    change("cron", "kind", "cron");
    change("cron", "expression", "61 * * * *");
    change("instant", "kind", "once");
    change("instant", "expression", "1969-12-31T00:00:00Z");
    change("kind", "kind", "sometimes");
    pass(INTERVAL.plusSeconds(1));
    try (Scheduler scheduler =
        scheduler(node(), options("one").lookingEvery(Duration.ofHours(1)))) {
      List<Outcome> outcomes = scheduler.fireDue();
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FIRED)
          .extracting(Outcome::schedule)
          .containsExactly("report");
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FAILED)
          .allSatisfy(
              outcome ->
                  assertThat(outcome.problem().orElseThrow())
                      .contains("schedule " + outcome.schedule()))
          .extracting(Outcome::schedule)
          .containsExactlyInAnyOrderElementsOf(unknown);
      assertThat(scheduler.fireDue()).isEmpty();
    }
    for (String one : unknown) {
      Schedule schedule = current(one);
      assertThat(schedule.paused()).as("a node that knows it fires it").isFalse();
      assertThatThrownBy(() -> repositories().schedules().fire(schedule))
          .isInstanceOf(UnsupportedVersion.class);
      committed(repositories().schedules().pause(schedule));
      assertThatThrownBy(() -> repositories().schedules().resume(current(one)))
          .isInstanceOf(UnsupportedVersion.class);
    }
  }

  private static Unavailable outOfReach() {
    return new Unavailable("it is out of reach", null);
  }

  private Node impatientNode(String deadline) {
    return newNode(
        Duration.ZERO, Map.of("wovyr.commit.deadline", deadline, "wovyr.read.deadline", deadline));
  }

  private static boolean changes(List<Batch> batches, String schedule) {
    Key key = Key.of(RecordTypes.SCHEDULE, schedule);
    return batches.stream()
        .flatMap(batch -> batch.mutations().stream())
        .anyMatch(mutation -> mutation.key().equals(key));
  }

  @Test
  void oneThatIsOutOfReachHoldsUpNoOtherAndIsLeftAloneForAWhile() {
    add("locked");
    List<String> others = IntStream.range(0, 5).mapToObj(number -> "other-" + number).toList();
    others.forEach(this::add);
    pass(INTERVAL.plusSeconds(1));
    Node node = impatientNode("PT2S");
    node.probe()
        .aroundCommit(
            (next, batches, deadline) -> {
              if (changes(batches, "locked")) {
                throw outOfReach();
              }
              return next.commit(batches, deadline);
            });
    SchedulerOptions ours = options("one").withoutLease().lookingEvery(Duration.ofHours(1));
    try (Scheduler scheduler = scheduler(node, ours)) {
      List<Outcome> outcomes = scheduler.fireDue();
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FIRED)
          .extracting(Outcome::schedule)
          .containsExactlyInAnyOrderElementsOf(others);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FAILED)
          .extracting(Outcome::schedule)
          .containsExactly("locked");
      assertThat(scheduler.fireDue()).isEmpty();

      node.probe().aroundCommit(Storage::commit);
      pass(Duration.ofMinutes(6));
      assertThat(scheduler.fireDue()).extracting(Outcome::schedule).contains("locked");
    }
    assertThat(current("locked").fires()).isPositive();
  }

  @Test
  void whatWasFiredIsToldOfWhenTheStoreGoesOutOfReachAfterwards() {
    add("one");
    add("other");
    pass(INTERVAL.plusSeconds(1));
    Node node = impatientNode("PT2S");
    AtomicBoolean gone = new AtomicBoolean();
    node.probe()
        .aroundCommit(
            (next, batches, deadline) -> {
              if (gone.getAndSet(true)) {
                throw outOfReach();
              }
              return next.commit(batches, deadline);
            });
    node.probe()
        .beforeSystemScans(
            () -> {
              if (gone.get()) {
                throw outOfReach();
              }
            });
    SchedulerOptions ours = options("one").withoutLease().lookingEvery(Duration.ofHours(1));
    try (Scheduler scheduler = scheduler(node, ours)) {
      assertThat(results(scheduler.fireDue())).containsExactly(Result.FIRED);
      assertThatThrownBy(scheduler::fireDue).isInstanceOf(Unavailable.class);
      gone.set(false);
      assertThat(results(scheduler.fireDue()))
          .as("it was the store and not the schedule: it is not left alone")
          .containsExactly(Result.FIRED);
    }
    assertThat(begun()).hasSize(2);
  }

  @Test
  void oneThatCannotBeReadHoldsUpNoOtherAndIsLeftAloneForAWhile() {
    Schedule unreadable = add("unreadable");
    add("report");
    Row row = rawRow(Key.of(RecordTypes.SCHEDULE, unreadable.name()));
    long next = row.header().version() + 1;
    rawCommit(
        new Mutation.Update(row, row.with(ofANewerNode(row.header(), row.header().id(), next))));
    pass(INTERVAL.plusSeconds(1));
    try (Scheduler scheduler =
        scheduler(node(), options("one").lookingEvery(Duration.ofHours(1)))) {
      List<Outcome> outcomes = scheduler.fireDue();
      assertThat(results(outcomes)).containsExactlyInAnyOrder(Result.FIRED, Result.FAILED);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.result() == Result.FAILED)
          .allSatisfy(
              outcome -> {
                assertThat(outcome.schedule()).isEqualTo("unreadable");
                assertThat(outcome.problem().orElseThrow()).contains("newer version");
              });
      assertThat(scheduler.fireDue()).isEmpty();
    }
  }

  /**
   * The first outcome that is no failure: where all is slow, a fire may not be done by a brief
   * deadline, and is tried again.
   */
  private static Outcome settled(BlockingQueue<Outcome> told) throws InterruptedException {
    Outcome outcome;
    do {
      outcome = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(outcome).isNotNull();
    } while (outcome.result() == Result.FAILED);
    return outcome;
  }

  @Test
  void aStoreThatIsOutOfReachDoesNotEndIt() throws InterruptedException {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    Node broken = newNode(Duration.ZERO, Map.of("wovyr.read.deadline", "PT0.5S"));
    // For longer than two looks in vain take.
    long away = TimeUnit.MILLISECONDS.toNanos(1_200);
    CompletableFuture<Long> firstLook = new CompletableFuture<>();
    AtomicInteger inVain = new AtomicInteger();
    broken
        .probe()
        .beforeSystemScans(
            () -> {
              firstLook.complete(System.nanoTime());
              if (System.nanoTime() - firstLook.join() < away) {
                inVain.incrementAndGet();
                throw outOfReach();
              }
            });
    BlockingQueue<Outcome> told = new LinkedBlockingQueue<>();
    try (Scheduler scheduler = scheduler(broken, options("one").withoutLease())) {
      scheduler.start(told::add);
      assertThatThrownBy(() -> scheduler.start(told::add))
          .isInstanceOf(IllegalStateException.class);
      assertThat(settled(told).result()).isEqualTo(Result.FIRED);
    }
    assertThat(inVain.get()).isPositive();
    everyTimeFiredOnce("report", 1);
  }

  @Test
  void aStoreThatCannotBeWrittenForAWhileDoesNotEndItEither() throws InterruptedException {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    Node broken = newNode(Duration.ZERO, Map.of("wovyr.commit.deadline", "PT0.5S"));
    AtomicInteger failed = new AtomicInteger();
    broken
        .probe()
        .aroundCommit(
            (next, batches, deadline) -> {
              if (failed.get() < 2) {
                throw outOfReach();
              }
              return next.commit(batches, deadline);
            });
    BlockingQueue<Outcome> told = new LinkedBlockingQueue<>();
    try (Scheduler scheduler = scheduler(broken, options("one").withoutLease())) {
      scheduler.start(
          outcome -> {
            told.add(outcome);
            failed.incrementAndGet();
          });
      assertThat(settled(told).result()).isEqualTo(Result.FIRED);
    }
    assertThat(failed.get()).isGreaterThan(2);
    everyTimeFiredOnce("report", 1);
  }

  @Test
  void interruptedItEndsAndFreesItsLease() throws InterruptedException {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    BlockingQueue<Outcome> told = new LinkedBlockingQueue<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Scheduler scheduler = scheduler(node(), options("one").lookingEvery(Duration.ofHours(1)));
    Thread thread =
        new Thread(
            () -> {
              scheduler.run(told::add);
              flag.set(Thread.currentThread().isInterrupted());
            });
    thread.start();
    assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    assertThat(thread.isAlive()).isFalse();
    assertThat(flag.get()).isTrue();
    assertThat(scheduler.isActive()).isFalse();
    try (Scheduler other = scheduler(newNode(), options("other"))) {
      other.fireDue();
      assertThat(other.isActive()).isTrue();
    }
  }

  @Test
  void closingWaitsForTheFireUnderWayAndBeginsNoOther() throws InterruptedException {
    add("one");
    add("other");
    pass(INTERVAL.plusSeconds(1));
    BlockingQueue<Outcome> told = new LinkedBlockingQueue<>();
    Scheduler scheduler = scheduler(node(), options("scheduler"));
    scheduler.run(
        outcome -> {
          told.add(outcome);
          scheduler.close();
        });
    assertThat(told).hasSize(1);
    assertThat(begun()).hasSize(1);
  }

  @SuppressWarnings("unchecked") // Languages without checked exceptions throw them like this.
  private static <E extends Exception> void throwUnchecked(Exception thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aListenerThatThrowsKeepsNoOtherFireFromItsTime() throws InterruptedException {
    add("report");
    add("other");
    pass(INTERVAL.plusSeconds(1));
    BlockingQueue<Outcome> told = new LinkedBlockingQueue<>();
    try (Scheduler scheduler = scheduler(node(), options("one"))) {
      scheduler.start(
          outcome -> {
            told.add(outcome);
            SchedulerContract.<RuntimeException>throwUnchecked(
                told.size() % 2 == 0 ? new IOException("full") : new RuntimeException("no"));
          });
      for (int fires = 0; fires < 2; fires++) {
        assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
      }
      pass(INTERVAL);
      for (int fires = 0; fires < 2; fires++) {
        Outcome outcome = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(outcome).as("it goes on").isNotNull();
        assertThat(outcome.result()).isEqualTo(Result.FIRED);
      }
      assertThat(scheduler.isActive()).isTrue();
    }
    assertThat(begun()).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void whateverEndsItTheLeaseIsGivenBack() {
    add("report");
    pass(INTERVAL.plusSeconds(1));
    Scheduler scheduler = scheduler(node(), options("one"));
    assertThatThrownBy(
            () ->
                scheduler.run(
                    outcome -> {
                      throw new StackOverflowError("of a listener");
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThat(scheduler.isActive()).isFalse();
    try (Scheduler other = scheduler(newNode(), options("other"))) {
      other.fireDue();
      assertThat(other.isActive()).isTrue();
    }
  }

  @Test
  void closedRightAfterItsStartItEndsWithoutAnError() throws InterruptedException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler old = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, why) -> {
          if (thread.getName().startsWith(SCHEDULERS)) {
            uncaught.add(why);
          }
        });
    try {
      for (int round = 0; round < 200; round++) {
        Scheduler scheduler = scheduler(node(), options("one"));
        scheduler.start(outcome -> {});
        scheduler.close();
        assertThat(scheduler.isActive()).isFalse();
      }
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith(SCHEDULERS) && !before.contains(thread)) {
          thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(old);
    }
    assertThat(uncaught).isEmpty();
  }

  @Test
  void closingThePersistenceGivesTheLeaseOfItsSchedulersBack() {
    Node node = newNode();
    Scheduler scheduler = scheduler(node, options("one"));
    scheduler.fireDue();
    assertThat(scheduler.isActive()).isTrue();
    node.close();
    assertThat(scheduler.isActive()).isFalse();
    try (Scheduler other = scheduler(newNode(), options("other"))) {
      other.fireDue();
      assertThat(other.isActive()).isTrue();
    }
  }

  @Test
  void aSchedulerOfOneTenantLeavesThoseOfOthersAlone() {
    add("report");
    Repositories elsewhere = node().as(tenant() + "-b");
    committed(
        elsewhere
            .schedules()
            .add(NewSchedule.of("theirs", new Timing.Every(INTERVAL, time().now()), ORDER)));
    pass(INTERVAL.plusSeconds(1));
    try (Scheduler scheduler = scheduler(node(), options("one"))) {
      assertThat(scheduler.fireDue()).extracting(Outcome::schedule).containsExactly("report");
    }
    assertThat(elsewhere.schedules().find("theirs").orElseThrow().fires()).isZero();
  }

  @Test
  void optionsOutOfBoundsAreRefused() {
    SchedulerOptions options = SchedulerOptions.of("one");
    List<Runnable> wrong =
        List.of(
            () -> SchedulerOptions.of(" "),
            () -> options.withTenant("$system"),
            () -> options.lookingEvery(Duration.ofMillis(9)),
            () -> options.lookingEvery(Duration.ofHours(2)),
            () -> options.withLease(Duration.ofMillis(999)),
            () -> options.withLease(Duration.ofHours(2)));
    wrong.forEach(one -> assertThatThrownBy(one::run).isInstanceOf(InvalidInput.class));
  }
}
