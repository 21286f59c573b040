/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events from outside, without a lease. */
public abstract class SignalsContract extends RepositoryContract {
  protected SignalsContract(TestStore.Factory stores) {
    super(stores);
  }

  private CommitResult signal(UUID id, String key, NewEvent... events) {
    return repositories().events().append(id, Append.signal(key), List.of(events));
  }

  @Test
  void theSameKeyAndContentSucceedsAgainAndChangesNothing() {
    UUID id = newExecution().id();
    NewEvent paid = put("paid", "17").withPayload(Payload.text("by card"));
    Committed first = committed(signal(id, "payment-1", paid));
    ExecutionHead head = head(id);

    Committed again =
        committed(newNode().as(tenant()).events().append(id, Append.signal("payment-1"), paid));

    assertThat(again.commitId()).isEqualTo(first.commitId());
    assertThat(again.records(WorkflowEvent.class)).isEqualTo(first.records(WorkflowEvent.class));
    assertThat(head(id)).isEqualTo(head);
    WorkflowEvent event = history(id).get(1);
    assertThat(event.dedupeKey()).contains("payment-1");
    assertThat(event.fencingToken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"type", "payload", "value", "less", "more"})
  void theSameKeyWithOtherContentIsAConflict(String difference) {
    UUID id = newExecution().id();
    NewEvent paid = put("paid", "17").withPayload(Payload.text("by card"));
    NewEvent noted = event("Noted");
    committed(signal(id, "payment-1", paid, noted));

    CommitResult other =
        switch (difference) {
          case "type" -> signal(id, "payment-1", event("Paid"), noted);
          case "payload" -> signal(id, "payment-1", paid.withPayload(Payload.text("cash")), noted);
          case "value" ->
              signal(
                  id, "payment-1", put("paid", "18").withPayload(Payload.text("by card")), noted);
          case "less" -> signal(id, "payment-1", paid);
          default -> signal(id, "payment-1", paid, noted, noted);
        };

    conflict(other, Reason.UNIQUE_KEY_TAKEN);
    assertThat(history(id)).hasSize(3);
  }

  @Test
  void sentAgainWithTheChangeMadeThenItSucceedsAndWithOneMadeAnewItIsAConflict() {
    UUID id = newExecution().id();
    NewAuditRecord refunded = NewAuditRecord.done("refund", "order", id.toString());
    Repositories auditor =
        node().persistence().as(Caller.of(tenant(), "auditor", Role.AUDITOR, Role.OPERATOR));
    Change made = auditor.audit().record(refunded);
    Committed first = committed(refund(id, made));

    assertThat(committed(refund(id, made)).commitId()).isEqualTo(first.commitId());
    Conflict anew = conflict(refund(id, auditor.audit().record(refunded)), Reason.UNIQUE_KEY_TAKEN);

    assertThat(anew.failures().get(0).message()).contains("the one that was made then");
    assertThat(auditor.audit().about("order", id.toString(), 10, Optional.empty()).items())
        .hasSize(1);
    assertThat(history(id)).hasSize(2);
  }

  private CommitResult refund(UUID id, Change beside) {
    return repositories()
        .unitOfWork()
        .append(id, Append.signal("refund"), event("Refund"))
        .with(beside)
        .commit();
  }

  @Test
  void aKeyIsTakenInItsExecutionOnly() {
    UUID first = newExecution().id();
    UUID second = newExecution().id();

    committed(signal(first, "payment-1", event("Paid")));
    committed(signal(second, "payment-1", event("Refunded")));
    committed(signal(first, "payment-2", event("Paid")));

    assertThat(history(first)).hasSize(3);
    assertThat(history(second)).hasSize(2);
  }

  @Test
  void sentByManyAtOnceItIsWrittenOnceAndAllSucceed() {
    UUID id = newExecution().id();
    List<Repositories> processes = List.of(repositories(), newNode().as(tenant()));

    List<CommitResult> results =
        Together.run(
            20,
            i ->
                processes
                    .get(i % 2)
                    .events()
                    .append(id, Append.signal("payment-1"), put("paid", "17")));

    assertThat(results).allMatch(CommitResult::isCommitted);
    assertThat(results.stream().map(result -> committed(result).commitId()).distinct()).hasSize(1);
    assertThat(history(id)).hasSize(2);
  }

  @Test
  void toAnOwnedExecutionItNeverRenewsTheLease() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    ExecutionHead before = head(id);

    committed(signal(id, "s", event("Hello")));

