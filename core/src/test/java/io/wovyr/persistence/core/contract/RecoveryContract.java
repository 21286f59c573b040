/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.AcquireResult.Why;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work that goes from one worker to another, by a crash or by a race. */
public abstract class RecoveryContract extends RepositoryContract {
  protected RecoveryContract(TestStore.Factory stores) {
    super(stores);
  }

  @Test
  @DisplayName("C041: a node that gets its execution back goes on from the store, not from memory")
  void whoComesBackGoesOnFromTheStore() {
    UUID id = newExecution().id();
    Node nodeA = newNode();
    Node nodeB = newNode();
    Lease first = acquire(nodeA.as(tenant()), id, "a");
    append(nodeA, id, first, 99);
    WorkflowExecution seenByA = nodeA.as(tenant()).executions().find(id).orElseThrow();
    assertThat(nodeA.as(tenant()).leases().release(first, Wake.now())).isTrue();
    Lease second = acquire(nodeB.as(tenant()), id, "b");
    append(nodeB, id, second, 50);
    committed(
        nodeB
            .as(tenant())
            .executions()
            .transition(seenByA, Transition.to(ExecutionStatus.RUNNING), Append.next(second)));
    assertThat(nodeB.as(tenant()).leases().release(second, Wake.now())).isTrue();

    Lease third = acquire(nodeA.as(tenant()), id, "a");

    assertThat(third.head().lastSequence()).isEqualTo(151);
    assertThat(nodeA.as(tenant()).executions().find(id).orElseThrow().status())
        .isEqualTo(ExecutionStatus.RUNNING);
    assertThat(nodeA.as(tenant()).executions().state(id))
        .extracting(state -> state.hash())
        .isEqualTo(nodeB.as(tenant()).executions().state(id).hash());
    conflict(
        nodeA.as(tenant()).events().append(id, Append.after(third, 100), event("Old")),
        Reason.WRONG_SEQUENCE);
    committed(nodeA.as(tenant()).events().append(id, Append.after(third, 151), event("New")));
  }

  private void append(Node through, UUID id, Lease lease, int count) {
    for (int done = 0; done < count; ) {
      List<io.wovyr.persistence.event.NewEvent> some = new ArrayList<>();
      for (int i = 0; i < 10 && done < count; i++, done++) {
        some.add(put("k" + done, "v"));
      }
      committed(through.as(tenant()).events().append(id, Append.next(lease), some));
    }
  }

