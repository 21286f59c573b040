/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.core.contract.EveryMethod;
import io.wovyr.persistence.core.telemetry.OpenTelemetryInstruments;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.state.WorkflowState.Leaf;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values are sealed by default, whatever way they take; nothing of them shows anywhere. */
abstract class SealingContract {
  /** What no table, file, log or message may show. */
  private static final String CANARY = "c4n4ry";

  private static final List<String> FORMS = forms(CANARY, EveryMethod.VALUE);
  private static final String TENANT = "acme";
  private static final DefinitionRef ORDER = DefinitionRef.of("order", 1);
  private static final Duration TTL = Duration.ofMinutes(2);

  @TempDir Path directory;
  private final AtomicLong logged = new AtomicLong();
  private final Queue<String> loggedAndShowing = new ConcurrentLinkedQueue<>();
  private final List<Throwable> thrown = new ArrayList<>();
  private final Handler listener = new Listener();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();
  private Level level;
  private int canaries;

  /** The store, by its provider, with what is on the class path. */
  abstract WovyrPersistence.Builder store();

  final Persistence open() {
    return store().telemetry(new OpenTelemetryInstruments(telemetry)).build();
  }

  /** Where the keystore of the store is. */
  abstract Path keystore();

  /** The first column of a query, past the store's walls. */
  abstract List<String> query(String sql) throws Exception;

  /** Everything the store keeps, as text or as hexadecimal digits. */
  abstract List<String> everythingStored() throws Exception;

  /** What a server of the store logged, if there is one. */
  List<String> serverLog() throws Exception {
    return List.of();
  }

