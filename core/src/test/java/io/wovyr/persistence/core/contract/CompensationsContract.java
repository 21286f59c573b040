/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compensation stacks: undone in reverse order, each entry once, whoever is killed where. */
public abstract class CompensationsContract extends RepositoryContract {
  protected CompensationsContract(TestStore.Factory stores) {
    super(stores);
  }

  private static CompensationRecord step(
      Repositories repositories, Lease lease, String type, Change change) {
    return only(
        committed(
            repositories
                .unitOfWork()
                .append(lease.executionId(), Append.next(lease), event(type))
                .with(change)
                .commit()),
        CompensationRecord.class);
  }

  private Lease withStack(String... steps) {
    Lease lease = running(newExecution().id());
    for (String name : steps) {
      step(
          repositories(),
          lease,
          name + "Done",
          repositories()
              .compensations()
              .push(
                  lease.executionId(),
                  NewCompensation.of(name, "undo-" + name)
                      .withInput(Payload.text("input of " + name))
                      .withMetadata("region", "eu")));
    }
    return lease;
  }

  @Test
  void theStackIsTopFirstWithItsValues() {
    Lease lease = withStack("reserve", "charge", "ship");
    List<CompensationRecord> stack =
        repositories().compensations().stack(lease.executionId(), 10, Optional.empty()).items();
    assertThat(stack)
        .extracting(CompensationRecord::activityId)
        .containsExactly("ship", "charge", "reserve");
    assertThat(stack).extracting(CompensationRecord::position).containsExactly(3, 2, 1);
    assertThat(repositories().compensations().input(stack.get(1)))
        .contains(Payload.text("input of charge"));
    assertThat(stack.get(0).metadata()).containsExactly("region=eu");
    assertThat(repositories().compensations().next(lease.executionId())).contains(stack.get(0));
  }

