/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several changes in one commit. */
public abstract class UnitOfWorkContract extends RepositoryContract {
  protected UnitOfWorkContract(TestStore.Factory stores) {
    super(stores);
  }

  private UnitOfWork unit() {
    return repositories().unitOfWork();
  }

  @Test
  @DisplayName("C042: a parent's event and its child are written at one instant")
  void parentAndChildAreOneCommit() {
    UUID parent = newExecution().id();
    Lease lease = running(parent);
    UUID child = UUID.randomUUID();

    Committed done =
        committed(
            unit()
                .append(parent, Append.next(lease), event("ChildStarted"))
                .create(NewExecution.of(ORDER).withId(child).withParent(parent))
                .commit());

    assertThat(types(parent)).endsWith("ChildStarted");
    assertThat(types(child)).containsExactly("wovyr.ExecutionCreated");
    assertThat(execution(child).parentId()).contains(parent);
    assertThat(done.records(ExecutionHead.class)).contains(head(parent), head(child));
    assertThat(history(child).get(0).commitId()).isEqualTo(done.commitId());
    assertThat(lease.head()).isEqualTo(head(parent));
  }

  @Test
  void whenOnePartConflictsNothingIsWritten() {
    UUID parent = newExecution().id();
    Lease lease = running(parent);
    UUID taken = newExecution().id();
    UUID other = newExecution().id();
    ExecutionHead before = head(other);

    conflict(
        unit()
            .append(parent, Append.next(lease), event("ChildStarted"))
            .append(other, Append.signal("hello"), event("Hello"))
            .create(NewExecution.of(ORDER).withId(taken).withInput(Payload.text("other")))
            .commit(),
        Reason.ALREADY_EXISTS);

    assertThat(types(parent)).doesNotContain("ChildStarted");
    assertThat(head(other)).isEqualTo(before);
    assertThat(lease.isHeld()).isTrue();
    committed(repositories().events().append(parent, Append.next(lease), event("Goes on")));
  }

  @Test
  void severalExecutionsUnderTheirLeasesAreOneCommit() {
    UUID first = newExecution().id();
    UUID second = newExecution().id();
    Lease leaseOfFirst = running(first);
    Lease leaseOfSecond = running(second);

    List<CommitResult> results =
        Together.run(
            8,
            i -> {
              UUID one = i % 2 == 0 ? first : second;
              UUID two = i % 2 == 0 ? second : first;
              Lease leaseOfOne = i % 2 == 0 ? leaseOfFirst : leaseOfSecond;
              Lease leaseOfTwo = i % 2 == 0 ? leaseOfSecond : leaseOfFirst;
              return repositories()
                  .unitOfWork()
                  .append(one, Append.next(leaseOfOne), event("E" + i))
                  .append(two, Append.next(leaseOfTwo), event("E" + i))
                  .commit();
            });

    assertThat(results).allMatch(CommitResult::isCommitted);
    assertThat(history(first)).hasSize(10);
    assertThat(history(second)).hasSize(10);
  }

  @Test
  void aLostLeaseOfOneExecutionStopsTheWholeUnit() {
    UUID mine = newExecution().id();
    UUID overtaken = newExecution().id();
    Lease good = running(mine);
    Lease old = acquire(overtaken);
    pass(TTL.plusSeconds(1));
    Lease fresh = takeOver(newNode().as(tenant()), overtaken, "worker-2");
    assertThat(fresh.token()).isGreaterThan(old.token());
    Lease again = takeOver(repositories(), mine, "worker-1");
    assertThat(good.isHeld()).isFalse();
    long events = head(overtaken).lastSequence();

    CommitResult result =
        unit()
            .append(mine, Append.next(again), event("Mine"))
            .append(overtaken, Append.next(old), event("Late"))
            .commit();

    assertThat(result.isCommitted()).isFalse();
    assertThat(types(mine)).doesNotContain("Mine");
    assertThat(head(overtaken).lastSequence()).isEqualTo(events);
  }

