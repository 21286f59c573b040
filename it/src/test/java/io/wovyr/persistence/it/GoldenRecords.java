/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.ActivityTimeouts;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointKind;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.CheckpointOrigin;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A record of every type there was when all records were first there, and what it says. */
final class GoldenRecords {
  static final UUID EXECUTION = UUID.fromString("01890000-0000-7000-8000-000000000003");
  private static final String DIGEST = "sha-256:" + "cd".repeat(32);
  private static final UUID CHECKPOINT = UUID.fromString("01890000-0000-7000-8000-000000000004");
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456Z");
  private static final Instant FAR = Instant.parse("2999-12-31T23:59:59.999999Z");
  private static final RetryPolicy POLICY =
      new RetryPolicy(
          5, Duration.ofSeconds(8), 150, Duration.ofSeconds(90), List.of("CardRefused", "Fraud"));
  private static final Payload SECRET = Payload.text("not a secret any more");

  /** It is compressed. */
  private static final Payload LARGE = Payload.text("step by step ".repeat(500));

  private GoldenRecords() {}

  static Repositories officer(Persistence persistence) {
    return persistence.as(Caller.of(GoldenStore.TENANT, "golden-officer", Role.values()));
  }

  // Writing.

  static void write(Persistence persistence, Storage storage) {
    Repositories golden = officer(persistence);
    writeDefinitions(golden);
    Lease lease = begin(golden);
    writeActivities(golden, lease);
    writeCompensations(golden, lease);
    writeCheckpoint(golden);
    golden
        .audit()
        .append(
            NewAuditRecord.done("order.approved", "execution", EXECUTION.toString())
                .withCorrelationId(CHECKPOINT)
                .withDetails(Payload.text("by Ann, limit 500")))
        .orThrow();
    golden.secrets().put("card-api", SECRET).orThrow();
    golden.secrets().put("card-api", Payload.text("revoked")).orThrow();
    golden.secrets().revoke(new SecretRef("card-api", 2)).orThrow();
    persistence
        .system("golden")
        .metrics()
        .add("golden", Map.of("b", 9_007_199_254_740_993L, "a", new BigDecimal("0.10")))
        .orThrow();
    writeSchedule(golden);
    golden.definitions().add(NewDefinition.of("large", LARGE)).orThrow();
    // As the first of these stores have one, from before a repository wrote schedules.
    insert(storage, RecordMappers.of(Schedule.class).toRow(schedule(golden)));
  }

  private static void writeSchedule(Repositories golden) {
    golden
        .schedules()
        .add(
            NewSchedule.of("hourly", Timing.Cron.of("0 * * * *", "UTC"), DefinitionRef.of("o", 1))
                .withInput(Payload.text("every hour")))
        .orThrow();
  }

