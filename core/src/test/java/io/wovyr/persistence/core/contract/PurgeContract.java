/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.EventsTruncated;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repository;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Removing the beginning of finished histories. */
public abstract class PurgeContract extends RepositoryContract {
  protected PurgeContract(TestStore.Factory stores) {
    super(stores);
  }

  /** A finished execution with so many events. */
  private UUID finished(int events) {
    UUID id = newExecution().id();
    Lease lease = running(id);
    while (head(id).lastSequence() < events - 1) {
      List<io.wovyr.persistence.event.NewEvent> some = new ArrayList<>();
      while (some.size() < 10 && head(id).lastSequence() + some.size() < events - 1) {
        some.add(event("E"));
      }
      committed(repositories().events().append(id, Append.next(lease), some));
    }
    move(id, ExecutionStatus.COMPLETED, Append.next(lease));
    return id;
  }

  private List<FeedEntry> feedOf(UUID id) {
    List<FeedEntry> entries = new ArrayList<>();
    Optional<FeedCursor> after = Optional.empty();
    while (true) {
      var page = repositories().feed().read(after, 100);
      if (page.entries().isEmpty()) {
        return entries;
      }
      page.entries().stream()
          .filter(entry -> entry.event().executionId().equals(id))
          .forEach(entries::add);
      after = page.next();
    }
  }

  @Test
  @DisplayName("C004: the highest number and the end survive a purge and a restart")
  void theHighestNumberSurvives() {
    UUID id = finished(10);

    assertThat(repositories().events().purge(id, 11, false)).isEqualTo(10);

    Node restarted = newNode();
    assertThat(restarted.as(tenant()).executions().head(id).orElseThrow().lastSequence())
        .isEqualTo(10);
    assertThat(head(id).lowWaterMark()).isEqualTo(11);
    assertThat(execution(id).status()).isEqualTo(ExecutionStatus.COMPLETED);
    conflict(
        restarted.as(tenant()).events().append(id, Append.signal("late"), event("Late")),
        Reason.CLOSED);
    assertThat(repositories().events().read(id, 11, 10).items()).isEmpty();
    assertThat(repositories().events().purge(id, 11, false)).isZero();
  }

  @Test
  @DisplayName("C004: an execution that lives on after its beginning was archived goes on counting")
  void aLivingExecutionGoesOnCounting() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    for (int i = 3; i <= 10; i++) {
      committed(repositories().events().append(id, Append.next(lease), event("E")));
    }
    archive(id, 1, 11);

    Node restarted = newNode();
    committed(restarted.as(tenant()).events().append(id, Append.signal("x"), event("X")));
    assertThat(only11(id).type()).isEqualTo("X");
    archive(id, 11, 12);
    committed(restarted.as(tenant()).events().append(id, Append.signal("y"), event("Y")));

