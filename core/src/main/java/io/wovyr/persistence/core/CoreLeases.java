/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.core.LeaseWriter.Change;
import io.wovyr.persistence.core.LeaseWriter.Written;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.AcquireResult.Why;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.NamedLease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.lease.WorkerLease;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Leases of executions and of names, by one algorithm. Thread-safe. */
final class CoreLeases implements Leases {
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final LeaseWriter writer;

  CoreLeases(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
    this.writer = new LeaseWriter(engine, scope);
  }

  /** By what right a row may be taken. */
  private enum Claim {
    FREE,
    ASSIGNED,
    EXPIRED,
    HELD
  }

  @Override
  public AcquireResult acquire(UUID executionId, String worker, Duration ttl) {
    checkInputs(worker, ttl);
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    Key key = headKey(executionId);
    while (true) {
      long epoch = engine.epoch();
      Optional<Row> found = engine.read(scope, key);
      Optional<Why> why = unavailable(found);
      if (why.isPresent()) {
        return new AcquireResult.NotAvailable(executionId, why.get());
      }
      Row head = found.orElseThrow();
      Claim claim = claim(head, worker);
      if (claim == Claim.HELD) {
        return held(executionId, head);
      }
      if (claim == Claim.EXPIRED && withoutProgress(head) >= engine.settings().parkAfter()) {
        return park(head, epoch, deadline)
            ? new AcquireResult.NotAvailable(executionId, Why.PARKED)
            : held(executionId, head);
      }
      Taken taken = take(head, epoch, claim, worker, ttl, deadline);
      if (taken.lease().isPresent()) {
        return new AcquireResult.Acquired(taken.lease().get());
      }
      if (taken.stillHeld() || !backoff.pause(deadline)) {
        return held(executionId, head);
      }
    }
  }

  private record Taken(Optional<HeldLease> lease, boolean stillHeld) {}

