/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static io.wovyr.persistence.execution.ExecutionStatus.COMPENSATED;
import static io.wovyr.persistence.execution.ExecutionStatus.COMPENSATING;
import static io.wovyr.persistence.execution.ExecutionStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of {@code docs/records.md}: it is this, in this order, and it works. */
final class RecordsPageTest {
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.ofAttempts(2).withDelays(Duration.ZERO, Duration.ZERO);
  private static final Duration LATER = Duration.ofDays(1);

  @TempDir private static Path directory;
  private static Persistence persistence;
  private static Repositories orders;
  private UUID id;

  @BeforeAll
  static void openStore() {
    persistence = SqliteFile.orders(directory);
    orders = persistence.as(Caller.of("acme", "order-service", Role.WRITER));
  }

  @AfterAll
  static void closeStore() {
    persistence.close();
  }

  @BeforeEach
  void createOrder() {
    id = UUID.randomUUID();
    var order = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
    orders.executions().create(order).orThrow();
  }

  private static Applied begin(Repositories orders, UUID id, Lease lease, Payload card) {
    // page:begin
    WorkflowExecution execution = orders.executions().find(id).orElseThrow();
    NewActivity charge = NewActivity.of("charge", "card").withInput(card);
    UnitOfWork step = orders.unitOfWork();
    step.transition(execution, Transition.to(RUNNING), Append.next(lease)); // CREATED until now
    step.append(id, Append.next(lease), NewEvent.of("ChargeBegun"));
    step.with(orders.activities().begin(id, charge, "worker-1"));
    Applied stored = step.commit().orThrow(); // one commit, one round trip on PostgreSQL
    ActivityExecution begun = stored.records(ActivityExecution.class).get(0);
    // page:end
    assertThat(begun.activityId()).isEqualTo("charge");
    return stored;
  }

  private static void dispatch(Persistence persistence, BiConsumer<Repositories, Lease> work) {
    // page:begin
    List<Due> found = new ArrayList<>(persistence.system("dispatch").due(100));
    Collections.shuffle(found); // so that workers do not queue for the same one
    for (Due due : found) {
      Repositories orders = persistence.as(Caller.of(due.tenantId(), "worker-1", Role.WRITER));
      var answer = orders.leases().acquire(due.executionId(), "worker-1", Duration.ofSeconds(30));
      if (answer instanceof Acquired got) { // else Held or NotAvailable: go on with the next
        work.accept(orders, got.lease()); // read its state now, then do the next step
      }
    }
    // page:end
  }

  private static WorkflowDefinition define(Persistence persistence, Payload body) {
    // page:begin
    Repositories admin = persistence.as(Caller.of("acme", "release", Role.ADMIN));
    var policies = DefinitionPolicies.DEFAULTS.with(Policy.WORKFLOW_ID_REUSE, "allow");
    var order = NewDefinition.of("order", body).withVersion(1).withPolicies(policies);
    Applied added = admin.definitions().add(order).orThrow(); // ACTIVE, unless .asDraft()
    WorkflowDefinition stored = added.records(WorkflowDefinition.class).get(0);

    var present = DefinitionPolicies.ofEntries(stored.policies()); // all of them are replaced
    admin.definitions().setPolicies(stored, present.with(Policy.RETENTION_LATEST, "5")).orThrow();
    // page:end
    return admin.definitions().find("order", 1).orElseThrow();
  }

  private static void fail(
      Repositories orders,
      WorkflowExecution execution,
      Lease lease,
      RetryPolicy policy,
      String why) {
    UUID id = execution.id();
    // page:begin
    ActivityExecution charge = orders.activities().find(id, "charge").orElseThrow();
    Payload reason = Payload.text(why);
    Retries.Decision decision =
        orders.retries().failed(id, "charge", policy, "CardDeclined", reason);
    UnitOfWork step = orders.unitOfWork(); // a new one: each is committed once
    step.append(id, Append.next(lease), NewEvent.of("ChargeFailed"));
    step.with(decision.change()); // the retry only: the activity is said beside it
    if (decision.nextAttemptAt().isPresent()) {
      step.with(orders.activities().failAndReschedule(charge, reason)).commit().orThrow();
      Instant next = orders.retries().nextDue(id).orElseThrow(); // of all that wait, the earliest
      orders.leases().release(lease, Wake.at(next)); // found then, by any worker
    } else {
      step.with(orders.activities().fail(charge, reason));
      step.transition(execution, Transition.to(COMPENSATING), Append.next(lease));
      step.commit().orThrow();
    }
    // page:end
  }

