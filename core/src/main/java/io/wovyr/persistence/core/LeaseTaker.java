/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.core.LeaseWriter.Change;
import io.wovyr.persistence.core.LeaseWriter.Written;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.lease.NamedLease;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes rows that carry a lease, heads and named leases alike: free ones, ones assigned to this
 * worker, and ones whose holder is gone. Thread-safe.
 */
final class LeaseTaker {
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final LeaseWriter writer;

  LeaseTaker(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
    this.writer = new LeaseWriter(engine, scope);
  }

  /** By what right a row may be taken. */
  enum Claim {
    FREE,
    ASSIGNED,
    EXPIRED,
    HELD
  }

  /** Whoever wants it. */
  record Wish(String worker, Duration ttl, Deadline deadline) {}

  /**
   * What came of it.
   *
   * @param stillHeld the store says that the holder's lease has not expired
   */
  record Taken(Optional<HeldLease> lease, boolean stillHeld) {}

  /** By what right this worker may take a row now; EXPIRED is the store's to judge, if it can. */
  Claim claim(Row row, String worker) {
    if (!FencedRows.isOwned(row)) {
      return Claim.FREE;
    }
    if (row.get("leaseId") == null && worker.equals(row.get("owner"))) {
      return Claim.ASSIGNED;
    }
    if (engine.hasStoreClock()) {
      return Claim.EXPIRED;
    }
    boolean still =
        engine
            .observer()
            .stoodStill(
                scope.tenantId(),
                row.key(),
                FencedRows.token(row),
                FencedRows.renewals(row),
                FencedRows.ttl(row));
    return still ? Claim.EXPIRED : Claim.HELD;
  }

  /** Takes a row that was read in this epoch. */
  Taken take(Row before, long epoch, Claim claim, Wish wish) {
    boolean takeover = claim == Claim.EXPIRED;
    UUID leaseId = Engine.newId();
    RowEdit edit = new RowEdit(before);
    long token = FencedRows.nextToken(FencedRows.token(before), epoch);
    FencedRows.take(edit, engine, token, wish.worker(), leaseId, wish.ttl());
    if (before.type() == RecordTypes.HEAD) {
      HeadRows.dueAfterExpiry(edit, engine, wish.ttl());
      if (takeover) {
        edit.set("acquisitionsWithoutProgress", HeadRows.withoutProgress(before) + 1);
      }
    }
    Row after = edit.build(before.header().next(engine.now(), actor));
    Mutation mutation =
        new Mutation.Update(
            before, after, List.of(), takeover ? FencedRows.takeoverGuards(engine) : List.of());
    return taken(
        new Change(mutation, after, epoch, row -> FencedRows.isHeldBy(row, leaseId, token)),
        takeover,
        wish.deadline());
  }

  private Taken taken(Change change, boolean takeover, Deadline deadline) {
    long sentAt = engine.nanoTime().getAsLong();
    Written written = write(change, deadline);
    if (written instanceof Written.Yes yes) {
      engine.observer().forget(scope.tenantId(), change.after().key());
      HeldLease lease = new HeldLease(engine, yes.stored(), change.epoch(), sentAt, takeover);
      return new Taken(Optional.of(lease), false);
    }
    boolean stillHeld =
        written instanceof Written.No no
            && no.failed().stream().anyMatch(f -> f.expectation() instanceof Expectation.Expired);
    return new Taken(Optional.empty(), stillHeld);
  }

  /** An answer that did not come in time may still be there to be read. */
  private Written write(Change change, Deadline deadline) {
    try {
      return writer.write(change, () -> true, deadline);
    } catch (OutcomeUnknown e) {
      return engine
          .read(scope, change.after().key())
          .filter(change.isOurs())
          .<Written>map(Written.Yes::new)
          .orElseThrow(() -> e);
    }
  }

  /** Takes a name that was never taken before. */
  Taken create(String name, long epoch, Wish wish) {
    NamedLease free =
        new NamedLease(
            engine.newHeader(Engine.newId(), scope, actor, RecordTypes.NAMED_LEASE),
            name,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0);
    Row row = RecordMappers.of(NamedLease.class).toRow(free);
    UUID leaseId = Engine.newId();
    long token = FencedRows.nextToken(0, epoch);
    RowEdit edit =
        FencedRows.take(new RowEdit(row), engine, token, wish.worker(), leaseId, wish.ttl());
    Row after = edit.build(row.header());
    Change change =
        new Change(
            new Mutation.Insert(after),
            after,
            epoch,
            found -> FencedRows.isHeldBy(found, leaseId, token));
    return taken(change, false, wish.deadline());
  }
}
