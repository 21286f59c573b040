/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating executions. */
public abstract class CreationContract extends RepositoryContract {
  protected CreationContract(TestStore.Factory stores) {
    super(stores);
  }

  /** What a killed process throws, so to say: nothing catches it. */
  private static final class ProcessDied extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static NewExecution given(UUID id) {
    return NewExecution.of(ORDER)
        .withId(id)
        .withWorkflowId("order-" + id)
        .withSearchAttribute("customer", "c-17")
        .withInput(Payload.json("{\"total\":17}"));
  }

  @Test
  void writesRecordHeadAndFirstEventTogether() {
    UUID id = UUID.randomUUID();
    Instant before = Instant.now().minusSeconds(1);

    Committed created = committed(repositories().executions().create(given(id)));

    WorkflowExecution execution = only(created, WorkflowExecution.class);
    assertThat(execution).isEqualTo(execution(id));
    assertThat(execution.status()).isEqualTo(ExecutionStatus.CREATED);
    assertThat(execution.workflowId()).isEqualTo("order-" + id);
    assertThat(execution.definition()).isEqualTo(ORDER);
    assertThat(execution.searchAttributes()).containsExactly("customer=c-17");
    assertThat(execution.header().version()).isEqualTo(1);
    assertThat(execution.header().tenantId()).isEqualTo(tenant());
    assertThat(execution.header().updatedBy()).isEqualTo("contract");
    assertThat(execution.header().createdAt()).isAfter(before);
    assertThat(repositories().executions().input(execution))
        .contains(Payload.json("{\"total\":17}"));
    assertThat(only(created, ExecutionHead.class)).isEqualTo(head(id));
    assertThat(head(id).lastSequence()).isEqualTo(1);
    assertThat(head(id).header().createdAt()).isAfter(before);
    assertThat(head(id).dueAt()).isPresent();
    assertThat(history(id)).isEqualTo(created.records(WorkflowEvent.class));
    assertThat(history(id).get(0).header().createdAt()).isAfter(before);
    assertThat(history(id).get(0).commitId()).isEqualTo(created.commitId());
  }

  @Test
  void givesAnIdAndANameWhereTheCallerHasNone() {
    WorkflowExecution first = newExecution();
    WorkflowExecution second = newExecution();

    assertThat(first.id()).isNotEqualTo(second.id());
    assertThat(first.id().version()).isEqualTo(7);
    assertThat(first.workflowId()).isEqualTo(first.id().toString());
  }

  @Test
  @DisplayName("C042: the same id and the same input answer the stored execution")
  void sameIdAndInputAnswerTheStoredOne() {
    UUID id = UUID.randomUUID();
    Committed first = committed(repositories().executions().create(given(id)));

    Committed second = committed(newNode().as(tenant()).executions().create(given(id)));

    assertThat(only(second, WorkflowExecution.class))
        .isEqualTo(only(first, WorkflowExecution.class));
    assertThat(second.commitId()).isEqualTo(first.commitId());
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated");
  }

