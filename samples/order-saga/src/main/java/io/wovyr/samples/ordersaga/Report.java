/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Facts;
import io.wovyr.samples.ordersaga.Evidence.Fires;
import io.wovyr.samples.ordersaga.Evidence.Logged;
import io.wovyr.samples.ordersaga.Evidence.What;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of a run. Written as JSON as it is; {@link ReportText} writes it for people.
 *
 * @param directory where everything can be looked at
 * @param store where its orders are, for people
 * @param sabotage the promise that was broken on purpose, or {@code none}
 * @param resumed a run that was interrupted before was finished
 * @param executions how many orders ended in each status
 * @param proofs in order
 */
record Report(
    String directory,
    String store,
    long seed,
    String sabotage,
    boolean resumed,
    Input input,
    Map<String, Integer> executions,
    Log log,
    Records records,
    Strikes strikes,
    LateWrites lateWrites,
    Speed speed,
    List<Proof> proofs) {

  /**
   * What was read.
   *
   * @param malformed lines left out, as {@code file:line: reason}; the first 100
   */
  record Input(String file, int orders, int malformedLines, List<String> malformed) {}

  /**
   * What the event log and the ledger hold.
   *
   * @param attempts at activities, repetitions not counted
   * @param retries attempts after a failed one
   * @param repetitions starts of an attempt that somebody else had started
   * @param takeovers leases taken from workers that had gone
   * @param compensations activities taken back
   * @param effects records of the ledger
   */
  record Log(
      long events,
      long attempts,
      long retries,
      long repetitions,
      long takeovers,
      long compensations,
      long effects) {
    static Log of(Evidence evidence) {
      long events = 0;
      long attempts = 0;
      long retries = 0;
      long repetitions = 0;
      long takeovers = 0;
      long compensations = 0;
      for (Execution execution : evidence.executions().values()) {
        for (Logged event : execution.events()) {
          events++;
          if (event.what() instanceof What.Started started) {
            attempts += started.repeated() ? 0 : 1;
            retries += !started.repeated() && !started.key().endsWith("/1") ? 1 : 0;
            repetitions += started.repeated() ? 1 : 0;
            takeovers += started.takenOver() ? 1 : 0;
          } else if (event.what() instanceof What.Ended ended) {
            compensations += ended.mark() == Mark.DONE && takesBack(ended.key()) ? 1 : 0;
          }
        }
      }
      long effects = evidence.ledger().stream().filter(Performed.class::isInstance).count();
      return new Log(events, attempts, retries, repetitions, takeovers, compensations, effects);
    }

    private static boolean takesBack(String key) {
      return Activity.named(key.substring(0, key.indexOf('/'))).isUndo();
    }
  }

  /**
   * What the records beside the events say.
   *
   * @param activities records of activities, by status
   * @param retries records of retries, by status
   * @param compensations entries of compensation stacks, by status
   * @param fires how often the schedule of settlements fired
   */
  record Records(
      Map<String, Integer> activities,
      Map<String, Integer> retries,
      Map<String, Integer> compensations,
      long fires) {
    static Records of(Evidence evidence) {
      Map<String, Integer> activities = new TreeMap<>();
      Map<String, Integer> retries = new TreeMap<>();
      Map<String, Integer> compensations = new TreeMap<>();
      for (Execution execution : evidence.executions().values()) {
        Facts facts = execution.facts();
        facts.activities().forEach(one -> activities.merge(one.status().name(), 1, Integer::sum));
        facts.retries().forEach(one -> retries.merge(one.status().name(), 1, Integer::sum));
        facts.stack().forEach(one -> compensations.merge(one.status().name(), 1, Integer::sum));
      }
      return new Records(
          activities, retries, compensations, evidence.fires().map(Fires::count).orElse(0L));
    }
  }

  /** Strikes wanted, and those that fell, by phase. */
  record Strikes(
      int killsWanted, Map<String, Integer> kills, int stallsWanted, Map<String, Integer> stalls) {
    int missing() {
      return killsWanted
          + stallsWanted
          - kills.values().stream().mapToInt(Integer::intValue).sum()
          - stalls.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * What stalled workers tried after others had taken over.
   *
   * @param refusedBy how often: {@code core} (the library saw that the lease was gone, and sent
   *     nothing), {@code store} (the guards of the write), {@code ledger} (the outside world)
   * @param accepted how often it went through, which must never be
   */
  record LateWrites(Map<String, Integer> refusedBy, int accepted) {
    int refused() {
      return refusedBy.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * How fast it was.
   *
   * @param firstProgressSeconds from the start of the run until the first order ended
   * @param workSeconds from the start of the workers until the last order ended
   * @param steps attempts that ended in this time
   */
  record Speed(
      double firstProgressSeconds,
      double workSeconds,
      long steps,
      double stepsPerSecond,
      double totalSeconds) {}

  /** True when every proof holds. */
  boolean holds() {
    return proofs.stream().allMatch(Proof::holds);
  }

  /** How many orders ended how. */
  static Map<String, Integer> byStatus(Evidence evidence) {
    Map<String, Integer> counts = new TreeMap<>();
    evidence.executions().values().stream()
        .filter(execution -> execution.workflow() == Workflow.ORDER_SAGA)
        .forEach(execution -> counts.merge(execution.status().name(), 1, Integer::sum));
    return counts;
  }
}