    ExecutionHead after = head(id);
    assertThat(after.lastSequence()).isEqualTo(before.lastSequence() + 1);
    assertThat(after.owner()).isEqualTo(before.owner());
    assertThat(after.leaseId()).isEqualTo(before.leaseId());
    assertThat(after.fencingToken()).isEqualTo(before.fencingToken());
    assertThat(after.leaseExpiresAt()).isEqualTo(before.leaseExpiresAt());
    assertThat(after.renewals()).isEqualTo(before.renewals());
    assertThat(after.dueAt()).isEqualTo(before.dueAt());
    assertThat(lease.isHeld()).isTrue();
    conflict(
        repositories()
            .events()
            .append(id, Append.after(lease, before.lastSequence()), event("Next")),
        Reason.WRONG_SEQUENCE);
    committed(
        repositories()
            .events()
            .append(id, Append.after(lease, after.lastSequence()), event("Next")));
  }

  @Test
  void toAnUnownedExecutionItIsDueAtOnce() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();
    assertThat(head(id).dueAt()).isEmpty();

    committed(signal(id, "s", event("Hello")));

    assertThat(head(id).dueAt()).isPresent();
    assertThat(head(id).dueAt().get()).isBeforeOrEqualTo(time().now());
  }

  /** Otherwise it would sleep for ever: the release comes after it and asks for the next one. */
  @ParameterizedTest
  @ValueSource(strings = {"release", "release after a heartbeat", "step and release", "later"})
  void oneTheOwnerMayNotHaveSeenIsNotSleptThrough(String how) {
    UUID id = newExecution().id();
    Lease lease = running(id);
    committed(newNode().as(tenant()).events().append(id, Append.signal("s"), event("Hello")));

    switch (how) {
      case "release after a heartbeat" -> {
        assertThat(repositories().leases().heartbeat(lease)).isTrue();
        assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();
      }
      case "step and release" ->
          committed(
              repositories()
                  .unitOfWork()
                  .append(id, Append.next(lease), event("Step"))
                  .release(lease, Wake.onSignal())
                  .commit());
      case "later" -> {
        Wake later = Wake.at(time().now().plusSeconds(300));
        assertThat(repositories().leases().release(lease, later)).isTrue();
      }
      default -> assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();
    }

    assertThat(head(id).dueAt()).isPresent();
    assertThat(head(id).dueAt().get()).isBeforeOrEqualTo(time().now());
  }

  @Test
  void oneTheOwnerTookIntoItsStepWakesNobodyAfterwards() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    committed(signal(id, "s", event("Hello")));
    long last = head(id).lastSequence();
    committed(repositories().events().append(id, Append.after(lease, last), event("Step")));

    assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();

    assertThat(head(id).dueAt()).isEmpty();
  }

  @Test
  void toAPausedExecutionItIsKeptAndNobodyIsWoken() {
    UUID id = newExecution().id();
    move(id, ExecutionStatus.PAUSED, Append.signal("pause"));

    committed(signal(id, "s", event("Hello")));

    assertThat(head(id).dueAt()).isEmpty();
    assertThat(types(id)).endsWith("Hello");
    move(id, ExecutionStatus.CREATED, Append.signal("resume"));
    assertThat(head(id).dueAt()).isPresent();
  }

  @Test
  void toAFinishedExecutionItIsRefusedUnlessItWasThereBefore() {
    UUID id = newExecution().id();
    committed(signal(id, "early", event("Hello")));
    move(id, ExecutionStatus.CANCELLED, Append.signal("cancel"));

    conflict(signal(id, "late", event("Hello")), Reason.CLOSED);
    committed(signal(id, "early", event("Hello")));
    conflict(signal(id, "early", event("Other")), Reason.CLOSED);

    assertThat(history(id)).hasSize(3);
  }

  @Test
  void aTransitionFromOutsideIsDedupedToo() {
    UUID id = newExecution().id();
    var created = execution(id);
    var pause = io.wovyr.persistence.execution.Transition.to(ExecutionStatus.PAUSED);

    Committed first =
        committed(repositories().executions().transition(created, pause, Append.signal("p-1")));
    Committed again =
        committed(repositories().executions().transition(created, pause, Append.signal("p-1")));

    assertThat(again.commitId()).isEqualTo(first.commitId());
    assertThat(history(id)).hasSize(2);
    assertThat(execution(id).header().version()).isEqualTo(2);
  }

  @Test
  void signalsAndTheOwnersStepsDoNotLoseEachOther() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories outside = newNode().as(tenant());

    Together.run(
        8,
        i -> {
          for (int round = 0; round < 10; round++) {
            Append mode = i < 4 ? Append.next(lease) : Append.signal("s" + i + "-" + round);
            Repositories through = i < 4 ? repositories() : outside;
            committed(through.events().append(id, mode, event("E")));
          }
          return Optional.empty();
        });

    assertThat(history(id)).hasSize(82);
    assertThat(lease.isHeld()).isTrue();
  }
}
