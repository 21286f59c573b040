/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The whole layer: appends under a lease, transitions and reads through the repositories. */
final class CoreColumn implements Column {
  private static final int PAGE = 1_000;

  private final String name;
  private final Repositories repositories;

  CoreColumn(String name, Repositories repositories) {
    this.name = name;
    this.repositories = repositories;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Execution execution(UUID id, Lease lease) {
    return new CoreExecution(id, lease);
  }

  @Override
  public boolean find(UUID id) {
    return repositories.executions().find(id).isPresent();
  }

  private final class CoreExecution implements Execution {
    private final UUID id;
    private final Lease lease;
    private @Nullable WorkflowExecution record;

    CoreExecution(UUID id, Lease lease) {
      this.id = id;
      this.lease = lease;
    }

    @Override
    public void step() {
      repositories.events().append(id, Append.next(lease), Step.event(id)).orThrow();
    }

    @Override
    public void transaction() {
      WorkflowExecution before = record;
      if (before == null) {
        before = repositories.executions().find(id).orElseThrow();
      }
      ExecutionStatus next =
          before.status() == ExecutionStatus.RUNNING
              ? ExecutionStatus.WAITING
              : ExecutionStatus.RUNNING;
      UnitOfWork work = repositories.unitOfWork();
      work.transition(before, Transition.to(next), Append.next(lease));
      work.append(id, Append.next(lease), List.of(Step.event(id), Step.event(id)));
      record = work.commit().orThrow().records(WorkflowExecution.class).get(0);
    }

    @Override
    public int load() {
      int events = 0;
      long from = 1;
      Page<WorkflowEvent> page;
      do {
        page = repositories.events().read(id, from, PAGE);
        events += page.items().size();
        from += page.items().size();
      } while (page.next().isPresent());
      return events;
    }
  }

  /** The persistence belongs to the ground. */
  @Override
  public void close() {}
}
