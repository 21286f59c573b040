/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.LeaseTaker.Claim;
import io.wovyr.persistence.core.LeaseTaker.Taken;
import io.wovyr.persistence.core.LeaseTaker.Wish;
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

/** Leases of executions and of names, by one algorithm. Thread-safe. */
final class CoreLeases implements Leases {
  private final TenantAccess access;
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final LeaseWriter writer;
  private final LeaseTaker taker;
  private final LeaseOwner owner;

  CoreLeases(TenantAccess access) {
    this.access = access;
    this.engine = access.engine();
    this.scope = access.scope();
    this.actor = access.actor();
    this.writer = new LeaseWriter(engine, scope);
    this.taker = new LeaseTaker(engine, scope, actor);
    this.owner = new LeaseOwner(engine, scope, actor);
  }

  @Override
  public AcquireResult acquire(UUID executionId, String worker, Duration ttl) {
    access.require(Permission.WORK);
    checkInputs(worker, ttl);
    engine.checkTaking();
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
      Claim claim = taker.claim(head, worker);
      if (claim == Claim.HELD) {
        return held(executionId, head);
      }
      if (claim == Claim.EXPIRED
          && HeadRows.withoutProgress(head) >= engine.settings().parkAfter()) {
        return park(head, epoch, deadline)
            ? new AcquireResult.NotAvailable(executionId, Why.PARKED)
            : held(executionId, head);
      }
      Taken taken = taker.take(head, epoch, claim, new Wish(worker, ttl, deadline));
      if (taken.lease().isPresent()) {
        return new AcquireResult.Acquired(taken.lease().get());
      }
      if (taken.stillHeld() || !backoff.pause(deadline)) {
        return held(executionId, head);
      }
    }
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
    access.require(Permission.WORK);
    return owner.renew(held(lease));
  }

  @Override
  public boolean heartbeat(HeldName held) {
    access.require(Permission.WORK);
    return owner.renew(held(held));
  }

  @Override
  public boolean release(Lease lease, Wake wake) {
    access.require(Permission.WORK);
    HeldLease held = held(lease);
    return owner.free(
        held, edit -> HeadRows.dueAt(FencedRows.free(edit), engine, held.wakeAfter(wake)));
  }

  @Override
  public boolean release(HeldName name) {
    access.require(Permission.WORK);
    return owner.free(held(name), FencedRows::free);
  }

  @Override
  public AcquireResult assign(UUID executionId, String worker, Duration ttl) {
    access.require(Permission.WORK);
    checkInputs(worker, ttl);
    engine.checkTaking();
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
    access.require(Permission.MAINTAIN);
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
    access.require(Permission.READ);
    return engine
        .read(scope, headKey(executionId))
        .filter(FencedRows::isOwned)
        .map(RecordMappers.of(ExecutionHead.class)::fromRow)
        .map(CoreLeases::view);
  }

  @Override
  public Page<WorkerLease> list(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    Scan scan = Scan.byPath(RecordTypes.HEAD, "held", List.of(), limit).after(after);
    Page<Row> page = engine.scan(scope, scan);
    Page<ExecutionHead> heads = Pages.readable(page, RecordMappers.of(ExecutionHead.class));
    return new Page<>(heads.items().stream().map(CoreLeases::view).toList(), heads.next());
  }

  private static WorkerLease view(ExecutionHead head) {
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
    access.require(Permission.WORK);
    checkInputs(worker, ttl);
    engine.checkTaking();
    Key key = Key.of(RecordTypes.NAMED_LEASE, Inputs.name("lease name", name));
    Deadline deadline = engine.commitDeadline();
    Backoff backoff = new Backoff(engine.settings());
    Wish wish = new Wish(worker, ttl, deadline);
    while (true) {
      long epoch = engine.epoch();
      Optional<Row> found = engine.read(scope, key);
      Claim claim = found.map(row -> taker.claim(row, worker)).orElse(Claim.FREE);
      if (claim == Claim.HELD) {
        return Optional.empty();
      }
      Taken taken =
          found.isPresent()
              ? taker.take(found.get(), epoch, claim, wish)
              : taker.create(name, epoch, wish);
      if (taken.lease().isPresent()) {
        return Optional.of(taken.lease().get());
      }
      if (taken.stillHeld() || !backoff.pause(deadline)) {
        return Optional.empty();
      }
    }
  }

  @Override
  public Optional<NamedLease> findName(String name) {
    access.require(Permission.READ);
    Key key = Key.of(RecordTypes.NAMED_LEASE, Inputs.name("lease name", name));
    return engine.read(scope, key).map(RecordMappers.of(NamedLease.class)::fromRow);
  }

  @Override
  public LeaseKeeper keeper(Duration renewEvery) {
    access.require(Permission.WORK);
    if (renewEvery.isNegative() || renewEvery.isZero()) {
      throw new InvalidInput("renewEvery must be longer than zero, not " + renewEvery);
    }
    return new BackgroundKeeper(
        this, engine, scope, Inputs.atMostACentury("renewEvery", renewEvery));
  }

  private HeldLease held(Object lease) {
    return HeldLease.of(lease, engine, scope);
  }

  private static Key headKey(UUID executionId) {
    return Key.of(RecordTypes.HEAD, executionId);
  }

  private static boolean flag(Row row, String attribute) {
    return Boolean.TRUE.equals(row.get(attribute));
  }

  private static void checkInputs(String worker, Duration ttl) {
    Inputs.name("worker", worker);
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new InvalidInput("lease ttl must be " + MIN_TTL + " to " + MAX_TTL + ", not " + ttl);
    }
  }
}
