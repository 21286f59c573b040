/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.samples.ordersaga.Evidence.ActivityFact;
import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Fires;
import io.wovyr.samples.ordersaga.Evidence.RetryFact;
import io.wovyr.samples.ordersaga.Evidence.UndoFact;
import io.wovyr.samples.ordersaga.Evidence.What;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import io.wovyr.samples.ordersaga.Proof.Court;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The proofs about the records beside the events. Executions whose history cannot be read are the
 * matter of {@link Proofs}.
 */
final class RecordProofs {
  private RecordProofs() {}

  /** What the log says about one activity. */
  private record InLog(int attempts, int failures, Mark last) {
    static Map<String, InLog> of(Execution execution) {
      Map<String, InLog> all = new TreeMap<>();
      for (Evidence.Logged event : execution.events()) {
        if (event.what() instanceof What.Started started && !started.repeated()) {
          InLog before = all.getOrDefault(activity(started.key()), new InLog(0, 0, Mark.STARTED));
          all.put(
              activity(started.key()),
              new InLog(before.attempts + 1, before.failures, Mark.STARTED));
        } else if (event.what() instanceof What.Ended ended) {
          InLog before = all.getOrDefault(activity(ended.key()), new InLog(0, 0, Mark.STARTED));
          int failed = ended.mark() == Mark.DONE ? 0 : 1;
          all.put(
              activity(ended.key()),
              new InLog(before.attempts, before.failures + failed, ended.mark()));
        }
      }
      return all;
    }

    private static String activity(String key) {
      return key.substring(0, key.indexOf('/'));
    }
  }

  /** Proof 4. */
  static Proof attemptsKept(Evidence evidence) {
    Court court = new Court("no activity is open, and none was tried more often than its policy");
    for (Execution execution : evidence.executions().values()) {
      if (execution.broken().isEmpty()) {
        Map<String, InLog> log = InLog.of(execution);
        checkActivities(court, execution, log);
        checkRetries(court, execution, log);
      }
    }
    return court.verdict();
  }

  private static void checkActivities(Court court, Execution execution, Map<String, InLog> log) {
    String order = execution.orderId();
    for (ActivityFact fact : execution.facts().activities()) {
      InLog logged = log.getOrDefault(fact.activity(), new InLog(0, 0, Mark.STARTED));
      court.require(!fact.status().isOpen(), "%s: %s is still open", order, fact.activity());
      court.require(
          fact.attempt() == logged.attempts(),
          "%s: %s has %d attempts, %d are logged",
          order,
          fact.activity(),
          fact.attempt(),
          logged.attempts());
      court.require(
          (fact.status() == ActivityStatus.COMPLETED) == (logged.last() == Mark.DONE),
          "%s: %s is %s, its last attempt is logged as %s",
          order,
          fact.activity(),
          fact.status(),
          logged.last());
    }
    court.require(
        execution.facts().activities().size() == log.size(),
        "%s: it has %d activities, %d are logged",
        order,
        execution.facts().activities().size(),
        log.size());
  }

  private static void checkRetries(Court court, Execution execution, Map<String, InLog> log) {
    String order = execution.orderId();
    Map<String, RetryFact> retries =
        execution.facts().retries().stream()
            .collect(Collectors.toMap(RetryFact::activity, retry -> retry));
    for (Map.Entry<String, InLog> logged : log.entrySet()) {
      RetryFact retry = retries.remove(logged.getKey());
      int failures = logged.getValue().failures();
      court.require(
          (retry == null ? 0 : retry.attempts()) == failures,
          "%s: %d failures of %s are logged, its retry knows %d",
          order,
          failures,
          logged.getKey(),
          retry == null ? 0 : retry.attempts());
      if (retry != null) {
        checkRetry(court, order, retry, logged.getValue());
      }
    }
    court.require(retries.isEmpty(), "%s: retries of nothing: %s", order, retries.keySet());
  }

  private static void checkRetry(Court court, String order, RetryFact retry, InLog logged) {
    court.require(
        logged.attempts() <= retry.maxAttempts(),
        "%s: %s was tried %d times, its policy allows %d",
        order,
        retry.activity(),
        logged.attempts(),
        retry.maxAttempts());
    RetryStatus expected =
        logged.last() == Mark.DONE ? RetryStatus.SUCCEEDED : RetryStatus.EXHAUSTED;
    court.require(
        retry.status() == expected,
        "%s: the retry of %s is %s, should be %s",
        order,
        retry.activity(),
        retry.status(),
        expected);
    court.require(
        retry.lastDelay().map(delay -> delay.compareTo(retry.ceiling()) <= 0).orElse(true),
        "%s: %s waited %s, at most %s are allowed",
        order,
        retry.activity(),
        retry.lastDelay(),
        retry.ceiling());
  }

  /** Proof 5. */
  static Proof takenBackInReverse(Evidence evidence) {
    Court court = new Court("what was taken back was taken back once, newest first");
    Map<UUID, Map<String, Integer>> undone = undoneInLedger(evidence.ledger());
    for (Execution execution : evidence.executions().values()) {
      if (execution.broken().isEmpty()) {
        checkStack(court, execution);
        checkOutcome(court, execution);
        checkUndone(court, execution, undone.getOrDefault(execution.id(), Map.of()));
      }
    }
    return court.verdict();
  }

