/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditLog;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointKind;
import io.wovyr.persistence.checkpoint.CheckpointOrigin;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.secret.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Has every repository injected, and writes and reads a record of every type with them. */
@ApplicationScoped
public class EveryRepository {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final String WORKER = "worker-1";
  private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");
  private static final Optional<String> START = Optional.empty();

  @Inject Persistence persistence;
  @Inject Repositories repositories;
  @Inject Executions executions;
  @Inject Events events;
  @Inject Leases leases;
  @Inject Definitions definitions;
  @Inject Activities activities;
  @Inject Retries retries;
  @Inject Compensations compensations;
  @Inject Schedules schedules;
  @Inject CheckpointRecords checkpoints;
  @Inject AuditLog audit;
  @Inject Secrets secrets;
  @Inject Quarantine quarantine;
  @Inject Feed feed;

  /** What was read again, a line each. */
  List<String> writeAndReadAll(String text) {
    Payload value = Payload.text(text);
    UUID id = UUID.randomUUID();
    executions
        .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id).withInput(value))
        .orThrow();
    WorkflowExecution execution = executions.find(id).orElseThrow();
    return List.of(
        "execution " + shown(executions.input(execution)),
        "event " + event(id, value),
        "definition " + definition(value),
        "activity " + activity(id, value),
        "retry " + retry(id, value),
        "compensation " + compensation(id, value),
        "schedule " + schedule(value),
        "checkpoint " + checkpoint(id),
        "audit " + audited(value),
        "secret " + secret(value),
        "metrics " + metrics(),
        "lease " + leases.find(id).isPresent(),
        "feed " + cursor(),
        "quarantine " + quarantine.list(START, 10, START).items().isEmpty());
  }

  private static String shown(Optional<Payload> payload) {
    return text(payload.orElseThrow());
  }

  private static String text(Payload payload) {
    return new String(payload.content().toByteArray(), StandardCharsets.UTF_8);
  }

  /** Under a lease. */
  private Applied step(UUID executionId, Change change) {
    Lease lease = ((Acquired) leases.acquire(executionId, WORKER, TTL)).lease();
    return repositories.unitOfWork().release(lease, Wake.now()).with(change).commit().orThrow();
  }

  private String event(UUID id, Payload value) {
    events.append(id, Append.signal("told"), NewEvent.of("Told").withPayload(value)).orThrow();
    return events.read(id, 1, 10).items().stream()
        .filter(event -> event.type().equals("Told"))
        .map(event -> shown(events.payload(event)))
        .findFirst()
        .orElseThrow();
  }

  private String definition(Payload value) {
    String name = "definition-" + UUID.randomUUID();
    definitions.add(NewDefinition.of(name, value)).orThrow();
    return text(definitions.body(definitions.latest(name).orElseThrow()));
  }

  private String activity(UUID id, Payload value) {
    step(id, activities.schedule(id, NewActivity.of("charge", "Charge").withInput(value)));
    return shown(activities.input(activities.find(id, "charge").orElseThrow()));
  }

  private String retry(UUID id, Payload value) {
    step(id, retries.failed(id, "ship", RetryPolicy.ofAttempts(9), "Timeout", value).change());
    return shown(retries.reason(retries.find(id, "ship").orElseThrow()));
  }

  private String compensation(UUID id, Payload value) {
    step(id, compensations.push(id, NewCompensation.of("charge", "refund").withInput(value)));
    return shown(compensations.input(compensations.next(id).orElseThrow()));
  }

  private String schedule(Payload value) {
    String name = "schedule-" + UUID.randomUUID();
    schedules
        .add(
            NewSchedule.of(name, new Timing.Once(FAR), DefinitionRef.of("order", 1))
                .withInput(value))
        .orThrow();
    return shown(schedules.input(schedules.find(name).orElseThrow()));
  }

  private String checkpoint(UUID id) {
    repositories.unitOfWork().with(checkpoints.add(manifest(id))).commit().orThrow();
    return checkpoints.latest(id).orElseThrow().triggeredBy();
  }

  private String audited(Payload value) {
    AuditRecord written =
        audit
            .append(NewAuditRecord.done("approved", "order", "17").withDetails(value))
            .orThrow()
            .records(AuditRecord.class)
            .get(0);
    return shown(audit.details(audit.find(written.id()).orElseThrow()));
  }

  private String secret(Payload value) {
    String name = "secret-" + UUID.randomUUID();
    secrets.put(name, value).orThrow();
    return text(secrets.open(secrets.latest(name).orElseThrow()));
  }

  /** They are of the store, no tenant's. */
  private String metrics() {
    Persistence.SystemAccess system = persistence.system("look at the metrics");
    String source = "test-" + UUID.randomUUID();
    system.metrics().add(source, Map.of("orders", 17)).orThrow();
    return system
        .metrics()
        .list(source, Instant.MIN, Instant.MAX, 10, START)
        .items()
        .get(0)
        .readings()
        .get(0);
  }

  private String cursor() {
    String name = "cursor-" + UUID.randomUUID();
    feed.cursors().insert(RegisteredCursor.of(name, new FeedCursor(1, "1"))).orThrow();
    return String.valueOf(feed.cursors().find(name).isPresent());
  }

  private static WorkflowCheckpoint manifest(UUID executionId) {
    Bytes hash = Bytes.copyOf(new byte[32]);
    return new WorkflowCheckpoint(
        RecordHeader.unsaved(),
        executionId,
        UUID.randomUUID(),
        "order-1",
        1,
        Optional.of("sha-256:" + "ab".repeat(32)),
        1,
        CheckpointKind.FULL,
        CheckpointOrigin.AUTOMATIC,
        "activity-completed",
        1,
        1,
        Optional.empty(),
        0,
        WORKER,
        1,
        1,
        hash,
        "RUNNING",
        List.of(),
        0,
        0,
        0,
        0,
        Optional.empty(),
        List.of(),
        false,
        Optional.empty(),
        "cbor",
        "none",
        0,
        Optional.empty(),
        "filesystem",
        "1.wcp",
        1,
        1,
        hash,
        Optional.empty());
  }
}