  @Test
  void severalArePushedInOneCommit() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    var compensations = repositories().compensations();
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Both"))
            .with(compensations.push(id, NewCompensation.of("a", "undo-a")))
            .with(compensations.push(id, NewCompensation.of("b", "undo-b")))
            .commit());
    assertThat(compensations.stack(id, 10, Optional.empty()).items())
        .extracting(CompensationRecord::activityId)
        .containsExactly("b", "a");
  }

  @Test
  @DisplayName("C091: a rollback killed anywhere resumes and undoes each step once, in reverse")
  void aRollbackKilledAnywhereGoesOnWhereItWas() {
    for (int killedAfter = 0; killedAfter <= 6; killedAfter++) {
      Lease lease = withStack("reserve", "charge", "ship");
      UUID id = lease.executionId();
      move(id, ExecutionStatus.COMPENSATING, Append.next(lease));
      List<String> undone = new ArrayList<>();
      int left = rollBack(repositories(), lease, undone, killedAfter);
      assertThat(left).isZero();

      Repositories other = newNode().as(tenant());
      Lease taken = takeOver(other, id, "worker-2");
      rollBack(other, taken, undone, Integer.MAX_VALUE);

      assertThat(other.compensations().next(id)).isEmpty();
      assertThat(undone)
          .as("killed after %d commits", killedAfter)
          .containsExactly("ship", "charge", "reserve");
      assertThat(other.compensations().stack(id, 10, Optional.empty()).items())
          .allMatch(entry -> entry.status() == CompensationStatus.COMPENSATED);
    }
  }

  /** Rolls back until so many commits were made; what it completed counts as undone. */
  private static int rollBack(
      Repositories repositories, Lease lease, List<String> undone, int commits) {
    int left = commits;
    Optional<CompensationRecord> next = repositories.compensations().next(lease.executionId());
    while (next.isPresent() && left > 0) {
      CompensationRecord entry = next.get();
      if (entry.status() != CompensationStatus.RUNNING) {
        entry = step(repositories, lease, "Undoing", repositories.compensations().start(entry));
        left--;
      }
      if (left > 0) {
        step(
            repositories,
            lease,
            "Undone",
            repositories.compensations().complete(entry, Optional.of(Payload.text("ok"))));
        undone.add(entry.activityId());
        left--;
      }
      next = repositories.compensations().next(lease.executionId());
    }
    return left == commits && next.isPresent() ? commits : commits == Integer.MAX_VALUE ? 0 : left;
  }

  @Test
  @DisplayName("C091: of two that resume, one claims an entry")
  void anEntryIsClaimedOnce() {
    Lease lease = withStack("reserve", "charge");
    CompensationRecord top = repositories().compensations().next(lease.executionId()).orElseThrow();
    Change one = repositories().compensations().start(top);
    Change other = repositories().compensations().start(top);
    step(repositories(), lease, "One", one);
    conflict(
        repositories()
            .unitOfWork()
            .append(lease.executionId(), Append.next(lease), event("Other"))
            .with(other)
            .commit(),
        Reason.STALE_VERSION);
    assertThat(repositories().compensations().find(lease.executionId(), 2).orElseThrow().attempts())
        .isEqualTo(1);
  }

  @Test
  void theOrderIsKept() {
    Lease lease = withStack("reserve", "charge");
    CompensationRecord bottom =
        repositories().compensations().find(lease.executionId(), 1).orElseThrow();
    Change tooEarly = repositories().compensations().start(bottom);
    UnitOfWork unit = repositories().unitOfWork();
    assertThatThrownBy(() -> unit.with(tooEarly))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("2");
  }

  private static Key key(UUID executionId, int position) {
    return Key.of(RecordTypes.COMPENSATION, executionId, position);
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  @DisplayName("C091: nothing is undone past an entry that cannot be read, nor is it the end")
  void nothingIsUndonePastAnEntryThatCannotBeRead(Unreadable how) {
    Lease lease = withStack("reserve", "charge", "ship");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    CompensationRecord bottom = compensations.find(id, 1).orElseThrow();
    rawSpoil(key(id, 2), how);

    CompensationRecord top = compensations.next(id).orElseThrow();
    assertThat(top.activityId()).isEqualTo("ship");
    CompensationRecord begun = step(repositories(), lease, "B", compensations.start(top));
    step(repositories(), lease, "E", compensations.complete(begun, Optional.empty()));

    how.refuses(() -> compensations.next(id), key(id, 2));
    how.refuses(() -> compensations.start(bottom), key(id, 2));
    assertThat(compensations.find(id, 1)).contains(bottom);
    assertThat(compensations.stack(id, 10, Optional.empty()).items())
        .extracting(CompensationRecord::position)
        .containsExactly(3, 1);
    assertThat(repositories().quarantine().find("compensation", id + "/2")).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  @DisplayName("C091: where the newest entry cannot be read there is none to undo next")
  void aNewestEntryThatCannotBeReadIsNotPassedOver(Unreadable how) {
    Lease lease = withStack("reserve", "charge");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    rawSpoil(key(id, 2), how);

    how.refuses(() -> compensations.next(id), key(id, 2));
    CompensationRecord pushed =
        step(
            repositories(),
            lease,
            "Shipped",
            compensations.push(id, NewCompensation.of("ship", "undo-ship")));

    assertThat(pushed.position()).isEqualTo(3);
    assertThat(compensations.next(id)).contains(pushed);
  }

  @Test
  void anEntryThatIsBegunIsStillTheNextWhenThatIsCommitted() {
    Lease lease = withStack("reserve", "charge");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    CompensationRecord charge = compensations.next(id).orElseThrow();
    UnitOfWork begin =
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Begun"))
            .with(compensations.start(charge));
    Change again = compensations.start(charge);
    Change push = compensations.push(id, NewCompensation.of("ship", "undo-ship"));
    step(repositories(), lease, "Shipped", push);

    conflict(begin.commit(), Reason.STALE_VERSION);
    conflict(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Again"))
            .with(again)
            .commit(),
        Reason.STALE_VERSION);
    assertThat(compensations.find(id, 2)).contains(charge);
    assertThat(compensations.next(id).orElseThrow().activityId()).isEqualTo("ship");
  }

  @Test
  void anEntryThatIsPushedOnTheWayToTheStoreIsUndoneFirst() {
    Lease lease = withStack("reserve");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    CompensationRecord reserve = compensations.next(id).orElseThrow();
    UnitOfWork begin =
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Begun"))
            .with(compensations.start(reserve));
    Row head = rawRow(Key.of(RecordTypes.HEAD, id));
    node()
        .probe()
        .beforeNextCommit(
            () -> {
              rawCopy(key(id, 1), key(id, 2));
              rawCommit(
                  new Mutation.Update(
                      head, head.with(head.header().next(head.header().updatedAt(), "pusher"))));
            });

    conflict(begin.commit(), Reason.STALE_VERSION);
    assertThat(compensations.find(id, 1)).contains(reserve);
  }

  @Test
  void nothingIsPushedInTheCommitThatBeginsToUndoWhatIsBelowIt() {
    Lease lease = withStack("reserve");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    CompensationRecord reserve = compensations.next(id).orElseThrow();
    UnitOfWork both =
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Both"))
            .with(compensations.start(reserve))
            .with(compensations.push(id, NewCompensation.of("ship", "undo-ship")));

    assertThatThrownBy(both::commit)
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining(key(id, 2).toString());
    assertThat(compensations.stack(id, 10, Optional.empty()).items()).containsExactly(reserve);
  }

  @Test
  void thereIsNoPlaceOnTopOfTheHighest() {
    Lease lease = withStack("reserve");
    UUID id = lease.executionId();
    rawCopy(key(id, 1), key(id, Integer.MAX_VALUE));
    Change push = repositories().compensations().push(id, NewCompensation.of("ship", "undo-ship"));
    UnitOfWork unit = repositories().unitOfWork().append(id, Append.next(lease), event("Shipped"));
    assertThatThrownBy(() -> unit.with(push))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll(id.toString(), "2147483647");
  }

  @Test
  void theEndOfOneEntryAndTheBeginOfTheNextAreOneCommit() {
    Lease lease = withStack("reserve", "charge");
    UUID id = lease.executionId();
    var compensations = repositories().compensations();
    CompensationRecord top =
        step(repositories(), lease, "B", compensations.start(compensations.next(id).orElseThrow()));
    CompensationRecord bottom = compensations.find(id, 1).orElseThrow();
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Next"))
            .with(compensations.complete(top, Optional.empty()))
            .with(compensations.start(bottom))
            .commit());
    assertThat(compensations.stack(id, 10, Optional.empty()).items())
        .extracting(CompensationRecord::status)
        .containsExactly(CompensationStatus.COMPENSATED, CompensationStatus.RUNNING);
  }

  @Test
  @DisplayName("C091: asked twice to go on, a rollback goes on where it was")
  void aRollbackIsResumedFromOutsideAndUndoesNothingByItself() {
    Lease lease = withStack("reserve", "charge");
    UUID id = lease.executionId();
    assertThatThrownBy(() -> repositories().compensations().resume(id))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("RUNNING");
    move(id, ExecutionStatus.COMPENSATING, Append.next(lease));
    CompensationRecord top = repositories().compensations().next(id).orElseThrow();
    CompensationRecord begun =
        step(repositories(), lease, "B", repositories().compensations().start(top));
    assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();
    assertThat(isDue(id)).isFalse();

    committed(repositories().compensations().resume(id));
    committed(repositories().compensations().resume(id));

    assertThat(isDue(id)).isTrue();
    assertThat(types(id)).endsWith("wovyr.CompensationResumed", "wovyr.CompensationResumed");
    assertThat(repositories().compensations().next(id)).contains(begun);
    List<String> undone = new ArrayList<>();
    rollBack(repositories(), acquire(id), undone, Integer.MAX_VALUE);
    assertThat(undone).containsExactly("charge", "reserve");
    conflict(repositories().compensations().resume(new UUID(1, 1)), Reason.NOT_FOUND);
  }

  @Test
  void aFailedEntryIsTriedAgainOrSkipped() {
    Lease lease = withStack("reserve", "charge");
    var compensations = repositories().compensations();
    CompensationRecord top = compensations.next(lease.executionId()).orElseThrow();
    CompensationRecord begun = step(repositories(), lease, "B", compensations.start(top));
    CompensationRecord failed =
        step(
            repositories(),
            lease,
            "F",
            compensations.fail(
                begun, "Timeout", Payload.text("no answer"), Optional.of(time().now())));
    assertThat(compensations.failure(failed)).contains(Payload.text("no answer"));
    assertThat(compensations.next(lease.executionId())).contains(failed);
    assertThat(compensations.list(CompensationStatus.FAILED, 10, Optional.empty()).items())
        .containsExactly(failed);
    CompensationRecord again = step(repositories(), lease, "A", compensations.start(failed));
    assertThat(again.attempts()).isEqualTo(2);
    CompensationRecord skipped =
        step(repositories(), lease, "S", compensations.skip(again, Payload.text("done by hand")));
    assertThat(skipped.status()).isEqualTo(CompensationStatus.SKIPPED);
    assertThat(compensations.next(lease.executionId()).orElseThrow().activityId())
        .isEqualTo("reserve");
    assertThatThrownBy(() -> compensations.start(skipped)).isInstanceOf(IllegalTransition.class);
  }

  @Test
  @DisplayName("C091: every try to undo is told, whoever tried, and why it was left in the end")
  void everyTryToUndoIsKept() {
    Lease lease = withStack("charge");
    UUID id = lease.executionId();
    List<Duration> spent = new ArrayList<>();
    for (int attempt = 1; attempt <= 3; attempt++) {
      Repositories other = newNode().as(tenant());
      Lease taken = takeOver(other, id, "worker-" + attempt);
      CompensationRecord begun =
          step(
              other,
              taken,
              "Undoing",
              other.compensations().start(other.compensations().next(id).orElseThrow()));
      long before = System.nanoTime();
      Optional<Instant> next =
          attempt == 3 ? Optional.empty() : Optional.of(time().now().plusSeconds(60));
      step(
          other,
          taken,
          "Failed",
          other.compensations().fail(begun, "E" + attempt, Payload.text("no " + attempt), next));
      spent.add(Duration.ofNanos(System.nanoTime() - before));
    }

    Compensations compensations = repositories().compensations();
    CompensationRecord failed = compensations.next(id).orElseThrow();
    List<FailedAttempt> history = compensations.history(failed);
    assertThat(history).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3);
    assertThat(history).extracting(FailedAttempt::error).containsExactly("E1", "E2", "E3");
    assertThat(history)
        .extracting(attempt -> attempt.reason().orElseThrow())
        .containsExactly(Payload.text("no 1"), Payload.text("no 2"), Payload.text("no 3"));
    for (int i = 0; i < 2; i++) {
      assertThat(history.get(i).delay().orElseThrow())
          .isBetween(Duration.ofSeconds(59).minus(spent.get(i)), Duration.ofSeconds(60));
    }
    assertThat(history.get(2).delay()).isEmpty();
    assertThat(compensations.failure(failed)).contains(Payload.text("no 3"));

    Lease last = takeOver(repositories(), id, "worker-4");
    CompensationRecord skipped =
        step(repositories(), last, "S", compensations.skip(failed, Payload.text("by hand")));
    assertThat(compensations.failure(skipped)).contains(Payload.text("by hand"));
    assertThat(compensations.history(skipped)).isEqualTo(history);
    assertThat(compensations.find(id, 1)).contains(skipped);
  }

  @Test
  @DisplayName("C091: a rollback goes on, and may be left, though the key of its reasons is gone")
  void reasonsWhoseKeyIsGoneStopNoRollback() {
    Lease lease = withStack("charge");
    UUID id = lease.executionId();
    Compensations compensations = repositories().compensations();
    CompensationRecord begun =
        step(repositories(), lease, "B", compensations.start(compensations.next(id).orElseThrow()));
    step(
        repositories(),
        lease,
        "F",
        compensations.fail(begun, "E1", Payload.text("no 1"), Optional.empty()));
    Key key = Key.of(RecordTypes.COMPENSATION, id, 1);
    rawReplace(key, "failure", RepositoryContract::underALostKey);
    CompensationRecord unreadable = compensations.find(id, 1).orElseThrow();
    assertThatThrownBy(() -> compensations.history(unreadable)).isInstanceOf(UnknownKey.class);

    CompensationRecord again = step(repositories(), lease, "A", compensations.start(unreadable));
    CompensationRecord failed =
        step(
            repositories(),
            lease,
            "F",
            compensations.fail(again, "E2", Payload.text("no 2"), Optional.empty()));

    assertThat(compensations.history(failed))
        .extracting(FailedAttempt::error)
        .containsExactly("E2");
    rawReplace(key, "failure", RepositoryContract::underALostKey);
    CompensationRecord skipped =
        step(
            repositories(),
            lease,
            "S",
            compensations.skip(compensations.find(id, 1).orElseThrow(), Payload.text("by hand")));
    assertThat(compensations.failure(skipped)).contains(Payload.text("by hand"));
    assertThat(compensations.next(id)).isEmpty();
  }
}