  private static void succeed(Repositories orders, UUID id, Lease lease, Payload receipt) {
    // page:begin
    ActivityExecution charge = orders.activities().find(id, "charge").orElseThrow();
    NewCompensation refund = NewCompensation.of("charge", "refund").withInput(receipt);
    UnitOfWork step = orders.unitOfWork();
    step.append(id, Append.next(lease), NewEvent.of("Charged"));
    step.with(orders.activities().complete(charge, Optional.of(receipt)));
    orders.retries().find(id, "charge").map(orders.retries()::succeeded).ifPresent(step::with);
    step.with(orders.compensations().push(id, refund));
    step.commit().orThrow();
    // page:end
  }

  private static void rollBack(
      Repositories orders,
      WorkflowExecution execution,
      Lease lease,
      Predicate<CompensationRecord> undo) {
    UUID id = execution.id();
    // page:begin
    var next = orders.compensations().next(id);
    while (next.isPresent()) {
      UnitOfWork begin = orders.unitOfWork();
      begin.append(id, Append.next(lease), NewEvent.of("UndoBegun"));
      begin.with(orders.compensations().start(next.get()));
      var entry = begin.commit().orThrow().records(CompensationRecord.class).get(0);
      boolean undone = undo.test(entry);
      UnitOfWork end = orders.unitOfWork();
      end.append(id, Append.next(lease), NewEvent.of(undone ? "Undone" : "UndoFailed"));
      if (!undone) {
        Instant again = Instant.now().plusSeconds(60);
        Payload reason = Payload.text("bank closed");
        end.with(orders.compensations().fail(entry, "Closed", reason, Optional.of(again)));
        end.release(lease, Wake.at(again)); // fail only keeps the time, this makes it due
        end.commit().orThrow();
        return;
      }
      end.with(orders.compensations().complete(entry, Optional.empty())).commit().orThrow();
      next = orders.compensations().next(id);
    }
    UnitOfWork last = orders.unitOfWork(); // next(id) is empty: nothing checks it but you
    last.transition(execution, Transition.to(COMPENSATED), Append.next(lease)).commit().orThrow();
    // page:end
  }

  private static Found others(Persistence persistence, UUID id, Lease lease, Payload key) {
    Repositories orders = persistence.as(Caller.of("acme", "order-service", Role.WRITER));
    // page:begin
    UnitOfWork step = orders.unitOfWork();
    step.append(id, Append.next(lease), NewEvent.of("Refunded"));
    step.with(orders.audit().record(NewAuditRecord.done("order.refund", "order", "4711")));
    step.commit().orThrow(); // the record is there exactly when the step is

    Repositories auditor = persistence.as(Caller.of("acme", "auditor", Role.AUDITOR));
    var records = auditor.audit().about("order", "4711", 100, Optional.empty());

    Repositories office = persistence.as(Caller.of("acme", "office", Role.SECURITY_OFFICER));
    office.secrets().put("card-api", key).orThrow(); // a new version; the old ones stay
    Payload opened = office.secrets().open(office.secrets().latest("card-api").orElseThrow());

    var metrics = persistence.system("monitoring").metrics();
    metrics.sample().orThrow();
    Instant now = Instant.now();
    var day = metrics.list("storage", now.minusSeconds(86_400), now, 1_000, Optional.empty());
    // page:end
    return new Found(records, opened, day);
  }

  private record Found(Page<AuditRecord> records, Payload opened, Page<MetricsSnapshot> samples) {}

  private Lease acquired() {
    return ((Acquired) orders.leases().acquire(id, "worker-1", Duration.ofSeconds(30))).lease();
  }

  private WorkflowExecution execution() {
    return orders.executions().find(id).orElseThrow();
  }

  private ActivityExecution charge() {
    return orders.activities().find(id, "charge").orElseThrow();
  }

  private Lease begun() {
    Lease lease = acquired();
    begin(orders, id, lease, Payload.text("4242"));
    return lease;
  }

  private Lease charged() {
    Lease lease = begun();
    succeed(orders, id, lease, Payload.text("receipt 7"));
    orders
        .unitOfWork()
        .transition(execution(), Transition.to(COMPENSATING), Append.next(lease))
        .commit()
        .orThrow();
    return lease;
  }