  @Test
  @DisplayName("C042: a whole unit repeated after a crash is recognised")
  void aRepeatedUnitIsRecognised() {
    UUID parent = newExecution().id();
    UUID child = UUID.randomUUID();
    UUID eventId = UUID.randomUUID();
    Lease lease = acquire(parent);
    Committed first = committed(startChild(repositories(), parent, child, eventId, lease));
    Node other = newNode();
    Lease second = takeOver(other.as(tenant()), parent, "worker-2");

    Committed again = committed(startChild(other.as(tenant()), parent, child, eventId, second));

    assertThat(again.commitId()).isEqualTo(first.commitId());
    assertThat(history(parent)).hasSize(2);
    assertThat(history(child)).hasSize(1);
    conflict(
        startChild(other.as(tenant()), parent, UUID.randomUUID(), eventId, second),
        Reason.WRONG_SEQUENCE);
  }

  @Test
  void theLeaseThatARepeatedUnitFreesIsFreedWithinTheDeadlineOfItsCaller() {
    UUID id = newExecution().id();
    UUID eventId = UUID.randomUUID();
    Lease lease = acquire(id);
    committed(endOfShift(repositories().unitOfWork(), lease, eventId).commit());
    Node other = newNode();
    Lease second = acquire(other.as(tenant()), id, "worker-2");
    List<Duration> left = new ArrayList<>();
    other
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              left.add(deadline.remaining());
              return store.commit(batches, deadline);
            });

    committed(
        endOfShift(other.as(tenant()).unitOfWork(), second, eventId)
            .within(Duration.ofSeconds(3))
            .commit());

    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated", "EndOfShift");
    assertThat(head(id).owner()).isEmpty();
    assertThat(left).isNotEmpty().allMatch(rest -> rest.compareTo(Duration.ofSeconds(3)) <= 0);
  }

  private static UnitOfWork endOfShift(UnitOfWork unit, Lease lease, UUID eventId) {
    return unit.append(
            lease.executionId(), Append.after(lease, 1), event("EndOfShift").withId(eventId))
        .release(lease, Wake.now());
  }

  private static CommitResult startChild(
      Repositories through, UUID parent, UUID child, UUID eventId, Lease lease) {
    return through
        .unitOfWork()
        .append(parent, Append.after(lease, 1), event("ChildStarted").withId(eventId))
        .create(NewExecution.of(ORDER).withId(child).withParent(parent))
        .commit();
  }

  @Test
  void aCheckedRecordMustNotHaveChanged() {
    WorkflowExecution parent = newExecution();
    UUID child = newExecution().id();
    committed(unit().append(child, Append.signal("a"), event("A")).check(parent).commit());
    move(parent.id(), ExecutionStatus.PAUSED, Append.signal("pause"));

    conflict(
        unit().append(child, Append.signal("b"), event("B")).check(parent).commit(),
        Reason.STALE_VERSION);

    assertThat(types(child)).containsExactly("wovyr.ExecutionCreated", "A");
    committed(
        unit()
            .append(child, Append.signal("b"), event("B"))
            .check(execution(parent.id()))
            .commit());
  }

  @Test
  void aRecordMayBeCheckedAndMovedAtTheSameVersion() {
    WorkflowExecution execution = newExecution();

    committed(
        unit()
            .check(execution)
            .transition(execution, Transition.to(ExecutionStatus.RUNNING), Append.signal("run"))
            .commit());

    assertThatThrownBy(
            () ->
                unit()
                    .check(execution)
                    .transition(
                        execution(execution.id()),
                        Transition.to(ExecutionStatus.WAITING),
                        Append.signal("wait"))
                    .commit())
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void itSeesWhatItStaged() {
    WorkflowExecution execution = newExecution();
    UUID created = UUID.randomUUID();
    RegisteredCursor cursor = RegisteredCursor.of("reader", new FeedCursor(1, "17"));
    UnitOfWork unit =
        unit()
            .create(NewExecution.of(ORDER).withId(created))
            .transition(execution, Transition.to(ExecutionStatus.RUNNING), Append.signal("run"))
            .insert(cursor);

    assertThat(unit.find(WorkflowExecution.class, created)).isPresent();
    assertThat(unit.find(WorkflowExecution.class, execution.id()).map(WorkflowExecution::status))
        .contains(ExecutionStatus.RUNNING);
    assertThat(unit.find(RegisteredCursor.class, "reader").map(RegisteredCursor::position))
        .contains("17");
    assertThat(repositories().executions().find(created)).isEmpty();
    assertThat(execution(execution.id()).status()).isEqualTo(ExecutionStatus.CREATED);
    assertThat(repositories().feed().cursors().find("reader")).isEmpty();
    committed(unit.commit());
    assertThat(repositories().feed().cursors().find("reader")).isPresent();
  }

  @Test
  void plainChangesOfOneRecordBecomeOne() {
    var cursors = repositories().feed().cursors();
    RegisteredCursor at1 = RegisteredCursor.of("reader", new FeedCursor(1, "1"));
    UnitOfWork coming = unit().insert(at1);
    RegisteredCursor staged = coming.find(RegisteredCursor.class, "reader").orElseThrow();
    committed(coming.delete(staged).insert(at1).commit());
    RegisteredCursor stored = cursors.find("reader").orElseThrow();
    assertThat(stored.header().version()).isEqualTo(1);

    RegisteredCursor at2 = stored.movedTo(new FeedCursor(1, "2"));
    committed(unit().update(stored, at2).update(at2, at2.movedTo(new FeedCursor(1, "3"))).commit());
    RegisteredCursor moved = cursors.find("reader").orElseThrow();
    assertThat(moved.position()).isEqualTo("3");
    assertThat(moved.header().version()).isEqualTo(2);

    committed(unit().delete(moved).insert(at1).commit());
    RegisteredCursor reborn = cursors.find("reader").orElseThrow();
    assertThat(reborn.position()).isEqualTo("1");
    assertThat(reborn.header().version()).isEqualTo(3);
  }

  @Test
  void aLeaseIsFreedInTheSameCommitInEitherOrder() {
    for (boolean releaseFirst : new boolean[] {true, false}) {
      UUID id = newExecution().id();
      Lease lease = running(id);
      long last = head(id).lastSequence();
      UnitOfWork unit = unit();
      if (releaseFirst) {
        unit.release(lease, Wake.onSignal());
      }
      unit.append(id, Append.after(lease, last), event("Waits"));
      if (!releaseFirst) {
        unit.release(lease, Wake.onSignal());
      }

      committed(unit.commit());

      assertThat(head(id).owner()).isEmpty();
      assertThat(head(id).dueAt()).isEmpty();
      assertThat(head(id).lastSequence()).isEqualTo(last + 1);
      assertThat(lease.isHeld()).isFalse();
      assertThat(repositories().leases().heartbeat(lease)).isFalse();
    }
  }

  @Test
  void aLeaseAloneCanBeFreedByAUnit() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);

    committed(unit().release(lease, Wake.now()).commit());

    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).lastSequence()).isEqualTo(1);
    conflict(unit().release(lease, Wake.now()).commit(), Reason.LEASE_LOST);
  }

  @Test
  void misuseIsRefusedAndStagesNothing() {
    UUID id = newExecution().id();
    UUID other = newExecution().id();
    Lease lease = acquire(id);
    WorkflowExecution created = execution(id);
    UnitOfWork unit = unit().append(id, Append.next(lease), event("A"));

    assertThatThrownBy(() -> unit.append(id, Append.signal("x"), event("B")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.append(id, Append.next(lease), List.of()))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.append(other, Append.next(lease), event("B")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.create(NewExecution.of(ORDER).withId(id)))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(
            () ->
                unit.transition(
                    execution(other), Transition.to(ExecutionStatus.WAITING), Append.signal("w")))
        .isInstanceOf(IllegalTransition.class);
    assertThatThrownBy(() -> unit.insert(created)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.update(created, created)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.delete(created)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(
            () -> unit.append(id, Append.next(lease), NewEvent.of("wovyr.ExecutionCreated")))
        .isInstanceOf(InvalidInput.class);

    committed(unit.commit());
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated", "A");
    assertThat(types(other)).hasSize(1);
    assertThatThrownBy(unit::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> unit().commit()).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit().check(created).commit()).isInstanceOf(InvalidInput.class);
  }

  @Test
  void nothingIsStagedInAUnitOfWorkThatWasCommitted() {
    WorkflowExecution created = newExecution();
    UUID id = created.id();
    Lease lease = running(id);
    UnitOfWork committed = unit().append(id, Append.next(lease), event("A"));
    committed(committed.commit());
    UnitOfWork failed = unit();
    assertThatThrownBy(failed::commit).isInstanceOf(InvalidInput.class);
    RegisteredCursor cursor = RegisteredCursor.of("cursor", new FeedCursor(1, "1"));
    Change change = repositories().activities().schedule(id, NewActivity.of("late", "t"));
    Change audited = repositories().audit().record(NewAuditRecord.done("late", "execution", "1"));
    WorkflowExecution before = execution(id);
    for (UnitOfWork unit : List.of(committed, failed)) {
      List<ThrowingCallable> late =
          List.of(
              () -> unit.create(NewExecution.of(ORDER)),
              () -> unit.append(id, Append.next(lease), event("Late")),
              () ->
                  unit.transition(
                      before, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)),
              () -> unit.release(lease, Wake.now()),
              () -> unit.renew(lease),
              () -> unit.insert(cursor),
              () -> unit.update(cursor, cursor),
              () -> unit.delete(cursor),
              () -> unit.with(change),
              () -> unit.with(audited),
              () -> unit.check(before),
              () -> unit.beforeSend(reference -> {}),
              () -> unit.within(Duration.ofSeconds(1)),
              unit::commit);
      for (int i = 0; i < late.size(); i++) {
        assertThatThrownBy(late.get(i))
            .as("call %s", i)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("make a new one");
      }
      assertThat(unit.find(WorkflowExecution.class, id)).isPresent();
    }
    assertThat(lease.isHeld()).isTrue();
    assertThat(types(id)).endsWith("A");
  }

  @Test
  void everyNewTryIsAnnouncedBeforeItIsSent() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    List<CommitReference> announced = new ArrayList<>();
    int before = node().probe().sent().size();
    Repositories outside = newNode().as(tenant());

    committed(
        unit()
            .append(id, Append.next(lease), event("A"))
            .beforeSend(
                reference -> {
                  assertThat(node().probe().sent()).hasSize(before + announced.size());
                  announced.add(reference);
                  if (announced.size() == 1) {
                    committed(outside.events().append(id, Append.signal("meanwhile"), event("M")));
                  }
                })
            .commit());

    assertThat(announced).hasSize(2).doesNotHaveDuplicates();
    assertThat(types(id)).containsExactly("wovyr.ExecutionCreated", "M", "A");
    assertThat(repositories().outcome(announced.get(0)))
        .isEqualTo(io.wovyr.persistence.Resolution.NEVER_APPLIED);
    assertThat(repositories().outcome(announced.get(1)))
        .isEqualTo(io.wovyr.persistence.Resolution.APPLIED);
  }

  @Test
  void aHeartbeatAndASignalInBetweenAreSteppedOver() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories outside = newNode().as(tenant());
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(outside.events().append(id, Append.signal("s"), event("Signal"))));

    WorkflowEvent written =
        only(
            committed(repositories().events().append(id, Append.next(lease), event("Step"))),
            WorkflowEvent.class);

    assertThat(written.sequence()).isEqualTo(4);
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(outside.events().append(id, Append.signal("t"), event("Signal"))));
    assertThat(repositories().leases().heartbeat(lease)).isTrue();
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(outside.events().append(id, Append.signal("u"), event("Signal"))));
    assertThat(repositories().leases().release(lease, Wake.now())).isTrue();
    assertThat(types(id)).endsWith("Signal", "Step", "Signal", "Signal");
  }
}