  @Test
  @DisplayName("C085: of two recoverers with the same list the second runs nothing")
  void aSecondRecovererRunsNothing() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UUID id = newExecution().id();
      acquire(id);
      ids.add(id);
    }
    Repositories first = newNode().as(tenant());
    Repositories second = newNode().as(tenant());
    // Without a store clock a first look begins the watch.
    ids.forEach(id -> first.leases().acquire(id, "first", TTL));
    ids.forEach(id -> second.leases().acquire(id, "second", TTL));
    pass(TTL.multipliedBy(2).plusSeconds(1));
    assertThat(due()).containsExactlyInAnyOrderElementsOf(ids);
    List<UUID> list = due();

    List<AcquireResult> ofFirst =
        list.stream().map(id -> first.leases().acquire(id, "first", TTL)).toList();
    List<AcquireResult> ofSecond =
        list.stream().map(id -> second.leases().acquire(id, "second", TTL)).toList();

    assertThat(ofFirst).hasSize(10).allMatch(AcquireResult.Acquired.class::isInstance);
    assertThat(ofSecond).hasSize(10).allMatch(AcquireResult.Held.class::isInstance);
    assertThat(ofFirst).allMatch(result -> ((AcquireResult.Acquired) result).lease().takenOver());
  }

  @Test
  @DisplayName("C085: of 16 recoverers racing for a dead worker's executions each goes to one")
  void racingRecoverersShareTheList() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UUID id = newExecution().id();
      acquire(id);
      ids.add(id);
    }
    List<Repositories> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(newNode().as(tenant()));
    }
    for (Repositories process : processes) {
      ids.forEach(id -> process.leases().acquire(id, "watch", TTL));
    }
    pass(TTL.plusSeconds(1));

    List<Integer> won =
        Together.run(
            16,
            i -> {
              int count = 0;
              for (UUID id : ids) {
                if (processes.get(i % 4).leases().acquire(id, "recoverer-" + i, TTL)
                    instanceof AcquireResult.Acquired) {
                  count++;
                }
              }
              return count;
            });

    assertThat(won.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
  }

  @Test
  @DisplayName("C086: whoever acquires after the end sees the end and cannot go back")
  void whatWasReadBeforeTheAcquisitionIsVoid() {
    UUID id = newExecution().id();
    move(id, ExecutionStatus.RUNNING, Append.signal("run"));
    WorkflowExecution early = execution(id);
    Repositories other = newNode().as(tenant());
    Lease lease = acquire(other, id, "worker-2");
    committed(
        other
            .executions()
            .transition(early, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)));

    assertThat(repositories().leases().acquire(id, "worker-1", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, Why.CLOSED));
    conflict(
        repositories()
            .executions()
            .transition(early, Transition.to(ExecutionStatus.WAITING), Append.signal("wait")),
        Reason.CLOSED);
    assertThat(execution(id).status()).isEqualTo(ExecutionStatus.COMPLETED);
  }

  @Test
  @DisplayName("C086: 30 threads over 200 executions never lead one back from its end")
  void noExecutionComesBackFromItsEnd() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ids.add(newExecution().id());
    }
    List<Node> processes = List.of(node(), newNode(), newNode());

    List<Integer> finished =
        Together.run(
            30,
            thread -> {
              Repositories mine = processes.get(thread % 3).as(tenant());
              Random random = new Random(thread);
              int done = 0;
              for (int i = 0; i < 40; i++) {
                UUID id = ids.get(random.nextInt(ids.size()));
                // Read before the acquisition on purpose: it must not be of any use.
                WorkflowExecution before = mine.executions().find(id).orElseThrow();
                if (!(mine.leases().acquire(id, "w" + thread, TTL)
                    instanceof AcquireResult.Acquired acquired)) {
                  continue;
                }
                WorkflowExecution record =
                    random.nextBoolean() ? before : mine.executions().find(id).orElseThrow();
                done += advance(mine, record, acquired.lease()) ? 1 : 0;
                mine.leases().release(acquired.lease(), Wake.now());
              }
              return done;
            });

    int ends = 0;
    for (UUID id : ids) {
      List<String> statuses =
          history(id).stream()
              .filter(event -> event.type().equals("wovyr.StatusChanged"))
              .map(event -> repositories().events().value(event, 0).orElseThrow().content().utf8())
              .toList();
      if (statuses.contains("COMPLETED")) {
        ends++;
        assertThat(statuses).containsExactly("RUNNING", "COMPLETED");
        assertThat(execution(id).status()).isEqualTo(ExecutionStatus.COMPLETED);
      }
    }
    assertThat(finished.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ends);
    assertThat(ends).isPositive();
  }

  /** One step on; true when it was the last. */
  private static boolean advance(Repositories mine, WorkflowExecution record, Lease lease) {
    ExecutionStatus to =
        record.status() == ExecutionStatus.CREATED
            ? ExecutionStatus.RUNNING
            : ExecutionStatus.COMPLETED;
    try {
      return mine.executions()
              .transition(record, Transition.to(to), Append.next(lease))
              .isCommitted()
          && to == ExecutionStatus.COMPLETED;
    } catch (io.wovyr.persistence.PersistenceException.IllegalTransition e) {
      return false;
    }
  }

  @Test
  @DisplayName("C104: of a completion and a timeout at the same moment one counts")
  void aCompletionAndATimeoutNeverBothCount() {
    Repositories sweeper = newNode().as(tenant());
    for (int round = 0; round < 30; round++) {
      UUID id = newExecution().id();
      Lease lease = running(id);
      WorkflowExecution before = execution(id);

      List<CommitResult> results =
          Together.run(
              2,
              i ->
                  i == 0
                      ? repositories()
                          .executions()
                          .transition(
                              before, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease))
                      : sweeper
                          .executions()
                          .transition(
                              before,
                              Transition.to(ExecutionStatus.WAITING),
                              Append.signal("timeout")));

      assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
      boolean completed = results.get(0).isCommitted();
      assertThat(execution(id).status())
          .isEqualTo(completed ? ExecutionStatus.COMPLETED : ExecutionStatus.WAITING);
      assertThat(history(id)).hasSize(3);
      if (!completed) {
        conflict(results.get(0), Reason.STALE_VERSION);
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }
}
