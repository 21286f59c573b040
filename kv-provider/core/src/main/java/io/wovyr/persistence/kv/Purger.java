/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.RowReader.Read;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes a range of append-only rows, cutting the blocks at its ends, together with a batch. What
 * is read before is guarded, so that a purge beside it makes this one look again. Used once.
 */
final class Purger {
  /** What a commit added to the feed, as it was and as it will be. */
  private record FeedEdit(Bytes before, List<FeedRef> refs) {}

  private final Engine engine;
  private final Layout layout;
  private final Committer committer;
  private final String tenant;
  private final long epoch;
  private final Purge purge;
  private final TypeLayout type;
  private List<Change> changes = new ArrayList<>();
  private Map<Place, FeedEdit> feed = new HashMap<>();
  private FeedPlace highest = FeedPlace.BEFORE_ALL;
  private int removed;

  Purger(
      Engine engine, Layout layout, Committer committer, String tenant, long epoch, Purge purge) {
    this.engine = engine;
    this.layout = layout;
    this.committer = committer;
    this.tenant = tenant;
    this.epoch = epoch;
    this.purge = purge;
    this.type = TypeLayout.of(purge.type());
  }

  PurgeOutcome purge(Deadline deadline) {
    while (true) {
      BatchPlan plan = committer.plan(purge.batch(), Map.of());
      if (!plan.impossible().isEmpty()) {
        return new PurgeOutcome.Conflict(plan.impossible());
      }
      Optional<FeedCursor> passed = look(deadline);
      if (passed.isPresent()) {
        return new PurgeOutcome.HeldBack(passed.get());
      }
      List<Change> all = new ArrayList<>(plan.write().changes());
      all.addAll(changes);
      WriteOutcome outcome = engine.write(List.of(new AtomicWrite(all)), deadline).get(0);
      if (outcome instanceof WriteOutcome.Applied) {
        return new PurgeOutcome.Purged(removed);
      }
      Committer.Look look = committer.look(plan, (Refused) outcome, deadline);
      if (!look.failed().isEmpty()) {
        return new PurgeOutcome.Conflict(look.failed());
      }
      if (!look.known().isEmpty()) {
        throw new Unavailable("a purge's batch must not append to what it cuts", null);
      }
      if (deadline.isOver()) {
        throw new Unavailable("the deadline came before the purge; nothing was written", null);
      }
    }
  }

  /** Reads the range and makes the changes; the first of the cursors that would be passed. */
  private Optional<FeedCursor> look(Deadline deadline) {
    Key from = key(purge.fromInclusive());
    Key to = key(purge.toExclusive());
    forget();
    if (from.compareTo(to) >= 0) {
      return Optional.empty();
    }
    Views.read(engine, deadline, view -> cut(view, from, to));
    for (FeedCursor cursor : purge.notBeyond()) {
      if (highest.compareTo(FeedPlace.Cursor.of(cursor, epoch).place()) > 0) {
        return Optional.of(cursor);
      }
    }
    feed.forEach(this::finishFeed);
    if (highest.compareTo(FeedPlace.BEFORE_ALL) > 0) {
      changes.addAll(Views.read(engine, deadline, this::marks));
    }
    return Optional.empty();
  }

  private void forget() {
    changes = new ArrayList<>();
    feed = new HashMap<>();
    highest = FeedPlace.BEFORE_ALL;
    removed = 0;
  }

  /** Cuts all blocks; how many there are. */
  private int cut(View view, Key from, Key to) {
    forget();
    List<Read> blocks = new RowReader(view, layout, tenant).blocks(from, layout.row(tenant, to));
    blocks.forEach(block -> cut(view, block, from, to));
    return blocks.size();
  }

  private List<Change> marks(View view) {
    List<Change> marks = new ArrayList<>();
    mark(view, Layout.marks(tenant), marks);
    mark(view, Layout.marksOfAll(), marks);
    return marks;
  }

  /** Leaves a mark; older ones that do not reach further say nothing more. */
  private void mark(View view, Place marks, List<Change> marking) {
    Optional<Range> left = Optional.of(Range.of(marks, true));
    while (left.isPresent()) {
      Found found = view.range(left.get(), 1_000);
      for (Found.Entry mark : found.entries()) {
        if (FeedPlace.decode(mark.stored().body()).compareTo(highest) <= 0) {
          marking.add(new Change.Remove(mark.place(), Condition.NONE));
        }
      }
      left = found.rest();
    }
    marking.add(new Change.Append(marks, highest.encode()));
  }