  @Test
  void aStepBeginsAnActivity() {
    begun();

    assertThat(execution().status()).isEqualTo(RUNNING);
    assertThat(charge().status()).isEqualTo(ActivityStatus.STARTED);
  }

  @Test
  void aFailedAttemptIsDueAgainForAnyWorkerAndCompensatedInTheEnd() {
    Lease first = begun();
    fail(orders, execution(), first, AT_ONCE, "declined");
    assertThat(charge().status()).isEqualTo(ActivityStatus.SCHEDULED);

    Map<UUID, Lease> found = new HashMap<>();
    dispatch(persistence, (repositories, lease) -> found.put(lease.executionId(), lease));
    assertThat(found).containsKey(id);
    Lease second = found.get(id);

    orders
        .unitOfWork()
        .append(id, Append.next(second), NewEvent.of("ChargeBegun"))
        .with(orders.activities().start(charge(), "worker-2"))
        .commit()
        .orThrow();
    fail(orders, execution(), second, AT_ONCE, "declined");

    assertThat(charge().status()).isEqualTo(ActivityStatus.FAILED);
    assertThat(execution().status()).isEqualTo(COMPENSATING);
  }

  @Test
  void theEarliestOfAllRetriesWakes() {
    Lease lease = begun();
    Retries.Decision mail = orders.retries().failed(id, "mail", AT_ONCE, "Down", Payload.text(""));
    orders
        .unitOfWork()
        .append(id, Append.next(lease), NewEvent.of("MailFailed"))
        .with(mail.change())
        .commit()
        .orThrow();

    fail(orders, execution(), lease, RetryPolicy.ofAttempts(9).withDelays(LATER, LATER), "no");

    assertThat(orders.retries().pending(10, Optional.empty()).items()).hasSize(2);
    assertThat(orders.executions().head(id).orElseThrow().dueAt()).isEqualTo(mail.nextAttemptAt());
  }

  @Test
  void aRetryThatSucceededIsOverAndLeavesWhatUndoesIt() {
    Lease first = begun();
    fail(orders, execution(), first, AT_ONCE, "declined");
    Lease lease = acquired();
    orders
        .unitOfWork()
        .append(id, Append.next(lease), NewEvent.of("ChargeBegun"))
        .with(orders.activities().start(charge(), "worker-1"))
        .commit()
        .orThrow();

    succeed(orders, id, lease, Payload.text("receipt 7"));

    assertThat(orders.retries().find(id, "charge").orElseThrow().status())
        .isEqualTo(RetryStatus.SUCCEEDED);
    assertThat(orders.retries().nextDue(id)).isEmpty();
    assertThat(orders.compensations().next(id).orElseThrow().action()).isEqualTo("refund");
  }

  @Test
  void aRollbackUndoesAllAndEnds() {
    Lease lease = charged();
    rollBack(orders, execution(), lease, entry -> true);

    assertThat(execution().status()).isEqualTo(COMPENSATED);
    assertThat(orders.compensations().find(id, 1).orElseThrow().status())
        .isEqualTo(CompensationStatus.COMPENSATED);
  }

  @Test
  void aRollbackThatFailsIsDueAgain() {
    Lease lease = charged();
    rollBack(orders, execution(), lease, entry -> false);

    CompensationRecord entry = orders.compensations().next(id).orElseThrow();
    assertThat(entry.status()).isEqualTo(CompensationStatus.FAILED);
    assertThat(entry.nextAttemptAt()).isPresent();
    assertThat(orders.executions().head(id).orElseThrow().dueAt()).isEqualTo(entry.nextAttemptAt());
  }

  @Test
  void aDefinitionKeepsThePoliciesItHad() {
    WorkflowDefinition order = define(persistence, Payload.text("steps"));

    assertThat(order.policies())
        .containsExactly("execution.workflow-id-reuse=allow", "retention.keep-latest=5");
  }

  @Test
  void theOtherRecordsAreThereForWhoMaySeeThem() {
    Found found = others(persistence, id, acquired(), Payload.text("key"));

    assertThat(found.records().items()).hasSize(1);
    assertThat(found.opened()).isEqualTo(Payload.text("key"));
    assertThat(found.samples().items()).hasSize(1);
  }

  @Test
  void isWhatThePageShows() throws Exception {
    assertThat(PageCode.shown("docs/records.md"))
        .isNotEmpty()
        .isEqualTo(PageCode.marked(RecordsPageTest.class));
  }
}
