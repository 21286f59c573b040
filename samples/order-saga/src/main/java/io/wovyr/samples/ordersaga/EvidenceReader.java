/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.samples.ordersaga.Evidence.ActivityFact;
import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Facts;
import io.wovyr.samples.ordersaga.Evidence.Fires;
import io.wovyr.samples.ordersaga.Evidence.Head;
import io.wovyr.samples.ordersaga.Evidence.Logged;
import io.wovyr.samples.ordersaga.Evidence.RetryFact;
import io.wovyr.samples.ordersaga.Evidence.UndoFact;
import io.wovyr.samples.ordersaga.Evidence.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads from a store what the proofs look at, through the api alone. Thread-safe. */
final class EvidenceReader {
  private static final int PAGE = 200;

  private final Repositories orders;

  EvidenceReader(Repositories orders) {
    this.orders = orders;
  }

  /** Every execution there is; read on all processors, as nothing else is left to do. */
  Map<UUID, Execution> executions() {
    List<WorkflowExecution> all = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = orders.executions().list(Optional.empty(), PAGE, next);
      all.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return all.parallelStream()
        .map(this::read)
        .collect(Collectors.toMap(Execution::id, execution -> execution));
  }

  private Execution read(WorkflowExecution execution) {
    UUID id = execution.id();
    ExecutionHead head =
        orders
            .executions()
            .head(id)
            .orElseThrow(() -> new IllegalStateException("execution " + id + " has no head"));
    Optional<String> broken = Optional.empty();
    List<Logged> events = new ArrayList<>();
    try {
      readEvents(id, events);
    } catch (BrokenHistory | Corrupt e) {
      broken = Optional.of(String.valueOf(e.getMessage()));
    }
    Optional<String> contentHash = Optional.empty();
    try {
      contentHash = Optional.of(contentHash(id));
    } catch (BrokenHistory | Corrupt e) {
      broken = broken.or(() -> Optional.of(String.valueOf(e.getMessage())));
    }
    return new Execution(
        id,
        Workflow.named(execution.definition().name()),
        execution.workflowId(),
        execution.status(),
        execution.header().createdAt(),
        new Head(head.lastSequence(), head.closed(), head.owner().isPresent()),
        events,
        facts(id),
        contentHash,
        broken);
  }

  /** What the records beside the events say. */
  Facts facts(UUID id) {
    return new Facts(
        orders.activities().all(id).stream()
            .map(one -> new ActivityFact(one.activityId(), one.status(), one.attempt()))
            .toList(),
        orders.retries().all(id).stream().map(EvidenceReader::fact).toList(),
        orders.compensations().all(id).stream()
            .map(one -> new UndoFact(one.position(), one.activityId(), one.action(), one.status()))
            .sorted(Comparator.comparingInt(UndoFact::position))
            .toList());
  }

  private static RetryFact fact(RetryRecord retry) {
    return new RetryFact(
        retry.activityId(),
        retry.status(),
        retry.attempts(),
        retry.maxAttempts(),
        retry.lastDelay(),
        retry.policy().ceiling(retry.attempts()));
  }

  /** What the schedule of settlements says; empty when there is none. */
  Optional<Fires> fires() {
    return orders.schedules().find(SettlementSchedule.NAME).map(this::fires);
  }

  private Fires fires(Schedule schedule) {
    List<Instant> due = new ArrayList<>();
    Instant from = schedule.header().createdAt();
    Instant last = schedule.lastFireAt().orElse(from);
    while (from.isBefore(last)) {
      List<Instant> some = orders.schedules().next(schedule, from, PAGE);
      some.stream().filter(time -> !time.isAfter(last)).forEach(due::add);
      from = some.get(some.size() - 1);
    }
    return new Fires(schedule.fires(), due, schedule.misfireAfter());
  }

  /** The content hash of an execution's newest state. */
  String contentHash(UUID id) {
    return orders.executions().state(id).contentHash(orders::open).toString();
  }

  private void readEvents(UUID id, List<Logged> into) {
    long from = 1;
    Page<WorkflowEvent> page;
    do {
      page = orders.events().read(id, from, PAGE);
      for (WorkflowEvent event : page.items()) {
        into.add(new Logged(event.sequence(), event.fencingToken(), event.id(), meaning(event)));
        from = event.sequence() + 1;
      }
    } while (page.next().isPresent() && !page.items().isEmpty());
  }

  /** What an event says. */
  What meaning(WorkflowEvent event) {
    return switch (event.type()) {
      case SagaEvents.STARTED -> {
        SagaEvents.Started started = payload(event, SagaEvents.Started.class);
        yield new What.Started(
            started.activity() + "/" + started.attempt(), started.repeated(), started.takenOver());
      }
      case SagaEvents.COMPLETED, SagaEvents.FAILED -> {
        SagaEvents.Ended ended = payload(event, SagaEvents.Ended.class);
        yield new What.Ended(
            ended.activity() + "/" + ended.attempt(), ended.mark(), ended.ledgerToken());
      }
      default -> moved(event);
    };
  }

  private What moved(WorkflowEvent event) {
    for (int i = 0; i < event.changes().size(); i++) {
      StateChange change = event.changes().get(i);
      if (change.section() == Section.WORKFLOW && change.key().equals("status")) {
        ExecutionStatus to =
            ExecutionStatus.valueOf(orders.events().value(event, i).orElseThrow().content().utf8());
        return to == ExecutionStatus.CREATED ? new What.Created() : new What.Moved(to);
      }
    }
    throw new IllegalStateException("event " + event.id() + " is none of this program's");
  }

  private <T> T payload(WorkflowEvent event, Class<T> type) {
    return Json.read(orders.events().payload(event).orElseThrow(), type);
  }
}