  /** How often each undo happened in the outside world. */
  private static Map<UUID, Map<String, Integer>> undoneInLedger(List<LedgerRecord> ledger) {
    Map<UUID, Map<String, Integer>> counts = new HashMap<>();
    for (LedgerRecord record : ledger) {
      if (record instanceof Performed performed
          && performed.answer().kind() == Answer.Kind.DONE
          && Activity.named(InLog.activity(performed.key())).isUndo()) {
        counts
            .computeIfAbsent(performed.executionId(), id -> new HashMap<>())
            .merge(InLog.activity(performed.key()), 1, Integer::sum);
      }
    }
    return counts;
  }

  /** The stack is what was done, in the order in which it was done; what was undone is logged. */
  private static void checkStack(Court court, Execution execution) {
    List<String> done = new ArrayList<>();
    List<String> undone = new ArrayList<>();
    for (Evidence.Logged event : execution.events()) {
      if (event.what() instanceof What.Ended ended && ended.mark() == Mark.DONE) {
        Activity activity = Activity.named(InLog.activity(ended.key()));
        activity.undo().ifPresent(undo -> done.add(activity.text()));
        if (activity.isUndo()) {
          undone.add(activity.text());
        }
      }
    }
    List<UndoFact> stack = execution.facts().stack();
    List<String> pushed = stack.stream().map(UndoFact::activity).toList();
    court.require(
        pushed.equals(done), "%s: its stack is %s, done was %s", execution.orderId(), pushed, done);
    List<String> reversed = new ArrayList<>();
    for (int i = stack.size() - 1; i >= 0; i--) {
      if (stack.get(i).status() == CompensationStatus.COMPENSATED) {
        reversed.add(stack.get(i).action());
      }
    }
    court.require(
        undone.equals(reversed),
        "%s: logged as taken back is %s, its stack says %s",
        execution.orderId(),
        undone,
        reversed);
  }

  /** From the top: what was taken back, at most one that could not be, and what was left. */
  private static void checkOutcome(Court court, Execution execution) {
    StringBuilder shape = new StringBuilder();
    List<UndoFact> stack = execution.facts().stack();
    for (int i = stack.size() - 1; i >= 0; i--) {
      shape.append(letter(stack.get(i).status()));
    }
    ExecutionStatus status = execution.status();
    String allowed =
        switch (status) {
          case COMPLETED -> "R*";
          case COMPENSATED -> "C+";
          default -> "(C*FR*)?";
        };
    court.require(
        shape.toString().matches(allowed),
        "%s: it is %s, and its stack is %s",
        execution.orderId(),
        status,
        stack);
  }

  private static char letter(CompensationStatus status) {
    return switch (status) {
      case REGISTERED -> 'R';
      case RUNNING -> 'B';
      case FAILED -> 'F';
      case COMPENSATED -> 'C';
      case SKIPPED -> 'S';
    };
  }

  private static void checkUndone(Court court, Execution execution, Map<String, Integer> undone) {
    Map<String, Integer> wanted = new HashMap<>();
    execution.facts().stack().stream()
        .filter(entry -> entry.status() == CompensationStatus.COMPENSATED)
        .forEach(entry -> wanted.merge(entry.action(), 1, Integer::sum));
    court.require(
        wanted.equals(undone),
        "%s: the ledger has %s taken back, its stack %s",
        execution.orderId(),
        undone,
        wanted);
  }

  /** Proof 6. */
  static Proof firedOnce(Evidence evidence) {
    Court court = new Court("the schedule fired once at every time that was due");
    NavigableMap<Instant, Instant> fired = new TreeMap<>();
    int settlements = 0;
    for (Execution execution : evidence.executions().values()) {
      if (execution.workflow() == Workflow.SETTLEMENT) {
        settlements++;
        String id = execution.orderId();
        Instant time = Instant.parse(id.substring(id.indexOf('@') + 1));
        court.require(fired.put(time, execution.createdAt()) == null, "%s: it was begun twice", id);
      }
    }
    court.require(evidence.fires().isPresent(), "there is no schedule");
    if (evidence.fires().isPresent()) {
      checkFires(court, evidence.fires().get(), fired, settlements);
    }
    return court.verdict();
  }

  private static void checkFires(
      Court court, Fires fires, NavigableMap<Instant, Instant> fired, int settlements) {
    court.require(
        fires.count() == settlements,
        "the schedule fired %d times, there are %d settlements",
        fires.count(),
        settlements);
    for (Instant time : fires.due()) {
      Map.Entry<Instant, Instant> next = fired.ceilingEntry(time);
      boolean isFired = next != null && next.getKey().equals(time);
      boolean isMissed = next != null && next.getValue().isAfter(time.plus(fires.missedAfter()));
      court.require(isFired || isMissed, "nothing was begun for %s", time);
    }
    for (Instant time : fired.keySet()) {
      court.require(fires.due().contains(time), "%s is no time of the schedule", time);
    }
  }
}
