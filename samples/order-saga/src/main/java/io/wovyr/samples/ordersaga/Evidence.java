/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything the proofs look at, as plain values: what the store says, what the ledger says, and
 * what a run without trouble came to.
 *
 * @param executions every execution of the store, by id
 * @param ledger every record of the ledger, oldest first
 * @param expected what each order should have come to, by execution id; every order is in it
 */
record Evidence(
    Map<UUID, Execution> executions,
    List<LedgerRecord> ledger,
    Map<UUID, Expected> expected,
    Optional<Fires> fires) {
  Evidence {
    executions = Map.copyOf(executions);
    ledger = List.copyOf(ledger);
    expected = Map.copyOf(expected);
  }

  /** What an undisturbed run came to. */
  record Expected(String orderId, ExecutionStatus status, String contentHash, String records) {}

  /**
   * What the schedule of settlements says.
   *
   * @param count how often it fired
   * @param due its times, up to the last one that fired
   * @param missedAfter how late a time may fire
   */
  record Fires(long count, List<Instant> due, Duration missedAfter) {
    Fires {
      due = List.copyOf(due);
    }
  }

  /** An activity's record. */
  record ActivityFact(String activity, ActivityStatus status, int attempt) {}

  /**
   * A retry's record.
   *
   * @param lastDelay the delay that was drawn last
   * @param ceiling the longest it may be
   */
  record RetryFact(
      String activity,
      RetryStatus status,
      int attempts,
      int maxAttempts,
      Optional<Duration> lastDelay,
      Duration ceiling) {}

  /** An entry of the compensation stack. */
  record UndoFact(int position, String activity, String action, CompensationStatus status) {}

  /** The records of one execution beside its events, ordered by their keys. */
  record Facts(List<ActivityFact> activities, List<RetryFact> retries, List<UndoFact> stack) {
    Facts {
      activities = List.copyOf(activities);
      retries = List.copyOf(retries);
      stack = List.copyOf(stack);
    }

    /** What must be the same in every run: no clock, no dice, no worker. */
    String summary() {
      Stream<String> all =
          Stream.of(
                  activities.stream()
                      .map(
                          one -> "%s %s %d".formatted(one.activity(), one.status(), one.attempt())),
                  retries.stream()
                      .map(
                          one ->
                              "retry of %s %s %d"
                                  .formatted(one.activity(), one.status(), one.attempts())),
                  stack.stream()
                      .map(
                          one ->
                              "%d. %s by %s %s"
                                  .formatted(
                                      one.position(), one.activity(), one.action(), one.status())))
              .flatMap(texts -> texts);
      return all.collect(Collectors.joining(", "));
    }
  }

  /**
   * One execution.
   *
   * @param orderId its workflow id: of an order, or of a settlement
   * @param events in sequence order
   * @param contentHash empty when the state cannot be read
   * @param broken why its history cannot be read; empty when it can
   */
  record Execution(
      UUID id,
      Workflow workflow,
      String orderId,
      ExecutionStatus status,
      Instant createdAt,
      Head head,
      List<Logged> events,
      Facts facts,
      Optional<String> contentHash,
      Optional<String> broken) {
    Execution {
      events = List.copyOf(events);
    }
  }

  /** The head of an execution. */
  record Head(long lastSequence, boolean closed, boolean owned) {}

  /**
   * An event.
   *
   * @param token of the lease it was written under, 0 when there was none
   */
  record Logged(long sequence, long token, UUID eventId, What what) {}

  /** What an event says. */
  sealed interface What {
    /** The execution was created. */
    record Created() implements What {}

    /** It reached another status. */
    record Moved(ExecutionStatus to) implements What {}

    /** An attempt began. */
    record Started(String key, boolean repeated, boolean takenOver) implements What {}

    /** An attempt ended, its effect having run under that token. */
    record Ended(String key, Mark mark, long ledgerToken) implements What {}
  }
}
