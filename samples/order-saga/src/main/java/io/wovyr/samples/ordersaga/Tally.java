/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.samples.ordersaga.Evidence.What;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Follows the feed of events and counts: the controller learns from it how far the work is, whoever
 * does it, and needs no word from the workers. Thread-safe; one thread follows.
 */
final class Tally {
  private static final int PAGE = 500;

  private final Repositories orders;
  private final EvidenceReader reader;
  private final Set<UUID> wanted;
  private final Set<UUID> settlements = new HashSet<>();
  private final Set<UUID> ended = new HashSet<>();
  private final Set<UUID> setAside = new HashSet<>();
  private final Map<ExecutionStatus, Integer> ends = new EnumMap<>(ExecutionStatus.class);
  private Optional<FeedCursor> cursor = Optional.empty();
  private Counts counts = new Counts(0, 0, 0);

  /**
   * @param wanted the executions of all orders; others are settlements
   */
  Tally(Repositories orders, Set<UUID> wanted) {
    this.orders = orders;
    this.wanted = wanted;
    this.reader = new EvidenceReader(orders);
  }

  /**
   * What was counted.
   *
   * @param steps attempts that ended
   * @param takeovers leases taken from workers that had gone
   */
  record Counts(long events, long steps, long takeovers) {
    Counts minus(Counts earlier) {
      return new Counts(
          events - earlier.events, steps - earlier.steps, takeovers - earlier.takeovers);
    }
  }

  /** Counts what came since. */
  void follow() {
    FeedPage page;
    do {
      page = orders.feed().read(cursor, PAGE);
      cursor = page.next();
      page.entries().forEach(this::count);
    } while (!page.entries().isEmpty());
  }

  private void count(FeedEntry entry) {
    What what = reader.meaning(entry.event());
    synchronized (this) {
      boolean takenOver = what instanceof What.Started started && started.takenOver();
      counts =
          new Counts(
              counts.events() + 1,
              counts.steps() + (what instanceof What.Ended ? 1 : 0),
              counts.takeovers() + (takenOver ? 1 : 0));
      if (what instanceof What.Moved moved && moved.to().isFinal()) {
        settle(entry.event().executionId(), moved.to());
      }
    }
  }

  private void settle(UUID executionId, ExecutionStatus end) {
    if (!wanted.contains(executionId)) {
      settlements.add(executionId);
    } else if (ended.add(executionId)) {
      ends.merge(end, 1, Integer::sum);
    }
  }

  /** Settlements that need nobody any more. */
  synchronized int settlements() {
    return settlements.size();
  }

  synchronized Counts counts() {
    return counts;
  }

  /** Orders that need nobody any more, because they ended or because nobody can move them. */
  synchronized int settled() {
    return ended.size() + setAside.size();
  }

  synchronized boolean isSettled(UUID executionId) {
    return ended.contains(executionId)
        || setAside.contains(executionId)
        || settlements.contains(executionId);
  }

  synchronized Map<ExecutionStatus, Integer> ends() {
    return new EnumMap<>(ends);
  }

  /** A worker found that an order cannot go on. */
  synchronized void setAside(UUID executionId) {
    if (!wanted.contains(executionId)) {
      settlements.add(executionId);
    } else if (!ended.contains(executionId)) {
      setAside.add(executionId);
    }
  }
}