  private Taken take(
      Row before, long epoch, Claim claim, String worker, Duration ttl, Deadline deadline) {
    boolean takeover = claim == Claim.EXPIRED;
    UUID leaseId = Engine.newId();
    RowEdit edit = new RowEdit(before);
    long token = FencedRows.nextToken(FencedRows.token(before), epoch);
    FencedRows.take(edit, engine, token, worker, leaseId, ttl);
    if (before.type() == RecordTypes.HEAD) {
      HeadRows.dueAfterExpiry(edit, engine, ttl);
      if (takeover) {
        edit.set("acquisitionsWithoutProgress", withoutProgress(before) + 1);
      }
    }
    Row after = edit.build(before.header().next(engine.now(), actor));
    Mutation mutation =
        new Mutation.Update(
            before, after, List.of(), takeover ? FencedRows.takeoverGuards(engine) : List.of());
    return taken(
        new Change(mutation, after, epoch, row -> FencedRows.isHeldBy(row, leaseId, token)),
        takeover,
        deadline);
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

  private Claim claim(Row row, String worker) {
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

  private static Optional<Why> unavailable(Optional<Row> head) {
    if (head.isEmpty()) {
      return Optional.of(Why.NOT_FOUND);
    }
    if (flag(head.get(), "closed")) {
      return Optional.of(Why.CLOSED);
    }
    if (flag(head.get(), "parked")) {
      return Optional.of(Why.PARKED);
    }
    return flag(head.get(), "paused") ? Optional.of(Why.PAUSED) : Optional.empty();
  }

  private static AcquireResult held(UUID executionId, Row head) {
    Object owner = head.get("owner");
    return new AcquireResult.Held(
        executionId, owner == null ? "" : (String) owner, FencedRows.token(head));
  }

  private boolean park(Row head, long epoch, Deadline deadline) {
    RowEdit edit = FencedRows.free(new RowEdit(head)).set("parked", true).set("dueAt", null);
    Row after = edit.build(head.header().next(engine.now(), actor));
    Mutation mutation =
        new Mutation.Update(head, after, List.of(), FencedRows.takeoverGuards(engine));
    Change change = new Change(mutation, after, epoch, row -> flag(row, "parked"));
    return writer.write(change, () -> true, deadline) instanceof Written.Yes;
  }

  @Override
  public boolean heartbeat(Lease lease) {
    return renew(held(lease));
  }

  @Override
  public boolean heartbeat(HeldName held) {
    return renew(held(held));
  }

  @Override
  public boolean release(Lease lease, Wake wake) {
    HeldLease held = held(lease);
    return free(held, edit -> HeadRows.dueAt(FencedRows.free(edit), engine, held.wakeAfter(wake)));
  }

  @Override
  public boolean release(HeldName name) {
    return free(held(name), FencedRows::free);
  }

  private boolean free(HeldLease held, Consumer<RowEdit> change) {
    return ownerWrite(
        held,
        change,
        (after, found) -> !FencedRows.isOwned(found) && FencedRows.token(found) == held.token(),
        (stored, sentAt) -> held.lose());
  }

  /** A renewal is recognised by its number: only the owner renews, one at a time. */
  private boolean renew(HeldLease held) {
    return ownerWrite(
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
  private boolean ownerWrite(
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

  @Override
  public AcquireResult assign(UUID executionId, String worker, Duration ttl) {
    checkInputs(worker, ttl);
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      long epoch = engine.epoch();
      Optional<Row> found = engine.read(scope, headKey(executionId));
      Optional<Why> why = unavailable(found);
      if (why.isPresent()) {
        return new AcquireResult.NotAvailable(executionId, why.get());
      }
      Row head = found.orElseThrow();
      if (FencedRows.isOwned(head)) {
        return held(executionId, head);
      }
      long token = FencedRows.nextToken(FencedRows.token(head), epoch);
      if (assigned(head, epoch, token, worker, ttl, deadline)) {
        return new AcquireResult.Held(executionId, worker, token);
      }
      if (!backoff.pause(deadline)) {
        return held(executionId, head);
      }
    }
  }

  private boolean assigned(
      Row head, long epoch, long token, String worker, Duration ttl, Deadline deadline) {
    RowEdit edit = new RowEdit(head);
    FencedRows.take(edit, engine, token, worker, Engine.newId(), ttl).set("leaseId", null);
    HeadRows.dueAfterExpiry(edit, engine, ttl);
    Row after = edit.build(head.header().next(engine.now(), actor));
    Change change =
        new Change(
            new Mutation.Update(head, after),
            after,
            epoch,
            row -> FencedRows.token(row) == token && worker.equals(row.get("owner")));
    return writer.write(change, () -> true, deadline) instanceof Written.Yes;
  }

  @Override
  public CommitResult unpark(UUID executionId) {
    Key key = headKey(executionId);
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      long epoch = engine.epoch();
      Optional<Row> found = engine.read(scope, key);
      if (found.isEmpty()) {
        return conflict(Reason.NOT_FOUND, key, "there is no such execution");
      }
      if (!flag(found.get(), "parked")) {
        return unparked(found.get());
      }
      Written written = unpark(found.get(), epoch, deadline);
      if (written instanceof Written.Yes yes) {
        return unparked(yes.stored());
      }
      if (!backoff.pause(deadline)) {
        return conflict(Reason.STALE_VERSION, key, "others changed it all the time: try again");
      }
    }
  }

  private Written unpark(Row head, long epoch, Deadline deadline) {
    RowEdit edit = new RowEdit(head).set("parked", false).set("acquisitionsWithoutProgress", 0);
    HeadRows.dueNow(edit, engine);
    Row after = edit.build(head.header().next(engine.now(), actor));
    Change change =
        new Change(new Mutation.Update(head, after), after, epoch, row -> !flag(row, "parked"));
    return writer.write(change, () -> true, deadline);
  }

  private static CommitResult unparked(Row head) {
    return new CommitResult.Committed(
        Engine.newId(), List.of(RecordMappers.of(ExecutionHead.class).fromRow(head)));
  }

  private static CommitResult conflict(Reason reason, Key key, String message) {
    return new CommitResult.Conflict(List.of(new Failure(reason, key.toString(), message)));
  }

  @Override
  public Optional<WorkerLease> find(UUID executionId) {
    return engine
        .read(scope, headKey(executionId))
        .filter(FencedRows::isOwned)
        .map(CoreLeases::view);
  }

  @Override
  public Page<WorkerLease> list(int limit, Optional<String> after) {
    Pages.checkLimit(limit);
    Scan scan = Scan.byPath(RecordTypes.HEAD, "held", List.of(), limit).after(after);
    Page<Row> page = engine.reading(options -> engine.storage().scan(scope, scan, options));
    return new Page<>(page.items().stream().map(CoreLeases::view).toList(), page.next());
  }

  private static WorkerLease view(Row row) {
    ExecutionHead head = RecordMappers.of(ExecutionHead.class).fromRow(row);
    return new WorkerLease(
        head.executionId(),
        head.owner().orElseThrow(),
        head.leaseId(),
        head.fencingToken(),
        head.leaseExpiresAt().orElseThrow(),
        head.leaseTtl().orElseThrow(),
        head.renewals(),
        head.acquisitionsWithoutProgress(),
        head.dueAt());
  }

  @Override
  public Optional<HeldName> acquireName(String name, String worker, Duration ttl) {
    checkInputs(worker, ttl);
    Key key = Key.of(RecordTypes.NAMED_LEASE, Inputs.name("lease name", name));
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      long epoch = engine.epoch();
      Optional<Row> found = engine.read(scope, key);
      Claim claim = found.map(row -> claim(row, worker)).orElse(Claim.FREE);
      if (claim == Claim.HELD) {
        return Optional.empty();
      }
      Taken taken =
          found.isPresent()
              ? take(found.get(), epoch, claim, worker, ttl, deadline)
              : create(name, epoch, worker, ttl, deadline);
      if (taken.lease().isPresent()) {
        return Optional.of(taken.lease().get());
      }
      if (taken.stillHeld() || !backoff.pause(deadline)) {
        return Optional.empty();
      }
    }
  }

  private Taken create(String name, long epoch, String worker, Duration ttl, Deadline deadline) {
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
    RowEdit edit = FencedRows.take(new RowEdit(row), engine, token, worker, leaseId, ttl);
    Row after = edit.build(row.header());
    Change change =
        new Change(
            new Mutation.Insert(after),
            after,
            epoch,
            found -> FencedRows.isHeldBy(found, leaseId, token));
    return taken(change, false, deadline);
  }

  @Override
  public Optional<NamedLease> findName(String name) {
    Key key = Key.of(RecordTypes.NAMED_LEASE, Inputs.name("lease name", name));
    return engine.read(scope, key).map(RecordMappers.of(NamedLease.class)::fromRow);
  }

  @Override
  public LeaseKeeper keeper(Duration renewEvery) {
    if (renewEvery.isNegative() || renewEvery.isZero()) {
      throw new InvalidInput("renewEvery must be longer than zero, not " + renewEvery);
    }
    return new BackgroundKeeper(this, scope, renewEvery);
  }

  private HeldLease held(Object lease) {
    return HeldLease.of(lease, scope);
  }

  private static Key headKey(UUID executionId) {
    return Key.of(RecordTypes.HEAD, executionId);
  }

  private static boolean flag(Row row, String attribute) {
    return Boolean.TRUE.equals(row.get(attribute));
  }

  private static int withoutProgress(Row head) {
    return (Integer) FencedRows.require(head, "acquisitionsWithoutProgress");
  }

  private static void checkInputs(String worker, Duration ttl) {
    Inputs.name("worker", worker);
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new InvalidInput("lease ttl must be " + MIN_TTL + " to " + MAX_TTL + ", not " + ttl);
    }
  }
}
