/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies one write exactly once or not at all, whatever errors come in whatever order.
 *
 * <p>Each try is a transaction of its own that reads for conflicts what is guarded and the marker
 * of this write, and writes the marker with everything else. When a commit fails and may have been
 * applied, be it at some later time, the next try looks for the marker first:
 *
 * <ul>
 *   <li>The marker is there: it was applied.
 *   <li>It is not, and this try commits: it writes a key that all former tries read, so none of
 *       them can be committed any more; had one been before it, this try would have conflicted.
 *   <li>It is not, and a condition does not hold that held for all former tries: somebody changed
 *       what they read since, so none of them can be committed any more. That is a refusal.
 * </ul>
 *
 * <p>So nothing but the deadline leaves an outcome unknown. Thread-safe, no state.
 */
final class Writing {
  private final Database database;
  private final Keys keys;
  private final FoundationDbErrors errors;
  private final Markers markers;

  Writing(Database database, Keys keys, FoundationDbErrors errors, Markers markers) {
    this.database = database;
    this.keys = keys;
    this.errors = errors;
    this.markers = markers;
  }

  WriteOutcome write(AtomicWrite write, Deadline deadline) {
    try (Markers.Marker marker = markers.take()) {
      Progress progress = new Progress(marker);
      for (int tried = 0; ; tried++) {
        progress.goOn(deadline);
        WriteOutcome outcome = attempt(write, marker, progress, deadline);
        if (outcome != null) {
          progress.doubts(false);
          return outcome;
        }
        Futures.pause(tried, deadline);
      }
    }
  }

  /** What the tries so far left behind. */
  private final class Progress {
    private final Markers.Marker marker;
    private @Nullable FDBException last;
    private boolean doubtful;

    Progress(Markers.Marker marker) {
      this.marker = marker;
    }

    void goOn(Deadline deadline) {
      if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
        throw over();
      }
    }

    /** Whether any try before may have been applied, or be applied yet. */
    void doubts(boolean doubtful) {
      this.doubtful = doubtful;
      if (doubtful) {
        marker.keep();
      } else {
        marker.settle();
      }
    }

    RuntimeException over() {
      return doubtful ? errors.maybeWritten(last) : errors.nothingWritten(last);
    }
  }

  /** One try; null when there has to be another. */
  private @Nullable WriteOutcome attempt(
      AtomicWrite write, Markers.Marker marker, Progress progress, Deadline deadline) {
    boolean before = progress.doubtful;
    boolean committing = false;
    try (Transaction transaction = Futures.begin(database)) {
      Attempt attempt = new Attempt(transaction, keys, write, deadline);
      if (attempt.isApplied(marker, before)) {
        return new WriteOutcome.Applied();
      }
      Optional<WriteOutcome.Refused> refused = attempt.judge();
      if (refused.isPresent()) {
        return refused.get();
      }
      attempt.change();
      progress.goOn(deadline);
      committing = true;
      progress.doubts(true);
      attempt.commit();
      return new WriteOutcome.Applied();
    } catch (FDBException e) {
      progress.last = e;
      boolean refused = FoundationDbErrors.isRefused(e);
      if (committing && (refused || FoundationDbErrors.isNotCommitted(e))) {
        progress.doubts(before);
      }
      if (committing ? refused : !FoundationDbErrors.isReadAgain(e)) {
        throw progress.over();
      }
      return null;
    }
  }
}
