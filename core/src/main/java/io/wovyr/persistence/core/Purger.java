/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Removes the beginning of a finished history, step by step: each step removes a few events and
 * raises the head's low-water mark in one transaction, so that it may be killed and repeated at any
 * point.
 */
final class Purger {
  private static final int STEP = 500;

  private final Engine engine;
  private final Scope scope;
  private final String actor;

  Purger(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
  }

  long purge(UUID executionId, long belowSequence, boolean force) {
    Key key = Key.of(RecordTypes.HEAD, executionId);
    List<FeedCursor> notBeyond = force ? List.of() : cursors();
    int step = Math.max(1, Math.min(STEP, engine.storage().limits().batchItems() / 2));
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    long start = -1;
    while (true) {
      long epoch = engine.epoch();
      Row head = purgeable(key);
      long from = (Long) FencedRows.require(head, "lowWaterMark");
      start = start < 0 ? from : start;
      abandonBelow(executionId, from, Math.max(1, step / 2), deadline);
      long end = Math.min(belowSequence, BatchPlan.lastSequence(head) + 1);
      if (from >= end) {
        return from - start;
      }
      long to = Math.min(end, from + step);
      int most = Math.max(1, step / 2);
      List<Row> large = largeValues(executionId, from, to, most);
      if (large.size() > most) {
        // Those of one event at least, however many there are.
        to = Math.max(from + 1, sequence(large.get(large.size() - 1)));
        long below = to;
        large = large.stream().filter(value -> sequence(value) < below).toList();
      }
      boolean stepped = step(head, epoch, to, large, notBeyond, deadline);
      if (stepped) {
        deadline = engine.commitDeadline();
        backoff = new Backoff(engine.settings());
      } else if (!backoff.pause(deadline)) {
        throw new Unavailable(
            "purged " + (from - start) + " events of " + executionId + "; run it again", null);
      }
    }
  }

  /** What did not fit beside its event in the step that removed it. */
  private void abandonBelow(UUID executionId, long from, int most, Deadline deadline) {
    List<Row> left = largeValues(executionId, 0, from, most);
    while (!left.isEmpty() && !deadline.isOver()) {
      List<Mutation> changes =
          left.stream()
              .limit(most)
              .<Mutation>map(value -> engine.largeValues().abandon(value, actor))
              .toList();
      Batch batch =
          new Batch(Engine.newId(), engine.epoch(), scope, Optional.empty(), changes, List.of());
      // Refused when another purge was first: what is left then is read again.
      CommitOutcome unused = engine.storage().commit(batch, deadline);
      left = largeValues(executionId, 0, from, most);
    }
  }

  /** Of the events in a range, one more than so many at most, by event. */
  private List<Row> largeValues(UUID executionId, long from, long to, int most) {
    Scan scan =
        Scan.byPath(RecordTypes.LARGE_VALUE, "by_event", List.of(executionId), most + 1)
            .from(from)
            .to(to);
    List<Row> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page = engine.scan(scope, scan.after(next));
      page.items().stream().filter(LargeValues::isPublished).forEach(found::add);
      next = page.next();
    } while (next.isPresent() && found.size() <= most);
    return found;
  }

  private static long sequence(Row largeValue) {
    return (Long) FencedRows.require(largeValue, "sequence");
  }

  private Row purgeable(Key key) {
    Row head =
        engine
            .read(scope, key)
            .orElseThrow(() -> new InvalidInput("there is no execution " + key.values().get(0)));
    if (!Boolean.TRUE.equals(head.get("closed"))) {
      throw new InvalidInput(
          "execution " + key.values().get(0) + " is not finished: its events are kept");
    }
    return head;
  }

  /**
   * Also false when the outcome is unknown: the low-water mark tells, and the head is read again.
   */
  private boolean step(
      Row head,
      long epoch,
      long to,
      List<Row> large,
      List<FeedCursor> notBeyond,
      Deadline deadline) {
    long from = (Long) FencedRows.require(head, "lowWaterMark");
    Row after =
        new RowEdit(head).set("lowWaterMark", to).build(head.header().next(engine.now(), actor));
    List<Mutation> changes = new ArrayList<>();
    changes.add(new Mutation.Update(head, after));
    large.forEach(value -> changes.add(engine.largeValues().abandon(value, actor)));
    Batch batch = new Batch(Engine.newId(), epoch, scope, Optional.empty(), changes, List.of());
    Purge purge = new Purge(batch, RecordTypes.EVENT, head.key().values(), from, to, notBeyond);
    try {
      PurgeOutcome outcome = engine.storage().purge(scope, purge, deadline);
      if (outcome instanceof PurgeOutcome.HeldBack held) {
        throw new InvalidInput(
            "events from "
                + from
                + " on have not been read by the feed consumer at "
                + held.cursor()
                + ": let it catch up, remove its cursor, or force");
      }
      return outcome instanceof PurgeOutcome.Purged;
    } catch (Unavailable | OutcomeUnknown e) {
      if (deadline.isOver() || (e instanceof Unavailable refused && refused.isLasting())) {
        throw e;
      }
      return false;
    }
  }

  /** Of this tenant's consumers and of the system's. */
  private List<FeedCursor> cursors() {
    List<FeedCursor> found = new ArrayList<>(cursors(scope));
    found.addAll(cursors(new Scope.System("purge of events")));
    return found;
  }

  private List<FeedCursor> cursors(Scope of) {
    RecordMapper<RegisteredCursor> mapper = RecordMappers.of(RegisteredCursor.class);
    List<FeedCursor> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Scan scan = Scan.byKey(RecordTypes.FEED_CURSOR, List.of(), 100).after(next);
      Page<Row> page = engine.reading(options -> engine.storage().scan(of, scan, options));
      page.items().forEach(row -> found.add(mapper.fromRow(row).cursor()));
      next = page.next();
    } while (next.isPresent());
    return found;
  }
}
