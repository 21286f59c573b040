/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings one batch to a final outcome: retries what was not written, resubmits what may have been,
 * and remembers for all later tries that one may have applied, whatever errors come between.
 * Thread-safe.
 */
final class Sender {
  private final Engine engine;

  Sender(Engine engine) {
    this.engine = engine;
  }

  /** The final outcome of a batch. */
  sealed interface Sent {
    /**
     * Written, once.
     *
     * @param resolved symbolic values; empty map when only recognised afterwards
     * @param recognised an earlier try had applied: read again what the store decided
     */
    record Applied(Map<Key, Map<String, Instant>> resolved, boolean recognised) implements Sent {}

    /** Not written, and no try can still be. */
    record Refused(List<Failed> failed) implements Sent {}

    /** Not sent, or settled as never applied, because the right to send ended. */
    record NoAuthority() implements Sent {}
  }

  /** What the sender must know about a batch. */
  interface Judge {
    /** Asked before each try. */
    boolean mayWrite();

    /** When one try has to be over: the right to send may end before the time does. */
    default Deadline until(Deadline deadline) {
      return deadline;
    }

    /**
     * Decides whether a former try applied, so that none can afterwards.
     *
     * @param refused what a later try was refused for; empty when no later try was made
     */
    boolean applied(List<Failed> refused, Deadline deadline);

    /** How to ask later; empty for batches judged by their lease. */
    Optional<CommitReference> reference();
  }

  /**
   * Sends a batch.
   *
   * @throws Unavailable nothing was written and the deadline is over
   * @throws OutcomeUnknown the deadline came first
   */
  Sent send(Batch batch, Judge judge, Deadline deadline) {
    Backoff backoff = new Backoff(engine.settings());
    boolean mayHaveApplied = false;
    StorageFailure last = null;
    while (true) {
      if (!judge.mayWrite()) {
        return mayHaveApplied && settled(judge, List.of(), deadline, last)
            ? new Sent.Applied(Map.of(), true)
            : new Sent.NoAuthority();
      }
      try {
        engine.checkOpen();
        CommitOutcome outcome = engine.storage().commit(batch, judge.until(deadline));
        if (outcome instanceof CommitOutcome.Committed committed) {
          return new Sent.Applied(committed.resolved(), false);
        }
        List<Failed> failed = ((CommitOutcome.Conflict) outcome).failed();
        return mayHaveApplied && settled(judge, failed, deadline, last)
            ? new Sent.Applied(Map.of(), true)
            : new Sent.Refused(failed);
      } catch (OutcomeUnknown e) {
        mayHaveApplied = true;
        last = e;
      } catch (Unavailable e) {
        if (e.isLasting() && !mayHaveApplied) {
          throw e;
        }
        last = e;
        if (batch.epoch() != engine.epoch()) {
          // Refused for ever: what it was built on may never have been.
          if (mayHaveApplied && settled(judge, List.of(), deadline, e)) {
            return new Sent.Applied(Map.of(), true);
          }
          throw e;
        }
      } catch (StorageFailure e) {
        if (!mayHaveApplied) {
          throw e;
        }
        last = e;
      }
      if (!engine.pause(backoff, deadline)) {
        throw givenUp(judge, mayHaveApplied, last);
      }
    }
  }

  private boolean settled(
      Judge judge, List<Failed> failed, Deadline deadline, @Nullable StorageFailure last) {
    try {
      return judge.applied(failed, deadline);
    } catch (StorageFailure e) {
      throw givenUp(judge, true, last == null ? e : last);
    }
  }

  private static StorageFailure givenUp(Judge judge, boolean mayHaveApplied, StorageFailure last) {
    if (!mayHaveApplied) {
      return new Unavailable(
          "nothing was written within the deadline; the last try failed: " + last.getMessage(),
          last);
    }
    String message =
        "whether it was written is not known within the deadline; the last try failed: "
            + last.getMessage();
    return judge
        .reference()
        .map(reference -> new OutcomeUnknown(message, reference, last))
        .orElseGet(() -> new OutcomeUnknown(message, last));
  }
}
