/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries.Decision;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Works on what is due in a process of its own, and fires schedules, until it is killed. An
 * execution of a saga does its steps, fails at its last one as often as it may, and is rolled back.
 * Says a line for each step.
 */
final class KilledWorker {
  static final String SAGA = "saga";
  static final int STEPS = 4;
  static final int ATTEMPTS = 3;

  /** The entry that cannot be undone at the first try. */
  static final int HARD = 2;

  static final RetryPolicy POLICY =
      RetryPolicy.ofAttempts(ATTEMPTS).withDelays(Duration.ofMillis(200), Duration.ofMillis(800));

  static final Duration TTL = Duration.ofSeconds(1);
  private static final String LAST = "charge";

  private final String name;
  private final Persistence persistence;
  private final Repositories work;
  private final FileChannel effects;

  private KilledWorker(String name, Persistence persistence, Caller caller, FileChannel effects) {
    this.name = name;
    this.persistence = persistence;
    this.work = persistence.as(caller);
    this.effects = effects;
  }

  /** Arguments: name, tenant, the file of effects, the provider, and its settings. */
  public static void main(String[] arguments) throws IOException {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(
                arguments[3].equals("sqlite")
                    ? new SqliteStorageProvider()
                    : new PostgresqlStorageProvider());
    for (int i = 4; i < arguments.length; i++) {
      int end = arguments[i].indexOf('=');
      builder.setting(arguments[i].substring(0, end), arguments[i].substring(end + 1));
    }
    Caller caller = Caller.of(arguments[1], arguments[0], Role.READER, Role.WRITER);
    SchedulerOptions options =
        SchedulerOptions.of(arguments[0]).lookingEvery(Duration.ofMillis(50));
    try (Persistence persistence = builder.build();
        Scheduler scheduler =
            persistence.scheduler(
                arguments[0].startsWith("free")
                    ? options.withoutLease()
                    : options.withLease(Duration.ofSeconds(1)));
        FileChannel effects =
            FileChannel.open(
                Path.of(arguments[2]), StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      scheduler.start(outcome -> say("FIRE " + outcome.result() + " " + outcome.schedule()));
      new KilledWorker(arguments[0], persistence, caller, effects).run();
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void run() {
    say("READY");
    while (!Thread.currentThread().isInterrupted()) {
      try {
        List<Due> due = new ArrayList<>(persistence.system("worker").due(100));
        Collections.shuffle(due);
        due.forEach(one -> take(one.executionId()));
      } catch (PersistenceException e) {
        say("PROBLEM " + e);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private void take(UUID id) {
    try {
      if (work.leases().acquire(id, name, TTL) instanceof Acquired acquired) {
        say((acquired.lease().takenOver() ? "TAKEN " : "LEASE ") + id);
        new Move(acquired.lease()).run();
      }
    } catch (PersistenceException e) {
      say("PROBLEM " + e);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One execution under one lease. Everything it goes by is read from the store. */
  private final class Move {
    private final Lease lease;
    private final UUID id;
    private int begun;

    Move(Lease lease) {
      this.lease = lease;
      this.id = lease.executionId();
    }

    void run() throws IOException {
      while (lease.isHeld() && step()) {
        say("STEP");
      }
    }

    private boolean step() throws IOException {
      WorkflowExecution execution = work.executions().find(id).orElseThrow();
      if (execution.status() == ExecutionStatus.CREATED) {
        return commit(moved(unit(), execution, ExecutionStatus.RUNNING));
      }
      if (!execution.definition().name().equals(SAGA)) {
        return last(moved(unit(), execution, ExecutionStatus.COMPLETED));
      }
      return execution.status() == ExecutionStatus.RUNNING ? forward(execution) : back(execution);
    }

    private boolean forward(WorkflowExecution execution) throws IOException {
      int done = work.compensations().all(id).size();
      if (done < STEPS) {
        return commit(
            unit("Did-" + (done + 1))
                .with(
                    work.compensations()
                        .push(id, NewCompensation.of("step-" + (done + 1), "undo"))));
      }
      Optional<ActivityExecution> charge = work.activities().find(id, LAST);
      if (charge.isEmpty()) {
        return commit(
            unit("Started-1").with(work.activities().begin(id, NewActivity.of(LAST, "t"), name)));
      }
      return charge.get().status() == ActivityStatus.STARTED
          ? tried(execution, charge.get())
          : again(charge.get());
    }

    private boolean tried(WorkflowExecution execution, ActivityExecution charge)
        throws IOException {
      if (!charge.worker().equals(Optional.of(name))) {
        return commit(
            unit("TakenOver-" + charge.attempt()).with(work.activities().takeOver(charge, name)));
      }
      effect("charge-" + charge.attempt());
      Payload reason = Payload.text("refused " + charge.attempt());
      Decision decision = work.retries().failed(id, LAST, POLICY, "Refused", reason);
      String delay = decision.retry().lastDelay().map(Duration::toString).orElse("none");
      UnitOfWork unit =
          work.unitOfWork()
              .append(
                  id,
                  Append.next(lease),
                  NewEvent.of("Failed-" + decision.retry().attempts())
                      .withPayload(Payload.text(delay)))
              .with(decision.change());
      if (decision.nextAttemptAt().isPresent()) {
        unit.with(work.activities().failAndReschedule(charge, reason))
            .release(lease, Wake.at(decision.nextAttemptAt().get()));
        return last(unit);
      }
      unit.with(work.activities().fail(charge, reason));
      return commit(moved(unit, execution, ExecutionStatus.COMPENSATING));
    }

    private boolean again(ActivityExecution charge) {
      RetryRecord retry = work.retries().find(id, LAST).orElseThrow();
      Instant next = retry.nextAttemptAt().orElseThrow();
      if (next.isAfter(Instant.now())) {
        return last(unit().release(lease, Wake.at(next)));
      }
      return commit(
          unit("Started-" + (retry.attempts() + 1)).with(work.activities().start(charge, name)));
    }

    private boolean back(WorkflowExecution execution) throws IOException {
      Optional<CompensationRecord> next = work.compensations().next(id);
      if (next.isEmpty()) {
        return last(moved(unit(), execution, ExecutionStatus.COMPENSATED));
      }
      CompensationRecord entry = next.get();
      if (begun != entry.position() || entry.status() != CompensationStatus.RUNNING) {
        begun = entry.position();
        return commit(unit("Undoing-" + entry.position()).with(work.compensations().start(entry)));
      }
      effect("undo-" + entry.position());
      if (entry.position() == HARD && work.compensations().history(entry).isEmpty()) {
        Instant again = Instant.now().plusMillis(100);
        UnitOfWork unit =
            unit("UndoFailed-" + entry.position())
                .with(
                    work.compensations()
                        .fail(entry, "Closed", Payload.text("no"), Optional.of(again)))
                .release(lease, Wake.at(again));
        return last(unit);
      }
      return commit(
          unit("Undone-" + entry.position())
              .with(work.compensations().complete(entry, Optional.of(Payload.text("undone")))));
    }

    private UnitOfWork unit() {
      return work.unitOfWork();
    }

    private UnitOfWork unit(String event) {
      return unit().append(id, Append.next(lease), NewEvent.of(event));
    }

    private UnitOfWork moved(UnitOfWork unit, WorkflowExecution execution, ExecutionStatus to) {
      return unit.transition(execution, Transition.to(to), Append.next(lease));
    }

    private boolean commit(UnitOfWork unit) {
      boolean committed = unit.commit().isCommitted();
      if (!committed) {
        say("LOST " + id);
      }
      return committed;
    }

    /** There is nothing more to do under this lease. */
    private boolean last(UnitOfWork unit) {
      boolean unused = commit(unit);
      return false;
    }

    /** In the world outside, with the token that an outside system would look at. */
    private void effect(String what) throws IOException {
      if (lease.isHeld()) {
        String line = "%s %d %s%n".formatted(id, lease.token(), what);
        effects.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }
}
