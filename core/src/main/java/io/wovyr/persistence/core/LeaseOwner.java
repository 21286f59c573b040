/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.core.LeaseWriter.Change;
import io.wovyr.persistence.core.LeaseWriter.Written;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** What the owner of a lease writes besides its steps: renewals and the release. Thread-safe. */
final class LeaseOwner {
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final LeaseWriter writer;

  LeaseOwner(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
    this.writer = new LeaseWriter(engine, scope);
  }

  /** Gives a lease back; false when it was lost before. */
  boolean free(HeldLease held, Consumer<RowEdit> change) {
    held.checkFree(null);
    return write(
        held,
        change,
        (after, found) -> !FencedRows.isOwned(found) && FencedRows.token(found) == held.token(),
        (stored, sentAt) -> held.lose());
  }

  /**
   * Renews a lease; false when it is lost. A renewal is recognised by its number: only the owner
   * renews, one at a time.
   */
  boolean renew(HeldLease held) {
    if (held.isJoined()) {
      // Its row is locked, and renewed, by a transaction that has not ended.
      return held.isHeld();
    }
    return write(
        held,
        edit -> {
          FencedRows.renew(edit, engine, held.ttl());
          if (held.row().type() == RecordTypes.HEAD) {
            HeadRows.dueAfterExpiry(edit, engine, held.ttl());
          }
        },
        (after, found) ->
            held.holds(found) && FencedRows.renewals(found) >= FencedRows.renewals(after),
        held::renewed);
  }

  /** What a written row means to the lease. */
  private interface Outcome {
    void apply(Row stored, long sentAtNanos);
  }

  /**
   * A write of the owner that moves nothing but the lease; steps over what signals changed.
   *
   * @param isOurs whether a row found shows that the row to be was written
   */
  private boolean write(
      HeldLease held, Consumer<RowEdit> change, BiPredicate<Row, Row> isOurs, Outcome outcome) {
    Deadline deadline = engine.commitDeadline();
    held.lockWithin(deadline);
    try {
      while (held.isHeld() && held.epoch() == engine.epoch()) {
        long sentAt = engine.nanoTime().getAsLong();
        Row before = held.row();
        RowEdit edit = new RowEdit(before);
        change.accept(edit);
        Row after = edit.build(before.header().next(engine.now(), actor));
        Mutation mutation =
            new Mutation.Update(before, after, FencedRows.ownerGuards(engine), List.of());
        Written written =
            writer.write(
                new Change(mutation, after, held.epoch(), found -> isOurs.test(after, found)),
                held::isHeld,
                deadline.atMost(held.remaining()));
        if (written instanceof Written.Yes yes) {
          outcome.apply(yes.stored(), sentAt);
          return true;
        }
        if (written instanceof Written.No no && !goesOn(held, no.failed())) {
          return false;
        }
      }
      return gone(held);
    } catch (StorageFailure e) {
      // Whatever became of the write: who is not held any more has nothing left to retry.
      if (held.isHeld() && held.epoch() == engine.epoch()) {
        throw e;
      }
      return gone(held);
    } finally {
      held.lock().unlock();
    }
  }

  private boolean gone(HeldLease held) {
    if (held.epoch() != engine.epoch()) {
      held.lose();
    }
    return false;
  }

  /** After a refusal: true when the lease still stands and only other attributes moved. */
  private boolean goesOn(HeldLease held, List<Failed> failed) {
    if (failed.stream().anyMatch(f -> f.expectation() instanceof Expectation.NotExpired)) {
      held.runOut();
      return false;
    }
    Optional<Row> fresh = engine.read(scope, held.row().key()).filter(held::holds);
    fresh.ifPresentOrElse(held::adopt, held::lose);
    return fresh.isPresent();
  }
}
