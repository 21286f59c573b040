/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Activities, retries and compensations belong to whoever holds the lease of their execution. */
public abstract class FencedChangesContract extends RepositoryContract {
  private static final RetryPolicy POLICY = RetryPolicy.ofAttempts(5);
  private static final Payload WHY = Payload.text("why");
  private static final int ROUNDS = 20;

  protected FencedChangesContract(TestStore.Factory stores) {
    super(stores);
  }

  /** How a unit of work is put under a lease. */
  private interface Way {
    UnitOfWork under(Lease lease, UnitOfWork unit);
  }

  private Map<String, Way> ways() {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put(
        "append",
        (lease, unit) -> unit.append(lease.executionId(), Append.next(lease), event("E")));
    ways.put(
        "append after the last",
        (lease, unit) ->
            unit.append(
                lease.executionId(),
                Append.after(lease, head(lease.executionId()).lastSequence()),
                event("E")));
    ways.put("renew", (lease, unit) -> unit.renew(lease));
    ways.put("release", (lease, unit) -> unit.release(lease, Wake.now()));
    return ways;
  }

  /** An execution at work: activities, a retry and a stack of compensations in all stages. */
  private Lease atWork() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    Activities activities = repositories().activities();
    Compensations compensations = repositories().compensations();
    step(
        lease,
        activities.schedule(id, NewActivity.of("scheduled", "t")),
        activities.begin(id, NewActivity.of("started", "t"), "worker-1"),
        activities.begin(id, NewActivity.of("failed", "t"), "worker-1"),
        repositories().retries().failed(id, "failed", POLICY, "E", WHY).change(),
        compensations.push(id, NewCompensation.of("a", "undo-a")),
        compensations.push(id, NewCompensation.of("b", "undo-b")));
    step(
        lease,
        activities.fail(activities.find(id, "failed").orElseThrow(), WHY),
        compensations.start(compensations.next(id).orElseThrow()));
    return lease;
  }

  private void step(Lease lease, Change... changes) {
    UnitOfWork unit = repositories().unitOfWork();
    unit.append(lease.executionId(), Append.next(lease), event("Step"));
    for (Change change : changes) {
      unit.with(change);
    }
    committed(unit.commit());
  }

  /** Every change of what belongs to an execution. */
  private static Map<String, Callable<Change>> changes(Repositories by, UUID id) {
    Activities activities = by.activities();
    Retries retries = by.retries();
    Compensations compensations = by.compensations();
    ActivityExecution scheduled = activities.find(id, "scheduled").orElseThrow();
    ActivityExecution started = activities.find(id, "started").orElseThrow();
    ActivityExecution failed = activities.find(id, "failed").orElseThrow();
    RetryRecord retry = retries.find(id, "failed").orElseThrow();
    CompensationRecord entry = compensations.next(id).orElseThrow();
    Map<String, Callable<Change>> changes = new LinkedHashMap<>();
    changes.put("schedule", () -> activities.schedule(id, NewActivity.of("new", "t")));
    changes.put("begin", () -> activities.begin(id, NewActivity.of("new", "t"), "w"));
    changes.put("start", () -> activities.start(scheduled, "w"));
    changes.put("take over", () -> activities.takeOver(started, "w"));
    changes.put("heartbeat", () -> activities.heartbeat(started, Optional.of(WHY)));
    changes.put("complete", () -> activities.complete(started, Optional.of(WHY)));
    changes.put("fail", () -> activities.fail(started, WHY));
    changes.put("fail and reschedule", () -> activities.failAndReschedule(started, WHY));
    changes.put("time out", () -> activities.timeOut(started, WHY));
    changes.put("cancel", () -> activities.cancel(started));
    changes.put("reschedule", () -> activities.reschedule(failed));
    changes.put("first failure", () -> retries.failed(id, "new", POLICY, "E", WHY).change());
    changes.put("next failure", () -> retries.failed(id, "failed", POLICY, "E", WHY).change());
    changes.put("retry succeeded", () -> retries.succeeded(retry));
    changes.put("retry cancelled", () -> retries.cancelled(retry));
    changes.put("push", () -> compensations.push(id, NewCompensation.of("c", "undo-c")));
    changes.put("undo", () -> compensations.start(entry));
    changes.put("undone", () -> compensations.complete(entry, Optional.of(WHY)));
    changes.put("not undone", () -> compensations.fail(entry, "E", WHY, Optional.empty()));
    changes.put("skip", () -> compensations.skip(entry, WHY));
    return changes;
  }

  /** All there is of an execution but its head. */
  private List<Object> recordsOf(UUID id) {
    List<Object> all = new ArrayList<>(history(id));
    all.addAll(repositories().activities().list(id, 100, Optional.empty()).items());
    all.addAll(repositories().retries().list(id, 100, Optional.empty()).items());
    all.addAll(repositories().compensations().stack(id, 100, Optional.empty()).items());
    return all;
  }

  @Test
  void whatIsNotCommittedUnderTheLeaseOfItsExecutionIsRefused() throws Exception {
    Lease lease = atWork();
    UUID id = lease.executionId();
    Lease another = running(newExecution().id());
    List<Object> before = recordsOf(id);
    Map<String, Callable<Change>> changes = changes(repositories(), id);
    for (String name : changes.keySet()) {
      Change change = changes.get(name).call();
      refused(id, name + " alone", repositories().unitOfWork().with(change));
      refused(
          id,
          name + " under another lease",
          repositories()
              .unitOfWork()
              .append(another.executionId(), Append.next(another), event("Other"))
              .with(change));
      refused(
          id,
          name + " with a signal",
          repositories().unitOfWork().append(id, Append.signal("s"), event("S")).with(change));
    }
    assertThat(recordsOf(id)).isEqualTo(before);
    assertThat(types(another.executionId())).doesNotContain("Other");
  }

  private static void refused(UUID id, String what, UnitOfWork unit) {
    assertThatThrownBy(unit::commit)
        .as(what)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("append an event or a transition of execution " + id)
        .hasMessageContaining("renew or release the lease in it")
        .hasMessageContaining("or create the execution in it");
  }

  @Test
  @DisplayName("C079: a worker that lost its lease and does not know changes nothing, in no way")
  void aWorkerThatLostItsLeaseChangesNothing() throws Exception {
    List<String> ways = List.copyOf(ways().keySet());
    Storage raw = rawStorage();
    Repositories other = newNode().as(tenant());
    List<String> names = List.copyOf(changes(repositories(), atWork().executionId()).keySet());
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String way = ways.get(i % ways.size());
      Lease zombie = atWork();
      UUID id = zombie.executionId();
      Change change = changes(repositories(), id).get(name).call();
      seized(raw, id, other);
      List<Object> before = recordsOf(id);
      ExecutionHead head = head(id);
      assertThat(zombie.isHeld()).as("it trusts its own clock").isTrue();

      UnitOfWork unit = repositories().unitOfWork().with(change);
      CommitResult result = ways().get(way).under(zombie, unit).commit();

      conflict(result, Reason.LEASE_LOST);
      assertThat(recordsOf(id)).as("%s by %s", name, way).isEqualTo(before);
      assertThat(head(id)).as("%s by %s", name, way).isEqualTo(head);
      assertThat(zombie.isHeld()).isFalse();
    }
  }

  @Test
  @DisplayName("C079: raced by its successor, a worker is heard before the takeover or not at all")
  void whoeverTakesOverKnowsAllThatAZombieEverWrites() {
    Storage raw = rawStorage();
    Repositories other = newNode().as(tenant());
    List<Way> ways = List.copyOf(ways().values());
    for (int round = 0; round < ROUNDS; round++) {
      Lease zombie = atWork();
      UUID id = zombie.executionId();
      ActivityExecution begun = repositories().activities().find(id, "started").orElseThrow();
      Way way = ways.get(round % ways.size());

      List<Object> results =
          Together.run(
              2,
              racer ->
                  racer == 0
                      ? way.under(zombie, repositories().unitOfWork())
                          .with(repositories().activities().complete(begun, Optional.of(WHY)))
                          .commit()
                      : takenOver(raw, id, other));

      ActivityExecution seen = (ActivityExecution) results.get(1);
      boolean written = results.get(0) instanceof Committed;
      assertThat(seen.header().version())
          .as("what the successor read when it had the lease, the zombie answered %s", results)
          .isEqualTo(begun.header().version() + (written ? 1 : 0));
      assertThat(repositories().activities().find(id, "started")).contains(seen);
      if (!written) {
        assertThat(((Conflict) results.get(0)).has(Reason.LEASE_LOST)).isTrue();
      }
    }
  }

  private static Object takenOver(Storage raw, UUID id, Repositories other) {
    seized(raw, id, other);
    return other.activities().find(id, "started").orElseThrow();
  }

  /** As if the lease had run out and another worker had come, unknown to the first. */
  private static Lease seized(Storage raw, UUID id, Repositories other) {
    Key key = Key.of(RecordTypes.HEAD, id);
    Scope scope = Scope.tenant(other.caller().tenant().value());
    boolean freed = false;
    while (!freed) {
      ReadOptions strong = ReadOptions.strong(Deadline.after(SOON));
      Row head = raw.read(scope, List.of(key), strong).get(0).orElseThrow();
      Row free =
          head.with("owner", null)
              .with("leaseId", null)
              .with("leaseExpiresAt", null)
              .with("leaseTtl", null)
              .with(head.header().next(head.header().updatedAt(), "seed"));
      freed =
          raw.commit(
                  new Batch(
                      UUID.randomUUID(),
                      raw.identity().epoch(),
                      scope,
                      Optional.empty(),
                      List.of(new Mutation.Update(head, free)),
                      List.of()),
                  Deadline.after(SOON))
              instanceof CommitOutcome.Committed;
    }
    return acquire(other, id, "worker-2");
  }

  @Test
  void aHeartbeatRenewsTheLeaseAndTellsNoEvent() {
    Lease lease = atWork();
    UUID id = lease.executionId();
    ActivityExecution begun = repositories().activities().find(id, "started").orElseThrow();
    ExecutionHead before = head(id);

    Committed done =
        committed(
            repositories()
                .unitOfWork()
                .renew(lease)
                .with(repositories().activities().heartbeat(begun, Optional.of(WHY)))
                .commit());

    ActivityExecution alive = only(done, ActivityExecution.class);
    assertThat(repositories().activities().find(id, "started")).contains(alive);
    assertThat(repositories().activities().heartbeatDetails(alive)).contains(WHY);
    assertThat(head(id).lastSequence()).isEqualTo(before.lastSequence());
    assertThat(head(id).renewals()).isEqualTo(before.renewals() + 1);
    assertThat(lease.isHeld()).isTrue();
    step(lease, repositories().activities().complete(alive, Optional.empty()));
  }

  @Test
  void aRenewedLeaseIsNoProgressOfItsExecution() {
    Lease first = atWork();
    UUID id = first.executionId();
    pass(TTL.plusSeconds(1));
    Repositories other = newNode().as(tenant());
    Lease lease = takeOver(other, id, "worker-2");
    assertThat(head(id).acquisitionsWithoutProgress()).isEqualTo(1);
    committed(other.unitOfWork().renew(lease).commit());
    assertThat(head(id).acquisitionsWithoutProgress()).isEqualTo(1);
    committed(other.events().append(id, Append.next(lease), event("Progress")));
    assertThat(head(id).acquisitionsWithoutProgress()).isZero();
  }

  @Test
  void oneUnitOfWorkRenewsOneLeaseOfAnExecution() {
    UUID id = newExecution().id();
    Lease old = acquire(id);
    assertThat(repositories().leases().release(old, Wake.now())).isTrue();
    Lease lease = acquire(id);
    UnitOfWork unit = repositories().unitOfWork().renew(lease).renew(lease);
    assertThatThrownBy(() -> unit.renew(old)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.release(old, Wake.now())).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.append(id, Append.next(old), event("Old")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> unit.append(id, Append.signal("s"), event("Signal")))
        .isInstanceOf(InvalidInput.class);
    committed(unit.append(id, Append.next(lease), event("E")).release(lease, Wake.now()).commit());
    assertThat(types(id)).endsWith("E");
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void whatIsCreatedHasNoOwnerYetAndBringsItsFirstActivity() {
    UUID id = UUID.randomUUID();
    NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
    Change first = repositories().activities().schedule(id, NewActivity.of("first", "t"));
    committed(repositories().unitOfWork().create(execution).with(first).commit());
    assertThat(repositories().activities().find(id, "first")).isPresent();

    NewExecution other = execution.withSearchAttribute("other", "content");
    Change second = repositories().activities().schedule(id, NewActivity.of("second", "t"));
    conflict(
        repositories().unitOfWork().create(other).with(second).commit(), Reason.ALREADY_EXISTS);
    assertThat(repositories().activities().find(id, "second"))
        .as("no second creation is a way around the lease")
        .isEmpty();
  }

  private CommitResult cancelFromOutside(UUID id) {
    return repositories()
        .executions()
        .transition(
            execution(id), Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancel"));
  }

  /** What nobody has to do anything about any more is in no list of what is open. */
  private void nothingIsOpen() {
    Optional<String> all = Optional.empty();
    assertThat(repositories().activities().open(100, all).items()).isEmpty();
    assertThat(repositories().retries().pending(100, all).items()).isEmpty();
  }

  @Test
  void whatIsOpenEndsWithAnExecutionThatIsEndedFromOutside() {
    UUID id = atWork().executionId();
    WorkflowExecution before = execution(id);

    Committed done = committed(cancelFromOutside(id));

    nothingIsOpen();
    Activities activities = repositories().activities();
    for (String open : List.of("scheduled", "started")) {
      ActivityExecution ended = activities.find(id, open).orElseThrow();
      assertThat(ended.status()).isEqualTo(ActivityStatus.CANCELLED);
      assertThat(ended.closedAt()).isPresent();
      assertThat(done.records(ActivityExecution.class)).contains(ended);
    }
    assertThat(activities.find(id, "failed").orElseThrow().status())
        .isEqualTo(ActivityStatus.FAILED);
    RetryRecord retry = repositories().retries().find(id, "failed").orElseThrow();
    assertThat(retry.status()).isEqualTo(RetryStatus.CANCELLED);
    assertThat(repositories().retries().reason(retry)).contains(WHY);
    assertThat(repositories().compensations().next(id).orElseThrow().status())
        .as("whether it was undone nobody knows")
        .isEqualTo(CompensationStatus.RUNNING);
    Committed again =
        committed(
            repositories()
                .executions()
                .transition(
                    before, Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancel")));
    assertThat(again.commitId()).isEqualTo(done.commitId());
  }

  @Test
  void pausedFromOutsideWhatIsOpenStaysOpen() {
    UUID id = atWork().executionId();
    move(id, ExecutionStatus.PAUSED, Append.signal("pause"));
    assertThat(repositories().activities().open(100, Optional.empty()).items()).hasSize(2);
    assertThat(repositories().retries().pending(100, Optional.empty()).items()).hasSize(1);
  }

  @Test
  void howeverMuchIsOpenItEndsWithItsExecution() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    for (int i = 0; i < 20; i++) {
      Change[] changes = new Change[6];
      for (int j = 0; j < changes.length; j++) {
        changes[j] =
            repositories().activities().schedule(id, NewActivity.of("a" + i + "-" + j, "t"));
      }
      step(lease, changes);
    }
    committed(cancelFromOutside(id));
    nothingIsOpen();
  }

  @Test
  @DisplayName("An execution is ended from outside while its worker begins and ends activities")
  void whatAWorkerBeginsMeanwhileEndsWithItsExecution() {
    Activities activities = repositories().activities();
    for (int round = 0; round < ROUNDS; round++) {
      Lease lease = atWork();
      UUID id = lease.executionId();
      Together.run(
          2,
          racer -> {
            if (racer == 0) {
              committed(cancelFromOutside(id));
              return Optional.empty();
            }
            for (int i = 0; i < 20; i++) {
              CommitResult begun =
                  repositories()
                      .unitOfWork()
                      .append(id, Append.next(lease), event("Begun"))
                      .with(activities.begin(id, NewActivity.of("more-" + i, "t"), "worker-1"))
                      .commit();
              if (!begun.isCommitted()) {
                conflict(begun, Reason.CLOSED);
                return Optional.empty();
              }
              CommitResult ended =
                  repositories()
                      .unitOfWork()
                      .append(id, Append.next(lease), event("Done"))
                      .with(
                          activities.complete(
                              ((Committed) begun).records(ActivityExecution.class).get(0),
                              Optional.empty()))
                      .commit();
              if (!ended.isCommitted()) {
                conflict(ended, Reason.CLOSED);
                return Optional.empty();
              }
            }
            return Optional.empty();
          });
      assertThat(execution(id).status()).isEqualTo(ExecutionStatus.CANCELLED);
      nothingIsOpen();
    }
  }

  @Test
  void whatWasLeftOpenInAFinishedExecutionIsCancelledByAnybodyWhoWorks() throws Exception {
    Lease lease = atWork();
    UUID id = lease.executionId();
    committed(
        repositories()
            .executions()
            .transition(execution(id), Transition.to(ExecutionStatus.FAILED), Append.next(lease)));
    assertThat(repositories().activities().open(100, Optional.empty()).items())
        .as("whoever holds the lease decides")
        .hasSize(2);
    Map<String, Callable<Change>> changes = changes(repositories(), id);
    for (String name : changes.keySet()) {
      UnitOfWork unit = repositories().unitOfWork().with(changes.get(name).call());
      if (name.equals("cancel") || name.equals("retry cancelled")) {
        committed(unit.commit());
      } else {
        refused(id, name, unit);
      }
    }
    committed(
        repositories()
            .unitOfWork()
            .with(
                repositories()
                    .activities()
                    .cancel(repositories().activities().find(id, "scheduled").orElseThrow()))
            .commit());
    nothingIsOpen();
  }
}