  private static void insert(Storage storage, Row row) {
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            storage.identity().epoch(),
            Scope.tenant(GoldenStore.TENANT),
            Optional.empty(),
            List.of(new Mutation.Insert(row)),
            List.of());
    storage.commit(batch, Deadline.after(Duration.ofSeconds(20)));
  }

  private static void writeDefinitions(Repositories golden) {
    golden
        .definitions()
        .add(
            NewDefinition.of("order", Payload.json("{\"steps\":[\"charge\"]}"))
                .withPolicies(
                    DefinitionPolicies.DEFAULTS
                        .with(Policy.CHECKPOINT_PERIOD, "PT10M")
                        .with(Policy.RETENTION_LATEST, "7")))
        .orThrow();
    golden
        .definitions()
        .add(NewDefinition.of("order", Payload.text(GoldenStore.FREE_TEXT)).asDraft())
        .orThrow();
  }

  private static Lease begin(Repositories golden) {
    golden
        .executions()
        .create(
            NewExecution.of(golden.definitions().find("order", 1).orElseThrow().ref())
                .withId(EXECUTION)
                .withWorkflowId("order-3")
                .withSearchAttribute("city", "Zürich")
                .withSearchAttribute("tier", "gold"))
        .orThrow();
    Lease lease =
        ((Acquired) golden.leases().acquire(EXECUTION, "worker", Duration.ofMinutes(5))).lease();
    golden
        .executions()
        .transition(
            golden.executions().find(EXECUTION).orElseThrow(),
            Transition.to(ExecutionStatus.RUNNING),
            Append.next(lease))
        .orThrow();
    return lease;
  }

  private static void step(Repositories golden, Lease lease, String event, Change... changes) {
    var unit = golden.unitOfWork();
    unit.append(EXECUTION, Append.next(lease), NewEvent.of(event));
    for (Change change : changes) {
      unit.with(change);
    }
    unit.commit().orThrow();
  }

  private static ActivityExecution activity(Repositories golden, String id) {
    return golden.activities().find(EXECUTION, id).orElseThrow();
  }

  private static void writeActivities(Repositories golden, Lease lease) {
    var activities = golden.activities();
    ActivityTimeouts timeouts =
        new ActivityTimeouts(
            Optional.of(Duration.ofSeconds(11)),
            Optional.of(Duration.ofSeconds(12)),
            Optional.of(Duration.ofSeconds(13)),
            Optional.of(Duration.ofMillis(1_400)));
    NewActivity charge =
        NewActivity.of("charge", "charge-card")
            .withInput(Payload.text("EUR 42"))
            .withTimeouts(timeouts);
    step(
        golden,
        lease,
        "Scheduled",
        activities.schedule(EXECUTION, charge),
        activities.schedule(EXECUTION, NewActivity.of("ship", "ship-parcel")));
    step(
        golden,
        lease,
        "Started",
        activities.start(activity(golden, "charge"), "worker-1"),
        activities.start(activity(golden, "ship"), "worker-2"));
    step(
        golden,
        lease,
        "Progressed",
        activities.heartbeat(activity(golden, "charge"), Optional.of(Payload.text("half"))));
    Payload reason = Payload.text("the bank did not answer");
    step(
        golden,
        lease,
        "Ended",
        activities.fail(activity(golden, "charge"), reason),
        golden.retries().failed(EXECUTION, "charge", POLICY, "BankSilent", reason).change(),
        activities.complete(activity(golden, "ship"), Optional.of(Payload.text("parcel 7"))));
  }

  private static void writeCompensations(Repositories golden, Lease lease) {
    var compensations = golden.compensations();
    step(
        golden,
        lease,
        "Pushed",
        compensations.push(
            EXECUTION,
            NewCompensation.of("ship", "recall-parcel")
                .withInput(Payload.text("parcel 7"))
                .withMetadata("order", "3")));
    CompensationRecord entry = compensations.next(EXECUTION).orElseThrow();
    step(golden, lease, "RollbackStarted", compensations.start(entry));
    entry = compensations.find(EXECUTION, entry.position()).orElseThrow();
    step(
        golden,
        lease,
        "RollbackFailed",
        compensations.fail(
            entry, "NoCourier", Payload.text("nobody there"), Optional.of(LONG_AGO)));
  }

  private static void writeCheckpoint(Repositories golden) {
    golden
        .unitOfWork()
        .with(golden.checkpoints().add(manifest(Optional.of(DIGEST))))
        .commit()
        .orThrow();
    golden
        .checkpoints()
        .pin(golden.checkpoints().find(CHECKPOINT).orElseThrow(), "audit 2026")
        .orThrow();
  }

  private static WorkflowCheckpoint manifest(Optional<String> definitionDigest) {
    return manifest(EXECUTION, CHECKPOINT, definitionDigest);
  }

  /** One of an execution that is told as all of them are. */
  static WorkflowCheckpoint manifest(UUID executionId, UUID checkpointId) {
    return manifest(executionId, checkpointId, Optional.empty());
  }

  private static WorkflowCheckpoint manifest(
      UUID executionId, UUID checkpointId, Optional<String> definitionDigest) {
    return new WorkflowCheckpoint(
        RecordHeader.unsaved(),
        executionId,
        checkpointId,
        "order-3",
        1,
        definitionDigest,
        2,
        CheckpointKind.FULL,
        CheckpointOrigin.AUTOMATIC,
        "activity-completed",
        5,
        3,
        Optional.of(EXECUTION),
        4,
        "worker-1",
        6,
        7,
        Bytes.utf8("state hash of 32 bytes, or so it "),
        "RUNNING",
        List.of("charge", "ship"),
        8,
        9,
        10,
        11,
        Optional.of("worker-1"),
        List.of("why=golden"),
        true,
        Optional.of(FAR),
        "cbor",
        "zstd",
        12,
        Optional.of("key-1"),
        "filesystem",
        "golden/1.wcp",
        100,
        400,
        Bytes.utf8("digest"),
        Optional.of(Bytes.utf8("signature")));
  }

  private static Schedule schedule(Repositories golden) {
    return new Schedule(
        new RecordHeader(
            UUID.fromString("01890000-0000-7000-8000-000000000005"),
            GoldenStore.TENANT,
            1,
            LONG_AGO,
            LONG_AGO,
            "golden-writer",
            1,
            1,
            1,
            Bytes.EMPTY),
        "nightly",
        "cron",
        "0 3 * * *",
        Optional.of("Europe/Zurich"),
        Optional.of(LONG_AGO),
        "order",
        1,
        "ab".repeat(32),
        Misfire.FIRE_ONCE,
        Duration.ofMinutes(3),
        Optional.of(LONG_AGO),
        Optional.of(FAR),
        true,
        Optional.of(FAR),
        Optional.of(LONG_AGO),
        17,
        activity(golden, "charge").input());
  }

  // Reading.

  /**
   * Reads all of them through the repositories.
   *
   * @param digests whether its schema kept digests of definitions with checkpoints
   * @param marksSealed whether it sealed the reasons of their marks
   */
  static void verify(
      Persistence persistence, Storage storage, boolean digests, boolean marksSealed) {
    Repositories golden = officer(persistence);
    verifyDefinitions(golden);
    verifyActivities(golden);
    verifyNextAttempt(golden);
    verifyCompensation(golden);
    verifyCheckpoint(golden, digests ? Optional.of(DIGEST) : Optional.empty(), marksSealed);
    verifyAuditAndSecrets(golden);
    MetricsSnapshot sample =
        persistence
            .system("golden")
            .metrics()
            .list("golden", LONG_AGO, FAR, 10, Optional.empty())
            .items()
            .get(0);
    assertThat(sample.readings()).containsExactly("a=0.10", "b=9007199254740993");
    Row stored =
        storage
            .read(
                Scope.tenant(GoldenStore.TENANT),
                List.of(Key.of(RecordTypes.SCHEDULE, "nightly")),
                ReadOptions.strong(Deadline.after(Duration.ofSeconds(20))))
            .get(0)
            .orElseThrow();
    assertThat(RecordMappers.of(Schedule.class).fromRow(stored)).isEqualTo(schedule(golden));
    assertThat(golden.schedules().find("nightly")).contains(schedule(golden));
  }

  /** What is in stores whose values are bound to the key of their record. */
  static void verifyNewer(Persistence persistence) {
    Repositories golden = officer(persistence);
    Schedule hourly = golden.schedules().find("hourly").orElseThrow();
    assertThat(hourly.expression()).isEqualTo("0 * * * *");
    assertThat(hourly.nextFireAt()).isPresent();
    assertThat(hourly.fires()).isZero();
    assertThat(golden.schedules().input(hourly)).contains(Payload.text("every hour"));
    WorkflowDefinition large = golden.definitions().latest("large").orElseThrow();
    StoredPayload body = large.body().orElseThrow();
    assertThat(body.compression()).as("Zstandard").isEqualTo(1);
    assertThat(golden.definitions().body(large)).isEqualTo(LARGE);
    assertThat(((StoredPayload.Body.Inline) body.body()).bytes().toByteArray()[0])
        .as("version of the sealed bytes")
        .isEqualTo((byte) 2);
  }

  private static void verifyDefinitions(Repositories golden) {
    WorkflowDefinition order = golden.definitions().find("order", 1).orElseThrow();
    assertThat(golden.definitions().latest("order")).contains(order);
    assertThat(golden.definitions().body(order))
        .isEqualTo(Payload.json("{\"steps\":[\"charge\"]}"));
    assertThat(order.policies())
        .containsExactly("checkpoint.period=PT10M", "retention.keep-latest=7");
    assertThat(golden.definitions().body(golden.definitions().find("order", 2).orElseThrow()))
        .isEqualTo(Payload.text(GoldenStore.FREE_TEXT));
  }

  private static void verifyActivities(Repositories golden) {
    ActivityExecution charge = activity(golden, "charge");
    assertThat(charge.status()).isEqualTo(ActivityStatus.FAILED);
    assertThat(charge.worker()).contains("worker-1");
    assertThat(charge.scheduleToStart()).contains(Duration.ofSeconds(11));
    assertThat(charge.startToClose()).contains(Duration.ofSeconds(12));
    assertThat(charge.scheduleToClose()).contains(Duration.ofSeconds(13));
    assertThat(charge.heartbeatTimeout()).contains(Duration.ofMillis(1_400));
    assertThat(golden.activities().input(charge)).contains(Payload.text("EUR 42"));
    assertThat(golden.activities().heartbeatDetails(charge)).contains(Payload.text("half"));
    assertThat(golden.activities().failure(charge))
        .contains(Payload.text("the bank did not answer"));
    assertThat(golden.activities().result(activity(golden, "ship")))
        .contains(Payload.text("parcel 7"));
    RetryRecord retry = golden.retries().find(EXECUTION, "charge").orElseThrow();
    assertThat(retry.policy()).isEqualTo(POLICY);
    assertThat(retry.status()).isEqualTo(RetryStatus.PENDING);
    assertThat(retry.lastError()).isEqualTo("BankSilent");
    assertThat(golden.retries().pending(10, Optional.empty()).items()).containsExactly(retry);
    Payload silent = Payload.text("the bank did not answer");
    assertThat(golden.retries().reason(retry)).contains(silent);
    assertThat(golden.retries().history(retry))
        .as("older versions kept the newest reason alone")
        .containsExactly(
            new FailedAttempt(
                1, retry.lastFailureAt(), "BankSilent", retry.lastDelay(), Optional.of(silent)));
  }

  /** Whatever version wrote the first attempt, the next one is told beside it. */
  private static void verifyNextAttempt(Repositories golden) {
    Payload again = Payload.text("silent again");
    RetryRecord next =
        golden.retries().failed(EXECUTION, "charge", POLICY, "BankSilent", again).retry();
    assertThat(golden.retries().reason(next)).contains(again);
    assertThat(golden.retries().history(next))
        .extracting(attempt -> attempt.attempt(), attempt -> attempt.reason().orElseThrow())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1, Payload.text("the bank did not answer")),
            org.assertj.core.groups.Tuple.tuple(2, again));
  }

  private static void verifyCompensation(Repositories golden) {
    CompensationRecord entry =
        golden.compensations().stack(EXECUTION, 10, Optional.empty()).items().get(0);
    assertThat(golden.compensations().list(entry.status(), 10, Optional.empty()).items())
        .containsExactly(entry);
    assertThat(entry.status()).isEqualTo(CompensationStatus.FAILED);
    assertThat(entry.nextAttemptAt()).contains(LONG_AGO);
    assertThat(entry.metadata()).containsExactly("order=3");
    assertThat(golden.compensations().input(entry)).contains(Payload.text("parcel 7"));
    assertThat(golden.compensations().failure(entry)).contains(Payload.text("nobody there"));
    assertThat(golden.compensations().history(entry))
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.attempt()).isEqualTo(1);
              assertThat(attempt.reason()).contains(Payload.text("nobody there"));
            });
  }

  private static void verifyCheckpoint(
      Repositories golden, Optional<String> digest, boolean marksSealed) {
    WorkflowCheckpoint found = golden.checkpoints().find(CHECKPOINT).orElseThrow();
    assertThat(found)
        .usingRecursiveComparison()
        .ignoringFields("header")
        .isEqualTo(manifest(digest));
    assertThat(golden.checkpoints().latest(EXECUTION)).contains(found);
    CheckpointMark mark = golden.checkpoints().mark(EXECUTION, CHECKPOINT).orElseThrow();
    assertThat(golden.checkpoints().pinReason(mark)).contains("audit 2026");
    assertThat(mark.sealedPinReason()).matches(stored -> stored.isPresent() == marksSealed);
    assertThat(mark.pinReason()).as("in clear").matches(clear -> clear.isEmpty() == marksSealed);
  }

  private static void verifyAuditAndSecrets(Repositories golden) {
    AuditRecord approved =
        golden
            .audit()
            .about("execution", EXECUTION.toString(), 10, Optional.empty())
            .items()
            .get(0);
    assertThat(approved.action()).isEqualTo("order.approved");
    assertThat(approved.correlationId()).contains(CHECKPOINT);
    assertThat(golden.audit().details(approved)).contains(Payload.text("by Ann, limit 500"));
    assertThat(golden.secrets().open(new SecretRef("card-api", 1))).isEqualTo(SECRET);
    assertThat(golden.secrets().latest("card-api").orElseThrow().version()).isEqualTo(1);
  }
}