  private final class Listener extends Handler {
    @Override
    public void publish(LogRecord entry) {
      StringBuilder text = new StringBuilder(String.valueOf(entry.getMessage()));
      if (entry.getParameters() != null) {
        for (Object parameter : entry.getParameters()) {
          text.append(' ').append(parameter);
        }
      }
      for (Throwable cause = entry.getThrown(); cause != null; cause = cause.getCause()) {
        text.append(' ').append(cause);
      }
      logged.incrementAndGet();
      if (shows(text.toString())) {
        loggedAndShowing.add(text.toString());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    Logger root = Logger.getLogger("");
    level = root.getLevel();
    root.setLevel(Level.FINEST);
    listener.setLevel(Level.FINEST);
    root.addHandler(listener);
  }

  @AfterEach
  void stopListening() {
    Logger root = Logger.getLogger("");
    root.removeHandler(listener);
    root.setLevel(level);
    telemetry.close();
  }

  private Payload marked() {
    return Payload.text(CANARY + "-" + ++canaries + "-\u00e9 of a person");
  }

  private static Applied committed(CommitResult result) {
    return result.orThrow();
  }

  private static <T> T only(Applied committed, Class<T> type) {
    return committed.records(type).get(0);
  }

  private static Repositories as(Persistence persistence, Role... roles) {
    return persistence.as(Caller.of(TENANT, "somebody", roles).withClient(CANARY + " client"));
  }

  private static Lease lease(Repositories repositories, UUID id) {
    return ((AcquireResult.Acquired) repositories.leases().acquire(id, "worker-1", TTL)).lease();
  }

  @Test
  @DisplayName("C064: marked values show nowhere, in no encoding, and come back whole")
  void markedValuesShowNowhereAndComeBackWhole() throws Exception {
    UUID id = UUID.randomUUID();
    Payload input = marked();
    Payload payload = marked();
    Payload variable = marked();
    Payload large = Payload.text((CANARY + " again and again ").repeat(500));
    Payload result = marked();
    Payload reason = marked();
    Payload undo = marked();
    Payload details = marked();
    Payload secret = marked();
    Payload body = marked();
    Payload outcome = marked();
    Payload daily = marked();
    List<Object> seen = new ArrayList<>();
    try (Persistence persistence = open()) {
      Repositories work = as(persistence, Role.WRITER);
      NewDefinition definition = NewDefinition.of("order", body);
      WorkflowDefinition stored =
          only(
              committed(as(persistence, Role.ADMIN).definitions().add(definition)),
              WorkflowDefinition.class);
      NewExecution execution = NewExecution.of(stored.ref()).withId(id).withInput(input);
      committed(work.executions().create(execution));
      Lease lease = lease(work, id);
      move(work, id, lease, ExecutionStatus.RUNNING, Optional.empty());
      NewEvent event =
          NewEvent.of("Charged")
              .withPayload(payload)
              .put(Section.VARIABLES, "card", variable)
              .put(Section.VARIABLES, "prompt", large);
      committed(work.events().append(id, Append.next(lease), event));
      ActivityExecution activity =
          stepped(
              work,
              lease,
              work.activities().schedule(id, NewActivity.of("charge", "t").withInput(input)));
      activity = stepped(work, lease, work.activities().start(activity, "worker-1"));
      activity = stepped(work, lease, work.activities().heartbeat(activity, Optional.of(payload)));
      stepped(work, lease, work.activities().complete(activity, Optional.of(result)));
      committed(
          work.unitOfWork()
              .append(id, Append.next(lease), NewEvent.of("Failed"))
              .with(
                  work.retries()
                      .failed(id, "ship", RetryPolicy.ofAttempts(3), "Timeout", reason)
                      .change())
              .with(
                  work.compensations()
                      .push(id, NewCompensation.of("charge", "refund").withInput(undo)))
              .with(work.audit().record(NewAuditRecord.done("a", "s", "i").withDetails(details)))
              .commit());
      committed(as(persistence, Role.SECURITY_OFFICER).secrets().put("card-api", secret));
      committed(
          as(persistence, Role.ADMIN)
              .schedules()
              .add(
                  NewSchedule.of("daily", Timing.Cron.of("0 3 * * *", "UTC"), stored.ref())
                      .withInput(daily)));
      persistence.system("metrics").metrics().sample().orThrow();
      move(work, id, lease, ExecutionStatus.FAILED, Optional.of(outcome));
    }

    assertNothingShows();

    try (Persistence persistence = open()) {
      Repositories reader = as(persistence, Role.READER);
      WorkflowExecution execution = reader.executions().find(id).orElseThrow();
      assertThat(reader.executions().input(execution)).contains(input);
      assertThat(reader.executions().outcome(execution)).contains(outcome);
      var state = reader.executions().state(id);
      assertThat(reader.open(state.get(Section.VARIABLES, "card").orElseThrow()))
          .isEqualTo(variable);
      assertThat(reader.open(state.get(Section.VARIABLES, "prompt").orElseThrow()))
          .isEqualTo(large);
      ActivityExecution activity = reader.activities().find(id, "charge").orElseThrow();
      assertThat(reader.activities().input(activity)).contains(input);
      assertThat(reader.activities().heartbeatDetails(activity)).contains(payload);
      assertThat(reader.activities().result(activity)).contains(result);
      RetryRecord retry = reader.retries().find(id, "ship").orElseThrow();
      assertThat(reader.retries().reason(retry)).contains(reason);
      CompensationRecord entry = reader.compensations().next(id).orElseThrow();
      assertThat(reader.compensations().input(entry)).contains(undo);
      WorkflowDefinition definition = reader.definitions().latest("order").orElseThrow();
      assertThat(reader.definitions().body(definition)).isEqualTo(body);
      Schedule schedule = reader.schedules().find("daily").orElseThrow();
      assertThat(reader.schedules().input(schedule)).contains(daily);
      seen.addAll(List.of(execution, activity, retry, entry, definition, schedule, state));
      seen.addAll(reader.events().read(id, 1, 100).items());
      seen.add(reader.feed().read(Optional.empty(), 100));
      seen.add(as(persistence, Role.SECURITY_OFFICER).secrets().list(10, Optional.empty()));
      seen.add(input);
      Repositories auditor = as(persistence, Role.AUDITOR);
      AuditRecord audited = auditor.audit().about("s", "i", 1, Optional.empty()).items().get(0);
      assertThat(auditor.audit().details(audited)).contains(details);
      seen.add(audited);
      assertThat(
              as(persistence, Role.SECURITY_OFFICER).secrets().open(new SecretRef("card-api", 1)))
          .isEqualTo(secret);
    }
    assertNothingShows();
    assertThat(seen).extracting(String::valueOf).noneMatch(text -> text.contains(CANARY));
    assertThat(query("SELECT '[' || actor || ']' FROM revision"))
        .as("who changed what")
        .isNotEmpty()
        .containsOnly("[]");
  }

  @Test
  @DisplayName("C064: what any method of any repository is given shows nowhere")
  void whatAnyMethodIsGivenShowsNowhere() throws Exception {
    try (Persistence persistence = open()) {
      int called = EveryMethod.call(as(persistence, Role.values()));
      assertThat(called).as("methods").isGreaterThan(100);
      // Gauges are there as long as the store is open.
      assertNothingShows();
    }
    assertNothingShows();
  }

  @Test
  @DisplayName("C069: a value of another tenant's state, however it was had, does not open")
  void aValueOfAnotherTenantsStateDoesNotOpen() {
    try (Persistence persistence = open()) {
      Repositories work = as(persistence, Role.WRITER);
      UUID id = UUID.randomUUID();
      committed(work.executions().create(NewExecution.of(ORDER).withId(id)));
      NewEvent named = NewEvent.of("Named").put(Section.VARIABLES, "name", marked());
      committed(work.events().append(id, Append.next(lease(work, id)), named));
      Leaf leaf = work.executions().state(id).get(Section.VARIABLES, "name").orElseThrow();
      Repositories rival = persistence.as(Caller.of("rival", "somebody", Role.values()));

      assertThat(work.open(leaf).content().utf8()).contains(CANARY);
      assertThatThrownBy(() -> rival.open(leaf))
          .isInstanceOf(UnknownKey.class)
          .hasMessageContaining(leaf.payload().keyId().orElseThrow())
          .hasMessageNotContaining(CANARY);
    }
  }

  @Test
  @DisplayName("C064: reasons of failures, and what a refused call was given, show nowhere")
  void reasonsOfFailuresShowNowhere() throws Exception {
    UUID id = UUID.randomUUID();
    Payload failed = marked();
    Payload again = marked();
    Payload late = marked();
    Payload undone = marked();
    Payload skipped = marked();
    Payload signal = marked();
    String wanted = marked().content().utf8();
    String torn = marked().content().utf8();
    UUID checkpoint;
    try (Persistence persistence = open()) {
      Repositories work = as(persistence, Role.WRITER, Role.OPERATOR);
      NewExecution execution = NewExecution.of(ORDER).withId(id);
      committed(work.executions().create(execution));
      Lease lease = lease(work, id);
      move(work, id, lease, ExecutionStatus.RUNNING, Optional.empty());
      var activities = work.activities();
      ActivityExecution charge = started(work, lease, "charge");
      ActivityExecution ended = stepped(work, lease, activities.fail(charge, failed));
      stepped(work, lease, activities.failAndReschedule(started(work, lease, "ship"), again));
      stepped(work, lease, activities.timeOut(started(work, lease, "mail"), late));
      var undo = work.compensations();
      for (String name : List.of("charge", "ship")) {
        committed(stepping(work, lease, undo.push(id, NewCompensation.of(name, "undo " + name))));
      }
      CompensationRecord top = undo.next(id).orElseThrow();
      committed(stepping(work, lease, undo.skip(top, skipped)));
      CompensationRecord next = undo.next(id).orElseThrow();
      committed(stepping(work, lease, undo.start(next)));
      next = undo.next(id).orElseThrow();
      committed(
          stepping(work, lease, undo.fail(next, "Refused", undone, Optional.of(Instant.now()))));
      NewEvent approved = NewEvent.of("Approved").withPayload(signal);
      committed(work.events().append(id, Append.signal("approval"), approved));
      WorkflowCheckpoint saved =
          only(
              work.unitOfWork()
                  .with(work.checkpoints().add(GoldenRecords.manifest(id, UUID.randomUUID())))
                  .commit()
                  .orThrow(),
              WorkflowCheckpoint.class);
      checkpoint = saved.checkpointId();
      committed(work.checkpoints().pin(saved, wanted));
      committed(work.checkpoints().invalidate(saved, torn));
      refused(() -> work.checkpoints().pin(saved, CANARY + "\nof a person"));

      CompensationRecord stale = next;
      refused(() -> stepping(work, lease, activities.fail(ended, marked())));
      refused(() -> stepping(work, lease, activities.complete(ended, Optional.of(marked()))));
      refused(() -> stepping(work, lease, undo.complete(top, Optional.of(marked()))));
      refused(() -> stepping(work, lease, undo.fail(stale, "Late", marked(), Optional.empty())));
      refused(() -> work.executions().create(execution.withInput(marked())).orThrow());
      refused(
          () ->
              work.events()
                  .append(id, Append.after(lease, 1), NewEvent.of("Late").withPayload(marked()))
                  .orThrow());
      refused(() -> as(persistence, Role.READER).secrets().put("card-api", marked()).orThrow());
    }

    assertNothingShows();

    try (Persistence persistence = open()) {
      Repositories reader = as(persistence, Role.READER);
      var activities = reader.activities();
      assertThat(activities.failure(activities.find(id, "charge").orElseThrow())).contains(failed);
      assertThat(activities.failure(activities.find(id, "ship").orElseThrow())).contains(again);
      assertThat(activities.failure(activities.find(id, "mail").orElseThrow())).contains(late);
      var undo = reader.compensations();
      assertThat(undo.failure(undo.find(id, 2).orElseThrow())).contains(skipped);
      assertThat(undo.failure(undo.find(id, 1).orElseThrow())).contains(undone);
      assertThat(
              reader.events().read(id, 1, 100).items().stream()
                  .filter(event -> event.type().equals("Approved"))
                  .findFirst()
                  .flatMap(reader.events()::payload))
          .contains(signal);
      CheckpointMark mark = reader.checkpoints().mark(id, checkpoint).orElseThrow();
      assertThat(reader.checkpoints().pinReason(mark)).contains(wanted);
      assertThat(reader.checkpoints().reason(mark)).contains(torn);
      assertThat(mark.toString()).doesNotContain(CANARY);
    }
  }

  private void refused(ThrowingCallable call) {
    Throwable refusal = catchThrowable(call);
    assertThat(refusal).isInstanceOf(RuntimeException.class);
    thrown.add(refusal);
  }

  private static ActivityExecution started(Repositories work, Lease lease, String name) {
    NewActivity activity = NewActivity.of(name, "t");
    return stepped(work, lease, work.activities().begin(lease.executionId(), activity, "worker-1"));
  }

  private static void move(
      Repositories work, UUID id, Lease lease, ExecutionStatus to, Optional<Payload> outcome) {
    Transition transition = outcome.map(Transition.to(to)::withOutcome).orElse(Transition.to(to));
    committed(
        work.executions()
            .transition(work.executions().find(id).orElseThrow(), transition, Append.next(lease)));
  }

  private static ActivityExecution stepped(
      Repositories work, Lease lease, io.wovyr.persistence.Change change) {
    return only(committed(stepping(work, lease, change)), ActivityExecution.class);
  }

  private static CommitResult stepping(
      Repositories work, Lease lease, io.wovyr.persistence.Change change) {
    CommitResult result =
        work.unitOfWork()
            .append(lease.executionId(), Append.next(lease), NewEvent.of("Step"))
            .with(change)
            .commit();
    result.orThrow();
    return result;
  }

  private void assertNothingShows() throws Exception {
    List<String> shown = new ArrayList<>();
    for (String text : everythingStored()) {
      if (shows(text)) {
        shown.add(text.substring(0, Math.min(80, text.length())));
      }
    }
    assertThat(shown).as("stored").isEmpty();
    assertThat(logged).as("entries in the log").hasPositiveValue();
    assertThat(loggedAndShowing).as("logged").isEmpty();
    assertThat(serverLog()).as("logged by the server").noneMatch(SealingContract::shows);
    // With all their attributes: the tenant is one of a span's, the call one of a metric's.
    assertThat(spans.getFinishedSpanItems())
        .extracting(String::valueOf)
        .as("traced")
        .anyMatch(text -> text.contains(TENANT))
        .noneMatch(SealingContract::shows);
    assertThat(metrics.collectAllMetrics())
        .extracting(String::valueOf)
        .as("measured")
        .anyMatch(text -> text.contains("wovyr.call"))
        .noneMatch(SealingContract::shows);
    for (Throwable one : thrown) {
      StringWriter trace = new StringWriter();
      one.printStackTrace(new PrintWriter(trace));
      assertThat(trace.toString()).as("thrown").doesNotContain(CANARY);
    }
  }

  /** In any encoding. */
  private static boolean shows(String text) {
    return FORMS.stream().anyMatch(text::contains);
  }

  /** Marks as they are, in hexadecimal digits and in Base64. */
  private static List<String> forms(String... marks) {
    List<String> found = new ArrayList<>();
    for (String mark : marks) {
      byte[] bytes = mark.getBytes(StandardCharsets.UTF_8);
      found.add(mark);
      found.add(HexFormat.of().formatHex(bytes));
      found.add(HexFormat.of().withUpperCase().formatHex(bytes));
      found.addAll(inBase64(mark));
    }
    return found;
  }

  /** A mark as it shows in Base64, at whatever place of a text it begins. */
  private static List<String> inBase64(String mark) {
    List<String> found = new ArrayList<>();
    for (int before = 0; before < 3; before++) {
      byte[] text = (" ".repeat(before) + mark + "  ").getBytes(StandardCharsets.UTF_8);
      String encoded = Base64.getEncoder().encodeToString(text);
      // Only the digits that depend on nothing beside the mark.
      int from = (before * 8 + 5) / 6;
      found.add(encoded.substring(from, (before + mark.length()) * 8 / 6));
    }
    return found;
  }

  @Test
  void withoutItsKeystoreAStoreListsAndOpensNothing() throws Exception {
    UUID id = UUID.randomUUID();
    try (Persistence persistence = open()) {
      committed(
          as(persistence, Role.WRITER)
              .executions()
              .create(NewExecution.of(ORDER).withId(id).withInput(marked())));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keystore())))
        .as("for its owner only")
        .isEqualTo("rw-------");
    Files.move(keystore(), keystore().resolveSibling("elsewhere"));

    try (Persistence persistence = open()) {
      Repositories reader = as(persistence, Role.READER);
      WorkflowExecution execution = reader.executions().find(id).orElseThrow();
      assertThatThrownBy(() -> reader.executions().input(execution))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(keystore().getFileName().toString())
          .hasMessageNotContaining(CANARY);
      assertThatThrownBy(
              () ->
                  as(persistence, Role.WRITER)
                      .executions()
                      .create(NewExecution.of(ORDER).withInput(marked())))
          .as("no second keystore is made for keys that are wrapped by the first")
          .isInstanceOf(Unavailable.class);
    }
    Files.move(keystore().resolveSibling("elsewhere"), keystore());
    try (Persistence persistence = open()) {
      Repositories reader = as(persistence, Role.READER);
      assertThat(reader.executions().input(reader.executions().find(id).orElseThrow())).isPresent();
    }
  }
}