  @Test
  @DisplayName("C042: repeated late, it answers the execution as it is now")
  void repeatedAfterTheEndItAnswersTheFinishedOne() {
    UUID id = UUID.randomUUID();
    committed(repositories().executions().create(given(id)));
    move(id, ExecutionStatus.CANCELLED, Append.signal("cancel"));

    Committed again = committed(repositories().executions().create(given(id)));

    assertThat(only(again, WorkflowExecution.class).status()).isEqualTo(ExecutionStatus.CANCELLED);
    assertThat(execution(id).status()).isEqualTo(ExecutionStatus.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"input", "no input", "content type", "definition", "name", "parent", "search"})
  @DisplayName("C042: the same id with anything else is a conflict")
  void sameIdWithAnythingElseIsAConflict(String difference) {
    UUID id = UUID.randomUUID();
    committed(repositories().executions().create(given(id)));
    NewExecution same = given(id);
    NewExecution other =
        switch (difference) {
          case "input" -> same.withInput(Payload.json("{\"total\":18}"));
          case "no input" ->
              NewExecution.of(ORDER)
                  .withId(id)
                  .withWorkflowId("order-" + id)
                  .withSearchAttribute("customer", "c-17");
          case "content type" -> same.withInput(Payload.text("{\"total\":17}"));
          case "definition" ->
              new NewExecution(
                  DefinitionRef.of("order", 2),
                  same.id(),
                  same.workflowId(),
                  same.parentId(),
                  same.searchAttributes(),
                  same.input());
          case "name" -> same.withWorkflowId("another");
          case "parent" -> same.withParent(UUID.randomUUID());
          default -> same.withSearchAttribute("customer", "c-18");
        };

    CommitResult result = repositories().executions().create(other);

    conflict(result, Reason.ALREADY_EXISTS);
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated");
    assertThat(repositories().executions().input(execution(id)))
        .contains(Payload.json("{\"total\":17}"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @DisplayName("C042: whatever fails, creating again gives the one execution")
  void creationSurvivesEveryFault(Fault fault) {
    UUID id = UUID.randomUUID();
    node().faults().failNext(fault);

    Duration deadline = fault == Fault.TIMEOUT_AFTER ? Duration.ofMillis(400) : SOON;
    CommitResult first = null;
    try {
      first = repositories().unitOfWork().create(given(id)).within(deadline).commit();
    } catch (io.wovyr.persistence.PersistenceException.StorageFailure e) {
      assertThat(fault).isEqualTo(Fault.TIMEOUT_AFTER);
    }
    while (node().faults().land()) {
      // A try that was in flight arrives late.
    }

    if (first != null) {
      committed(first);
    }
    Committed again = committed(newNode().as(tenant()).executions().create(given(id)));
    assertThat(only(again, WorkflowExecution.class)).isEqualTo(execution(id));
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated");
    assertThat(execution(id).header().createdAt()).isAfter(Instant.EPOCH);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("C042: a process killed before or after its write leaves all or nothing")
  void aKilledProcessLeavesAllOrNothing(boolean written) {
    UUID parent = newExecution().id();
    UUID id = UUID.randomUUID();
    NewExecution child = given(id).withParent(parent);
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (written) {
                store.commit(batches, deadline);
              }
              throw new ProcessDied();
            });
    assertThatThrownBy(() -> repositories().executions().create(child))
        .isInstanceOf(ProcessDied.class);
    node().probe().aroundCommit(Storage::commit);

    assertThat(repositories().executions().find(id).isPresent()).isEqualTo(written);
    assertThat(repositories().executions().head(id).isPresent()).isEqualTo(written);
    assertThat(repositories().events().find(id, 1).isPresent()).isEqualTo(written);
    committed(newNode().as(tenant()).executions().create(child));
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated");
    assertThat(execution(id).parentId()).contains(parent);
  }

  @Test
  @DisplayName("C042: created by many at once, it is created once and all of them succeed")
  void createdByManyAtOnceItIsCreatedOnce() {
    UUID id = UUID.randomUUID();
    List<Repositories> processes =
        List.of(repositories(), newNode().as(tenant()), newNode().as(tenant()));

    List<CommitResult> results =
        Together.run(16, i -> processes.get(i % 3).executions().create(given(id)));

    assertThat(results).allMatch(CommitResult::isCommitted);
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated");
  }

  @Test
  void oneOfManyDifferentInputsWins() {
    UUID id = UUID.randomUUID();

    List<CommitResult> results =
        Together.run(
            16,
            i ->
                repositories()
                    .executions()
                    .create(given(id).withInput(Payload.text("input " + i))));

    assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
    results.stream()
        .filter(result -> !result.isCommitted())
        .forEach(result -> conflict(result, Reason.ALREADY_EXISTS));
    int winner =
        results.indexOf(results.stream().filter(CommitResult::isCommitted).findFirst().get());
    assertThat(repositories().executions().input(execution(id)))
        .contains(Payload.text("input " + winner));
  }

  @Test
  void aNameIsTakenWhileItsExecutionLives() {
    NewExecution named = NewExecution.of(ORDER).withWorkflowId("order-17");
    WorkflowExecution first =
        only(committed(repositories().executions().create(named)), WorkflowExecution.class);
    assertThat(repositories().executions().findLive("order-17")).contains(first);

    conflict(repositories().executions().create(named), Reason.UNIQUE_KEY_TAKEN);
    move(first.id(), ExecutionStatus.PAUSED, Append.signal("pause"));
    conflict(repositories().executions().create(named), Reason.UNIQUE_KEY_TAKEN);

    move(first.id(), ExecutionStatus.CANCELLED, Append.signal("cancel"));
    assertThat(repositories().executions().findLive("order-17")).isEmpty();
    WorkflowExecution second =
        only(committed(repositories().executions().create(named)), WorkflowExecution.class);
    assertThat(repositories().executions().findLive("order-17")).contains(second);
    assertThat(execution(first.id()).workflowId()).isEqualTo("order-17");
  }

  @Test
  void ofManyWithOneNameOneLives() {
    NewExecution named = NewExecution.of(ORDER).withWorkflowId("order-18");

    List<CommitResult> results = Together.run(16, i -> repositories().executions().create(named));

    assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
    results.stream()
        .filter(result -> !result.isCommitted())
        .forEach(result -> conflict(result, Reason.UNIQUE_KEY_TAKEN));
    assertThat(
            repositories()
                .executions()
                .list(java.util.Optional.empty(), 100, java.util.Optional.empty())
                .items()
                .size())
        .isLessThanOrEqualTo(1);
  }
}
