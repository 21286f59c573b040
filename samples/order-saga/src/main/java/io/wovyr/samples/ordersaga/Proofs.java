/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Expected;
import io.wovyr.samples.ordersaga.Evidence.Logged;
import io.wovyr.samples.ordersaga.Evidence.What;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import io.wovyr.samples.ordersaga.Proof.Court;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The three proofs, as functions of the evidence alone: they know nothing of workers, and would say
 * the same of any program that left such a store and such a ledger.
 */
final class Proofs {
  private static final Set<ExecutionStatus> LEGAL_ENDS =
      Set.of(ExecutionStatus.COMPLETED, ExecutionStatus.COMPENSATED, ExecutionStatus.FAILED);

  private Proofs() {}

  static List<Proof> of(Evidence evidence) {
    return List.of(
        endedOnce(evidence),
        ledgerAndLogMatch(evidence),
        sameContent(evidence),
        RecordProofs.attemptsKept(evidence),
        RecordProofs.takenBackInReverse(evidence),
        RecordProofs.firedOnce(evidence));
  }

  /** Proof 1. */
  static Proof endedOnce(Evidence evidence) {
    Court court = new Court("every order ended once, in a legal final state");
    for (Map.Entry<UUID, Expected> expected : evidence.expected().entrySet()) {
      Execution execution = evidence.executions().get(expected.getKey());
      court.require(execution != null, "order %s is not there", expected.getValue().orderId());
      if (execution != null) {
        checkEnd(court, execution);
      }
    }
    for (Execution execution : evidence.executions().values()) {
      if (execution.workflow() == Workflow.SETTLEMENT) {
        checkEnd(court, execution);
      } else {
        court.require(
            evidence.expected().containsKey(execution.id()),
            "execution %s (%s) belongs to no order",
            execution.id(),
            execution.orderId());
      }
    }
    return court.verdict();
  }

  private static void checkEnd(Court court, Execution execution) {
    String order = execution.orderId();
    court.require(
        LEGAL_ENDS.contains(execution.status()), "%s: it is %s", order, execution.status());
    court.require(execution.head().closed(), "%s: its head is not closed", order);
    court.require(!execution.head().owned(), "%s: somebody still holds its lease", order);
    if (execution.broken().isPresent()) {
      court.require(false, "%s: %s", order, execution.broken().get());
      return;
    }
    List<Logged> events = execution.events();
    long last = events.isEmpty() ? 0 : events.get(events.size() - 1).sequence();
    court.require(
        execution.head().lastSequence() == last,
        "%s: its head says that the last event is %d, it is %d",
        order,
        execution.head().lastSequence(),
        last);
    ExecutionStatus status = ExecutionStatus.CREATED;
    int ends = 0;
    for (Logged event : events) {
      court.require(!status.isFinal(), "%s: event %d comes after the end", order, event.sequence());
      if (event.what() instanceof What.Moved moved) {
        court.require(
            status.next().contains(moved.to()),
            "%s: event %d leads from %s to %s",
            order,
            event.sequence(),
            status,
            moved.to());
        status = moved.to();
        ends += status.isFinal() ? 1 : 0;
      }
    }
    court.require(ends == 1, "%s: it ended %d times", order, ends);
    court.require(
        status == execution.status(),
        "%s: its events lead to %s, its record says %s",
        order,
        status,
        execution.status());
  }

  /** Proof 2. */
  static Proof ledgerAndLogMatch(Evidence evidence) {
    Court court = new Court("the ledger and the event log tell the same, every effect once");
    Map<UUID, Map<String, Performed>> effects = checkLedger(court, evidence.ledger());
    for (Execution execution : evidence.executions().values()) {
      boolean readable = execution.broken().isEmpty();
      court.require(readable, "%s: %s", execution.orderId(), execution.broken().orElse("readable"));
      if (readable) {
        checkSequences(court, execution);
        checkAttempts(court, execution, effects.getOrDefault(execution.id(), Map.of()));
      }
    }
    for (UUID id : effects.keySet()) {
      court.require(
          evidence.executions().containsKey(id),
          "the ledger knows execution %s, the store not",
          id);
    }
    return court.verdict();
  }

