/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.audit.AuditLog;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.secret.Secrets;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.function.Function;

/** Everything of one tenant. The scope is made here, from the caller, and nowhere else. */
final class CoreRepositories implements Repositories {
  private final Engine engine;
  private final Caller caller;
  private final TenantAccess access;

  CoreRepositories(Engine engine, Caller caller) {
    this.engine = engine;
    this.caller = caller;
    this.access =
        new TenantAccess(
            engine,
            new Scope.Tenant(caller.tenant()),
            caller.actor(),
            caller.roles(),
            caller.client());
  }

  @Override
  public Caller caller() {
    return caller;
  }

  @Override
  public Executions executions() {
    return new CoreExecutions(access);
  }

  @Override
  public Events events() {
    return new CoreEvents(access);
  }

  @Override
  public Leases leases() {
    return new CoreLeases(access);
  }

  @Override
  public Definitions definitions() {
    return new CoreDefinitions(access);
  }

  @Override
  public Activities activities() {
    return new CoreActivities(access);
  }

  @Override
  public Retries retries() {
    return new CoreRetries(access);
  }

  @Override
  public Compensations compensations() {
    return new CoreCompensations(access);
  }

  @Override
  public Schedules schedules() {
    return new CoreSchedules(access);
  }

  @Override
  public CheckpointRecords checkpoints() {
    return new CoreCheckpoints(access);
  }

  @Override
  public AuditLog audit() {
    return new CoreAudit(access);
  }

  @Override
  public Secrets secrets() {
    return new CoreSecrets(access);
  }

  @Override
  public Quarantine quarantine() {
    return new CoreQuarantine(access);
  }

  @Override
  public Feed feed() {
    return new CoreFeed(access);
  }

  @Override
  public UnitOfWork unitOfWork() {
    return access.unit();
  }

  @Override
  public CommitResult retrying(Duration budget, Function<Repositories, CommitResult> work) {
    Deadline deadline = Deadline.after(budget);
    Backoff backoff = new Backoff(engine.settings());
    boolean once = engine.isJoining();
    while (true) {
      CommitResult result = work.apply(this);
      if (result.isApplied() || once || !backoff.pause(deadline)) {
        return result;
      }
    }
  }

  @Override
  public Resolution outcome(CommitReference reference) {
    access.require(Permission.SETTLE_OUTCOMES);
    Reference decoded = Reference.decode(reference);
    Scope scope = access.scope();
    if (!decoded.tenantId().equals(scope.tenantId())) {
      throw new InvalidInput("the commit reference is not one of this tenant");
    }
    return engine.outcomes().settle(scope, decoded, caller.actor(), engine.commitDeadline());
  }

  @Override
  public Payload open(WorkflowState.Leaf leaf) {
    access.require(Permission.READ);
    return engine
        .sealer()
        .open(leaf.payload(), Bindings.of(access.scope().tenantId(), leaf.origin()));
  }
}