  private Key key(Object last) {
    List<Object> values = new ArrayList<>(purge.keyPrefix());
    values.add(last);
    return new Key(purge.type(), values);
  }

  private void cut(View view, Read block, Key from, Key to) {
    List<Row> before = new ArrayList<>();
    List<Row> behind = new ArrayList<>();
    List<Row> gone = new ArrayList<>();
    for (Row row : block.rows()) {
      (row.key().compareTo(from) < 0 ? before : row.key().compareTo(to) < 0 ? gone : behind)
          .add(row);
    }
    if (gone.isEmpty()) {
      return;
    }
    removed += gone.size();
    Condition unchanged = new Condition.VersionIs(block.stored().version());
    if (before.isEmpty()) {
      changes.add(new Change.Remove(block.place(), unchanged));
    } else {
      changes.add(new Change.Put(block.place(), unchanged, left(block, before)));
    }
    if (!behind.isEmpty()) {
      Place place = layout.row(tenant, behind.get(0).key());
      changes.add(new Change.Put(place, Condition.ABSENT, left(block, behind)));
    }
    gone.forEach(this::removeEntries);
    if (type.type().feedRole() == FeedRole.RECORDS) {
      leaveFeed(view, block, before, gone, behind);
    }
  }

  private static Stored left(Read block, List<Row> rows) {
    return new Stored(block.stored().version() + 1, block.stored().stamp(), Block.encode(rows));
  }

  private void removeEntries(Row row) {
    for (IndexEntry entry : row.type().entries(row)) {
      if (entry.values().stream().anyMatch(Unreadable.class::isInstance)) {
        continue;
      }
      Place place =
          entry.unique()
              ? Layout.unique(tenant, row.type(), type.unique(entry.index()), entry.values())
              : layout.entry(tenant, type.path(entry.index()), entry.values(), row.key());
      changes.add(new Change.Remove(place, Condition.NONE));
    }
  }

  /** Notes how far the feed is cut, and what of a block it still names. */
  private void leaveFeed(
      View view, Read block, List<Row> before, List<Row> gone, List<Row> behind) {
    Bytes stamp = block.stored().stamp();
    FeedEdit edit =
        feed.computeIfAbsent(Layout.feed(tenant).then(stamp.unsafeArray()), at -> edit(view, at));
    for (FeedRef ref : List.copyOf(edit.refs())) {
      if (!ref.covers(gone.get(0).key())) {
        continue;
      }
      edit.refs().remove(ref);
      for (List<Row> piece : List.of(before, behind)) {
        if (!piece.isEmpty()) {
          Key first = piece.get(0).key();
          edit.refs().add(new FeedRef(ref.ordinalOf(first), first, piece.size()));
        }
      }
      FeedPlace at = new FeedPlace(stamp, ref.ordinalOf(gone.get(gone.size() - 1).key()));
      highest = at.compareTo(highest) > 0 ? at : highest;
    }
  }

  private static FeedEdit edit(View view, Place place) {
    Optional<Stored> stored = view.get(List.of(place)).get(0);
    return new FeedEdit(
        stored.map(Stored::body).orElse(Bytes.EMPTY),
        new ArrayList<>(stored.map(found -> FeedRef.decode(found.body())).orElse(List.of())));
  }

  private void finishFeed(Place place, FeedEdit edit) {
    Condition unchanged = new Condition.Same(0, edit.before());
    if (edit.before().size() == 0) {
      return;
    }
    if (edit.refs().isEmpty()) {
      byte[] stamp = Layout.behind(Layout.feed(tenant), place);
      changes.add(new Change.Remove(place, unchanged));
      changes.add(new Change.Remove(Layout.feedOfAll().then(stamp), Condition.NONE));
      return;
    }
    edit.refs().sort(Comparator.comparingInt(FeedRef::ordinal));
    changes.add(new Change.Put(place, unchanged, new Stored(0, FeedRef.encode(edit.refs()))));
  }
}