  private static Map<UUID, Map<String, Performed>> checkLedger(
      Court court, List<LedgerRecord> ledger) {
    Map<UUID, Long> highest = new HashMap<>();
    Map<UUID, Map<String, Performed>> effects = new HashMap<>();
    for (LedgerRecord record : ledger) {
      long before = highest.merge(record.executionId(), record.token(), Math::max);
      court.require(
          before == record.token(),
          "ledger: token %d of execution %s comes after token %d",
          record.token(),
          record.executionId(),
          before);
      if (record instanceof Performed performed) {
        Performed first =
            effects
                .computeIfAbsent(performed.executionId(), id -> new HashMap<>())
                .putIfAbsent(performed.key(), performed);
        court.require(
            first == null,
            "ledger: %s of execution %s happened twice",
            performed.key(),
            performed.executionId());
      }
    }
    return effects;
  }

  private static void checkSequences(Court court, Execution execution) {
    String order = execution.orderId();
    long sequence = 0;
    long token = 0;
    Set<UUID> ids = new HashSet<>();
    for (Logged event : execution.events()) {
      sequence++;
      court.require(
          event.sequence() == sequence,
          "%s: event %d stands where %d should",
          order,
          event.sequence(),
          sequence);
      sequence = event.sequence();
      court.require(
          event.token() >= token,
          "%s: event %d was written late, under token %d after token %d",
          order,
          event.sequence(),
          event.token(),
          token);
      token = Math.max(token, event.token());
      court.require(
          ids.add(event.eventId()), "%s: event %d has an id twice", order, event.sequence());
    }
  }

  private static void checkAttempts(
      Court court, Execution execution, Map<String, Performed> effects) {
    String order = execution.orderId();
    Map<String, Set<Long>> started = new HashMap<>();
    Map<String, Long> ended = new HashMap<>();
    for (Logged event : execution.events()) {
      if (event.what() instanceof What.Started start) {
        checkStart(court, order, event, start, started, ended);
      } else if (event.what() instanceof What.Ended end) {
        court.require(
            ended.put(end.key(), end.ledgerToken()) == null,
            "%s: %s ended twice, again in event %d",
            order,
            end.key(),
            event.sequence());
        court.require(
            started.containsKey(end.key()),
            "%s: %s ended in event %d, and had not started",
            order,
            end.key(),
            event.sequence());
      }
    }
    for (Performed effect : effects.values()) {
      court.require(
          started.getOrDefault(effect.key(), Set.of()).contains(effect.token()),
          "%s: the ledger has %s under token %d, no start is logged under it",
          order,
          effect.key(),
          effect.token());
      Long named = ended.get(effect.key());
      court.require(
          named != null && named == effect.token(),
          "%s: the ledger has %s under token %d, its end names %s",
          order,
          effect.key(),
          effect.token(),
          named == null ? "none" : named);
    }
    for (String key : started.keySet()) {
      court.require(
          effects.containsKey(key),
          "%s: %s was started, the ledger has no such effect",
          order,
          key);
    }
    for (String key : ended.keySet()) {
      court.require(
          effects.containsKey(key), "%s: %s has an end, the ledger has no such effect", order, key);
    }
  }

  private static void checkStart(
      Court court,
      String order,
      Logged event,
      What.Started start,
      Map<String, Set<Long>> started,
      Map<String, Long> ended) {
    boolean repeated = started.containsKey(start.key());
    boolean newToken =
        started.computeIfAbsent(start.key(), key -> new HashSet<>()).add(event.token());
    court.require(
        start.repeated() == repeated && newToken,
        "%s: event %d starts %s as if it had %sbeen started",
        order,
        event.sequence(),
        start.key(),
        start.repeated() ? "" : "not ");
    court.require(
        !ended.containsKey(start.key()),
        "%s: event %d starts %s, which had ended",
        order,
        event.sequence(),
        start.key());
  }

  /** Proof 3. */
  static Proof sameContent(Evidence evidence) {
    Court court =
        new Court(
            "every final content hash and all records equal those of an undisturbed one-worker run");
    evidence
        .expected()
        .forEach(
            (id, expected) -> {
              Execution execution = evidence.executions().get(id);
              String hash =
                  execution == null ? "none" : execution.contentHash().orElse("unreadable");
              court.require(
                  execution != null
                      && hash.equals(expected.contentHash())
                      && execution.status() == expected.status(),
                  "%s: %s %s, should be %s %s",
                  expected.orderId(),
                  execution == null ? "missing" : execution.status(),
                  hash,
                  expected.status(),
                  expected.contentHash());
              String records = execution == null ? "none" : execution.facts().summary();
              court.require(
                  records.equals(expected.records()),
                  "%s: its records are %s, should be %s",
                  expected.orderId(),
                  records,
                  expected.records());
            });
    return court.verdict();
  }
}
