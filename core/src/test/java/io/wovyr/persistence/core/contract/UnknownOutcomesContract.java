/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.conformance.fault.FaultPlan;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.event.Append;
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
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes whose answer is lost: each comes to exactly one effect, and the truth is told. */
public abstract class UnknownOutcomesContract extends RepositoryContract {
  private static final Duration BRIEF = Duration.ofMillis(250);

  protected UnknownOutcomesContract(TestStore.Factory stores) {
    super(stores);
  }

  /** The kinds of commits a unit of work makes. */
  protected enum Kind {
    CREATE,
    SEQUENCE,
    UNDER_TOKEN,
    SIGNAL,
    TRANSITION,
    CLOSE,
    RELEASE,
    CURSOR,
    PARENT_AND_CHILD
  }

  /** A change prepared, and how many of it are there. */
  private record Prepared(
      BiFunction<Repositories, Duration, CommitResult> change,
      java.util.function.IntSupplier effects) {}

  private Prepared prepare(Kind kind) {
    UUID id = newExecution().id();
    Lease lease = kind == Kind.SIGNAL || kind == Kind.CREATE ? null : running(id);
    long last = head(id).lastSequence();
    WorkflowExecution before = execution(id);
    UUID created = UUID.randomUUID();
    return switch (kind) {
      case CREATE ->
          prepared(
              unit -> unit.create(NewExecution.of(ORDER).withId(created)),
              () -> repositories().executions().find(created).isPresent() ? 1 : 0);
      case SEQUENCE ->
          prepared(
              unit -> unit.append(id, Append.after(lease, last), event("E")), () -> count(id, "E"));
      case UNDER_TOKEN ->
          prepared(unit -> unit.append(id, Append.next(lease), event("E")), () -> count(id, "E"));
      case SIGNAL ->
          prepared(unit -> unit.append(id, Append.signal("s"), event("E")), () -> count(id, "E"));
      case TRANSITION ->
          prepared(
              unit ->
                  unit.transition(
                      before, Transition.to(ExecutionStatus.WAITING), Append.next(lease)),
              () -> count(id, "wovyr.StatusChanged") - 1);
      case CLOSE ->
          prepared(
              unit ->
                  unit.transition(
                      before, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)),
              () -> execution(id).status() == ExecutionStatus.COMPLETED ? 1 : 0);
      case RELEASE ->
          prepared(
              unit -> unit.release(lease, Wake.onSignal()),
              () -> head(id).owner().isEmpty() ? 1 : 0);
      case CURSOR ->
          prepared(
              unit -> unit.insert(RegisteredCursor.of("c", new FeedCursor(1, "1"))),
              () -> repositories().feed().cursors().find("c").isPresent() ? 1 : 0);
      case PARENT_AND_CHILD ->
          prepared(
              unit ->
                  unit.append(id, Append.next(lease), event("E"))
                      .create(NewExecution.of(ORDER).withId(created).withParent(id)),
              () ->
                  count(id, "E") == (repositories().executions().find(created).isPresent() ? 1 : 0)
                      ? count(id, "E")
                      : -1);
    };
  }

  private Prepared prepared(
      java.util.function.UnaryOperator<UnitOfWork> change, java.util.function.IntSupplier effects) {
    return new Prepared(
        (through, deadline) -> change.apply(through.unitOfWork()).within(deadline).commit(),
        effects);
  }

  private int count(UUID id, String type) {
    return (int) types(id).stream().filter(type::equals).count();
  }

  private static Stream<Arguments> kindsAndFaults() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                Stream.of(
                        List.of(Fault.BEFORE),
                        List.of(Fault.LOST),
                        List.of(Fault.AFTER),
                        List.of(Fault.IN_FLIGHT),
                        List.of(Fault.LOST, Fault.AFTER),
                        List.of(Fault.AFTER, Fault.BEFORE),
                        List.of(Fault.AFTER, Fault.BEFORE, Fault.LOST),
                        List.of(Fault.IN_FLIGHT, Fault.BEFORE, Fault.AFTER),
                        List.of(Fault.IN_FLIGHT, Fault.IN_FLIGHT, Fault.LOST))
                    .map(faults -> Arguments.of(kind, faults)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndFaults")
  @DisplayName("C008: whatever the answer to a commit was, it is written once and said so")
  void everyFaultComesToOneEffect(Kind kind, List<Fault> faults) {
    Prepared prepared = prepare(kind);
    node().faults().failNext(faults.toArray(Fault[]::new));

    CommitResult result = prepared.change().apply(repositories(), SOON);
    landAll();

    committed(result);
    assertThat(prepared.effects().getAsInt()).isEqualTo(1);
  }

  private void landAll() {
    while (node().faults().land()) {
      // A try that was in flight arrives late.
    }
  }

  private static Stream<Arguments> kindsAndWhatHappened() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                Stream.of(Fault.LOST, Fault.AFTER, Fault.TIMEOUT_AFTER, Fault.IN_FLIGHT)
                    .map(fault -> Arguments.of(kind, fault)));
  }

  /** Lets one try go with a fault, and everything after it find no store. */
  private CommitReference unknown(Prepared prepared, Fault fault) {
    node().faults().failNext(fault);
    int[] tries = {0};
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              // Lost and in flight never come here at their first try.
              boolean first = tries[0]++ == 0;
              if (first && (fault == Fault.AFTER || fault == Fault.TIMEOUT_AFTER)) {
                return store.commit(batches, deadline);
              }
              // Who is told to stop does not wait for the deadline.
              Thread.currentThread().interrupt();
              throw new Unavailable("away", null);
            });
    Duration deadline = fault == Fault.TIMEOUT_AFTER ? BRIEF : SOON;
    OutcomeUnknown unknown = null;
    try {
      Object unused = untilItIsSent(prepared, deadline, tries);
    } catch (OutcomeUnknown e) {
      unknown = e;
    } finally {
      Thread.interrupted();
    }
    node().probe().aroundCommit(Storage::commit);
    assertThat(unknown).isNotNull();
    return unknown.reference().orElseThrow();
  }

  /** On a slow machine a brief deadline may be over before anything is sent: then a longer one. */
  private CommitResult untilItIsSent(Prepared prepared, Duration deadline, int[] tries) {
    try {
      return prepared.change().apply(repositories(), deadline);
    } catch (Unavailable e) {
      if (tries[0] > 0 || deadline.compareTo(SOON) > 0) {
        throw e;
      }
      return untilItIsSent(prepared, deadline.multipliedBy(4), tries);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndWhatHappened")
  void whenTheDeadlineComesFirstItsReferenceTellsLater(Kind kind, Fault fault) {
    Prepared prepared = prepare(kind);
    CommitReference reference = unknown(prepared, fault);
    boolean written = fault == Fault.AFTER || fault == Fault.TIMEOUT_AFTER;
    Repositories later = newNode().as(tenant());

    Resolution resolution = later.outcome(reference);

    assertThat(resolution).isEqualTo(written ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
    landAll();
    assertThat(prepared.effects().getAsInt())
        .as("what was in flight cannot win any more")
        .isEqualTo(written ? 1 : 0);
    assertThat(later.outcome(reference)).as("for good").isEqualTo(resolution);
    assertThat(repositories().outcome(reference)).isEqualTo(resolution);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatArrivesBeforeItIsAskedForCounts(Kind kind) {
    Prepared prepared = prepare(kind);
    CommitReference reference = unknown(prepared, Fault.IN_FLIGHT);
    landAll();

    assertThat(repositories().outcome(reference)).isEqualTo(Resolution.APPLIED);
    assertThat(prepared.effects().getAsInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void askedByManyWhileItArrivesAllHearTheSame(Kind kind) {
    for (int round = 0; round < 10; round++) {
      if (kind == Kind.CURSOR) {
        repositories()
            .feed()
            .cursors()
            .find("c")
            .ifPresent(cursor -> committed(repositories().feed().cursors().delete(cursor)));
      }
      Prepared prepared = prepare(kind);
      CommitReference reference = unknown(prepared, Fault.IN_FLIGHT);
      List<Repositories> processes = List.of(repositories(), newNode().as(tenant()));

      List<Optional<Resolution>> answers =
          Together.run(
              6,
              i -> {
                if (i == 0) {
                  landAll();
                  return Optional.empty();
                }
                return Optional.of(processes.get(i % 2).outcome(reference));
              });

      List<Resolution> heard = answers.stream().flatMap(Optional::stream).distinct().toList();
      assertThat(heard).hasSize(1);
      assertThat(prepared.effects().getAsInt())
          .isEqualTo(heard.get(0) == Resolution.APPLIED ? 1 : 0);
    }
  }

  @Test
  void aReferenceIsAnnouncedBeforeSendingAndIsTheOneThatIsThrown() {
    UUID id = newExecution().id();
    List<CommitReference> announced = new ArrayList<>();
    node().faults().failNext(Fault.TIMEOUT_AFTER);

    assertThatThrownBy(
            () ->
                repositories()
                    .unitOfWork()
                    .append(id, Append.signal("s"), event("E"))
                    .beforeSend(announced::add)
                    .within(BRIEF.multipliedBy(4))
                    .commit())
        .isInstanceOfSatisfying(
            OutcomeUnknown.class,
            unknown -> assertThat(unknown.reference()).contains(announced.get(0)));
    assertThat(announced).hasSize(1);
    assertThat(repositories().outcome(announced.get(0))).isEqualTo(Resolution.APPLIED);
  }

  @Test
  @DisplayName("C008: an unknown outcome is remembered though later tries fail plainly")
  void anUnknownOutcomeIsRememberedThroughLaterErrors() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    node().faults().failNext(Fault.AFTER, Fault.BEFORE);
    Repositories outside = newNode().as(tenant());
    int[] commits = {0};
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              List<CommitOutcome> outcome = store.commit(batches, deadline);
              if (commits[0]++ == 0) {
                // The head moves on, so that the next try meets a conflict.
                committed(outside.events().append(id, Append.signal("s"), event("Signal")));
              }
              return outcome;
            });

    WorkflowEvent written =
        only(
            committed(repositories().events().append(id, Append.next(lease), event("E"))),
            WorkflowEvent.class);

    assertThat(types(id)).endsWith("E", "Signal");
    assertThat(written.sequence()).isEqualTo(3);
    assertThat(lease.isHeld()).isTrue();
    committed(repositories().events().append(id, Append.next(lease), event("Next")));
  }

  /** A name that was taken may become free again, and the first try may arrive only then. */
  @Test
  void whatWasAnsweredWithAConflictCannotArriveWhenTheNameIsFreeAgain() {
    node().faults().failNext(Fault.IN_FLIGHT);
    Repositories outside = newNode().as(tenant());
    RegisteredCursor wanted = RegisteredCursor.of("c", new FeedCursor(1, "1"));
    List<RegisteredCursor> taken = new ArrayList<>();
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              // The first try is under way; the second finds the name taken.
              if (taken.isEmpty()) {
                RegisteredCursor other = RegisteredCursor.of("c", new FeedCursor(1, "2"));
                taken.add(
                    only(
                        committed(outside.feed().cursors().insert(other)), RegisteredCursor.class));
              }
              return store.commit(batches, deadline);
            });

    assertThat(repositories().feed().cursors().insert(wanted))
        .isInstanceOf(CommitResult.Conflict.class);

    committed(outside.feed().cursors().delete(taken.get(0)));
    landAll();
    assertThat(outside.feed().cursors().find("c")).isEmpty();
  }

  @Test
  void plainFailureAfterAnUnknownOneIsStillUnknown() {
    Prepared prepared = prepare(Kind.UNDER_TOKEN);
    node().faults().failNext(Fault.AFTER);
    int[] tries = {0};
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (tries[0]++ == 0) {
                return store.commit(batches, deadline);
              }
              throw new Unavailable("certainly not written, this time", null);
            });

    assertThatThrownBy(() -> prepared.change().apply(repositories(), BRIEF.multipliedBy(4)))
        .isInstanceOf(OutcomeUnknown.class);
  }

  @Test
  void everyRecordOfARecognisedCommitIsAsStored() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    node().faults().failNext(Fault.AFTER);

    Committed done = committed(repositories().events().append(id, Append.next(lease), event("E")));

    assertThat(only(done, ExecutionHead.class)).isEqualTo(head(id));
    assertThat(only(done, WorkflowEvent.class)).isEqualTo(history(id).get(2));
    assertThat(lease.head()).isEqualTo(head(id));

    UUID created = UUID.randomUUID();
    node().faults().failNext(Fault.AFTER);
    Committed creation =
        committed(repositories().executions().create(NewExecution.of(ORDER).withId(created)));
    assertThat(only(creation, ExecutionHead.class)).isEqualTo(head(created));
    assertThat(only(creation, WorkflowExecution.class)).isEqualTo(execution(created));
  }

  @Test
  void purgedWitnessesLeaveItUndecided() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    List<CommitReference> references = new ArrayList<>();
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("E"))
            .beforeSend(references::add)
            .commit());
    move(id, ExecutionStatus.COMPLETED, Append.next(lease));
    assertThat(repositories().outcome(references.get(0))).isEqualTo(Resolution.APPLIED);

    assertThat(repositories().events().purge(id, 4, true)).isEqualTo(3);

    assertThat(repositories().outcome(references.get(0))).isEqualTo(Resolution.UNDECIDED);
  }

  @Test
  void expiredMarkersLeaveItUndecidedAndAreSwept() {
    List<CommitReference> references = new ArrayList<>();
    UUID id = UUID.randomUUID();
    committed(
        repositories()
            .unitOfWork()
            .create(NewExecution.of(ORDER).withId(id))
            .beforeSend(references::add)
            .commit());
    pass(Duration.ofHours(23));
    sweep();
    assertThat(repositories().outcome(references.get(0))).isEqualTo(Resolution.APPLIED);
    pass(Duration.ofHours(2));
    sweep();

    assertThat(repositories().outcome(references.get(0))).isEqualTo(Resolution.UNDECIDED);
    assertThat(repositories().executions().find(id)).isPresent();
  }

  @Test
  void aTryTooOldToBeAskedForIsUndecidedNotNeverApplied() {
    Prepared prepared = prepare(Kind.CREATE);
    CommitReference reference = unknown(prepared, Fault.AFTER);
    pass(Duration.ofHours(25));
    sweep();

    assertThat(repositories().outcome(reference)).isEqualTo(Resolution.UNDECIDED);
  }

  private void sweep() {
    while (node().persistence().system("contract").sweepMarkers(100) > 0) {
      // Other tests' markers go as well.
    }
  }

  @Test
  void damagedAndForeignReferencesAreRefused() {
    List<CommitReference> references = new ArrayList<>();
    UUID id = newExecution().id();
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.signal("s"), event("E"))
            .beforeSend(references::add)
            .commit());
    String token = references.get(0).token();

    List<String> damaged =
        List.of(
            token.substring(0, token.length() - 3),
            token + "AAAA",
            "B" + token.substring(1),
            token.substring(0, 10) + (token.charAt(10) == 'A' ? 'B' : 'A') + token.substring(11),
            "x",
            "not a reference!");
    for (String text : damaged) {
      assertThatThrownBy(() -> repositories().outcome(new CommitReference(text)))
          .as(text)
          .isInstanceOf(InvalidInput.class);
    }
    assertThatThrownBy(() -> node().as("other-" + tenant()).outcome(references.get(0)))
        .isInstanceOf(InvalidInput.class);
    assertThat(repositories().outcome(new CommitReference(token))).isEqualTo(Resolution.APPLIED);
  }

  @Test
  void randomFaultsUnderLoadLoseAndDoubleNothing() {
    Node faulty = newRandomlyFailingNode();
    Repositories through = faulty.as(tenant());
    UUID id = newExecution().id();
    Lease lease = acquire(through, id, "worker-1");

    List<List<String>> confirmed =
        Together.run(
            8,
            thread -> {
              List<String> done = new ArrayList<>();
              for (int i = 0; i < 12; i++) {
                String type = "E" + thread + "-" + i;
                Append mode = thread % 2 == 0 ? Append.next(lease) : Append.signal("s-" + type);
                try {
                  committed(through.events().append(id, mode, event(type)));
                  done.add(type);
                } catch (StorageFailure e) {
                  assertThat(e).isInstanceOf(OutcomeUnknown.class);
                }
              }
              return done;
            });
    while (faulty.faults().land()) {
      // Whatever is still in flight arrives last.
    }

    List<String> types = types(id);
    assertThat(types).doesNotHaveDuplicates();
    assertThat(types).containsAll(confirmed.stream().flatMap(List::stream).toList());
    assertThat(confirmed.stream().mapToInt(List::size).sum()).isEqualTo(96);
  }

  private Node newRandomlyFailingNode() {
    return newNode(
        FaultPlan.random(17, 0.3, Fault.BEFORE, Fault.LOST, Fault.AFTER, Fault.IN_FLIGHT));
  }
}
