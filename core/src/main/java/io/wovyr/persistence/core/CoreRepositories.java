/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.function.Function;

/** Everything of one tenant. The scope is made here, from the caller, and nowhere else. */
final class CoreRepositories implements Repositories {
  private final Engine engine;
  private final Caller caller;
  private final Scope scope;

  CoreRepositories(Engine engine, Caller caller) {
    this.engine = engine;
    this.caller = caller;
    this.scope = new Scope.Tenant(caller.tenant());
  }

  @Override
  public Caller caller() {
    return caller;
  }

  @Override
  public Executions executions() {
    return new CoreExecutions(engine, scope, this::newUnit);
  }

  @Override
  public Events events() {
    return new CoreEvents(engine, scope, caller.actor(), this::newUnit);
  }

  @Override
  public Leases leases() {
    return new CoreLeases(engine, scope, caller.actor());
  }

  @Override
  public Feed feed() {
    return new CoreFeed(engine, scope, this::newUnit);
  }

  @Override
  public UnitOfWork unitOfWork() {
    return newUnit();
  }

  private StagedUnitOfWork newUnit() {
    return new StagedUnitOfWork(engine, scope, caller.actor());
  }

  @Override
  public CommitResult retrying(Duration budget, Function<Repositories, CommitResult> work) {
    Deadline deadline = Deadline.after(budget);
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      CommitResult result = work.apply(this);
      if (result.isCommitted() || !backoff.pause(deadline)) {
        return result;
      }
    }
  }

  @Override
  public Resolution outcome(CommitReference reference) {
    Reference decoded = Reference.decode(reference);
    if (!decoded.tenantId().equals(scope.tenantId())) {
      throw new InvalidInput("the commit reference is not one of this tenant");
    }
    return engine.outcomes().settle(scope, decoded, caller.actor(), engine.commitDeadline());
  }

  @Override
  public Payload open(WorkflowState.Leaf leaf) {
    return engine.sealer().open(leaf.payload(), Bindings.of(scope.tenantId(), leaf.origin()));
  }
}