    assertThat(head(id).lastSequence()).isEqualTo(12);
    assertThat(repositories().events().find(id, 12).map(WorkflowEvent::type)).contains("Y");
    assertThatThrownBy(() -> repositories().events().read(id, 11, 10))
        .isInstanceOf(EventsTruncated.class);
    assertThat(repositories().events().read(id, 12, 10).items()).hasSize(1);
  }

  private WorkflowEvent only11(UUID id) {
    List<WorkflowEvent> events = repositories().events().read(id, 11, 10).items();
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  /**
   * What an archive will do one day, past the repositories: they purge finished executions only.
   */
  private void archive(UUID id, long from, long to) {
    Storage raw = rawStorage();
    Row head = rawRow(Key.of(RecordTypes.HEAD, id));
    Row raised =
        head.with("lowWaterMark", to)
            .with(head.header().next(head.header().updatedAt(), "archive"));
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            raw.identity().epoch(),
            scope(),
            Optional.empty(),
            List.of(new Mutation.Update(head, raised)),
            List.of());
    assertThat(
            raw.purge(
                scope(),
                new Purge(batch, RecordTypes.EVENT, List.of(id), from, to, List.of()),
                Deadline.after(SOON)))
        .isEqualTo(new PurgeOutcome.Purged((int) (to - from)));
  }

  @Test
  @DisplayName("C010: purging goes by number: nothing later goes without what is earlier")
  void purgingGoesByNumber() {
    UUID id = finished(9);

    assertThat(repositories().events().purge(id, 5, false)).isEqualTo(4);

    assertThat(repositories().events().read(id, 5, 10).items())
        .extracting(WorkflowEvent::sequence)
        .containsExactly(5L, 6L, 7L, 8L, 9L);
    for (long gone = 1; gone < 5; gone++) {
      long from = gone;
      assertThat(repositories().events().find(id, gone)).isEmpty();
      assertThatThrownBy(() -> repositories().events().read(id, from, 10))
          .isInstanceOfSatisfying(
              EventsTruncated.class,
              truncated -> assertThat(truncated.lowWaterMark()).isEqualTo(5));
    }
    assertThatThrownBy(() -> repositories().executions().state(id))
        .isInstanceOf(EventsTruncated.class);
    assertThatThrownBy(() -> repositories().executions().state(id, 9))
        .isInstanceOf(EventsTruncated.class);
    assertThat(repositories().events().purge(id, 3, false)).isZero();
  }

  @Test
  void liveExecutionsAndUnknownOnesAreRefused() {
    UUID live = newExecution().id();

    assertThatThrownBy(() -> repositories().events().purge(live, 2, true))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(live.toString());
    assertThatThrownBy(() -> repositories().events().purge(UUID.randomUUID(), 2, true))
        .isInstanceOf(InvalidInput.class);
    assertThat(history(live)).hasSize(1);
  }

  @Test
  void theSlowestReaderHoldsItBackUnlessForced() {
    UUID id = finished(8);
    List<FeedEntry> entries = feedOf(id);
    Repository<RegisteredCursor, String> cursors = repositories().feed().cursors();
    committed(cursors.insert(RegisteredCursor.of("fast", entries.get(7).cursor())));
    committed(cursors.insert(RegisteredCursor.of("slow", entries.get(3).cursor())));

    assertThatThrownBy(() -> repositories().events().purge(id, 9, false))
        .isInstanceOf(InvalidInput.class);
    assertThat(history(id)).as("all or nothing of a step").hasSize(8);
    assertThat(repositories().events().purge(id, 5, false)).isEqualTo(4);

    RegisteredCursor slow = cursors.find("slow").orElseThrow();
    committed(cursors.update(slow, slow.movedTo(entries.get(5).cursor())));
    assertThatThrownBy(() -> repositories().events().purge(id, 9, false))
        .isInstanceOf(InvalidInput.class);
    assertThat(repositories().events().purge(id, 7, false)).isEqualTo(2);
    assertThat(repositories().events().purge(id, 9, true)).isEqualTo(2);
    assertThat(head(id).lowWaterMark()).isEqualTo(9);
  }

  @Test
  void aReaderOfTheWholeSystemHoldsItBackToo() {
    UUID id = finished(4);
    Repository<RegisteredCursor, String> cursors =
        node().persistence().system("contract").feed().cursors();
    String name = "reader-" + tenant();
    committed(cursors.insert(RegisteredCursor.of(name, feedOf(id).get(1).cursor())));
    try {
      assertThatThrownBy(() -> repositories().events().purge(id, 5, false))
          .isInstanceOf(InvalidInput.class);
      assertThat(repositories().events().purge(id, 3, false)).isEqualTo(2);
    } finally {
      committed(cursors.delete(cursors.find(name).orElseThrow()));
    }
    assertThat(repositories().events().purge(id, 5, false)).isEqualTo(2);
  }

  @Test
  void aReaderThatWasPassedHearsIt() {
    UUID id = finished(6);
    List<FeedEntry> entries = feedOf(id);
    assertThat(repositories().events().purge(id, 5, true)).isEqualTo(4);

    assertThatThrownBy(() -> repositories().feed().read(Optional.of(entries.get(1).cursor()), 10))
        .isInstanceOf(FeedTruncated.class);
    assertThat(repositories().feed().read(Optional.of(entries.get(3).cursor()), 10).entries())
        .isEqualTo(entries.subList(4, 6));
    assertThat(feedOf(id)).as("from the beginning there is what is left").hasSize(2);
  }

  @Test
  void killedOrFailedOnTheWayItIsRunAgain() {
    for (Fault fault : List.of(Fault.BEFORE, Fault.LOST, Fault.AFTER, Fault.IN_FLIGHT)) {
      UUID id = finished(130);
      node().faults().failNext(fault);
      long purged = repositories().events().purge(id, 121, false);
      while (node().faults().land()) {
        // A step that was in flight arrives late.
      }
      assertThat(purged).as("%s", fault).isEqualTo(120);
      assertThat(head(id).lowWaterMark()).isEqualTo(121);
      assertThat(repositories().events().read(id, 121, 100).items()).hasSize(10);
    }
  }

  @Test
  void givenUpInTheMiddleItGoesOnWhereItWas() {
    UUID id = finished(130);
    Node strict = newNode(Duration.ZERO, Map.of("wovyr.commit.deadline", "PT0.2S"));
    strict
        .faults()
        .failNext(
            java.util.stream.Stream.generate(() -> Fault.BEFORE)
                .limit(1_000)
                .toArray(Fault[]::new));
    assertThatThrownBy(() -> strict.as(tenant()).events().purge(id, 131, false))
        .isInstanceOf(Unavailable.class);

    assertThat(repositories().events().purge(id, 131, false)).isEqualTo(130);
    assertThat(head(id).lowWaterMark()).isEqualTo(131);
  }

  @Test
  void whoReadsWhileItIsPurgedHearsItInsteadOfABrokenHistory() {
    UUID id = finished(9);
    node().probe().afterNextRead(() -> newNode().as(tenant()).events().purge(id, 5, true));
    assertThatThrownBy(() -> repositories().events().read(id, 1, 100))
        .isInstanceOf(EventsTruncated.class);

    UUID other = finished(9);
    node().probe().afterNextRead(() -> newNode().as(tenant()).events().purge(other, 5, true));
    assertThatThrownBy(() -> repositories().executions().state(other))
        .isInstanceOf(EventsTruncated.class);
  }

  @Test
  void manyAtOnceRemoveWhatOneWould() {
    UUID id = finished(60);

    List<Long> purged = Together.run(6, i -> repositories().events().purge(id, 51, false));

    assertThat(purged).allMatch(count -> count <= 50);
    assertThat(head(id).lowWaterMark()).isEqualTo(51);
    assertThat(repositories().events().read(id, 51, 100).items()).hasSize(10);
  }
}
