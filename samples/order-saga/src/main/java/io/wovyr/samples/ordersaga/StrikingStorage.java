/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.samples.ordersaga.Strike.Kind;
import io.wovyr.samples.ordersaga.sabotage.SingleCommits;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets a worker be struck inside the commit call, where all checks of this library are behind and
 * only the store's own guards are ahead. A kill falls while the store is at work: the call is made,
 * and its answer is never heard. A stall falls just before the store is asked.
 */
final class StrikingStorage extends SingleCommits {
  private static final Duration LATE_TRY = Duration.ofSeconds(20);

  private final WorkEvents events;
  private final AtomicReference<@Nullable Target> target = new AtomicReference<>();
  private final AtomicLong asked = new AtomicLong();

  StrikingStorage(Storage behind, WorkEvents events) {
    super(behind);
    this.events = events;
  }

  private record Target(
      Thread thread, Kind kind, UUID executionId, long token, long lastSequence) {}

  /** The next commit of this thread is where to strike. */
  void strikeNext(Kind kind, UUID executionId, long token, long lastSequence) {
    target.set(new Target(Thread.currentThread(), kind, executionId, token, lastSequence));
  }

  /** How often the store was asked to write. */
  long asked() {
    return asked.get();
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    asked.incrementAndGet();
    Target struck = target.get();
    if (struck == null || struck.thread() != Thread.currentThread()) {
      return super.commit(batch, deadline);
    }
    target.set(null);
    events.announce(Phase.IN_COMMIT, struck.executionId(), struck.token(), struck.lastSequence());
    if (struck.kind() == Kind.KILL) {
      CommitOutcome neverHeard = super.commit(batch, deadline);
      events.hold();
      return neverHeard;
    }
    events.hold();
    // The deadline is long over. A store that was already at work would not look at it again.
    CommitOutcome late = super.commit(batch, Deadline.after(LATE_TRY));
    events.lateWrite(struck.executionId(), late instanceof CommitOutcome.Conflict, "store");
    return late;
  }
}
