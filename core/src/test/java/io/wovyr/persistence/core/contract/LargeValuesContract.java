/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.conformance.fault.FaultPlan;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that are too large for their records: in chunks beside them, and gone with them. */
public abstract class LargeValuesContract extends RepositoryContract {
  private static final Duration LONG = Duration.ofHours(25);
  private static final int LARGE = 24 << 10;

  private final Random random = new Random(7);
  private Node small = null;

  protected LargeValuesContract(TestStore.Factory stores) {
    super(stores);
  }

  /** A process whose records are soon too large, so that tests need not write megabytes. */
  @BeforeEach
  void openProcess() {
    small = newNode(Duration.ZERO, Map.of("wovyr.payload.inline-limit", "8192"));
  }

  private Repositories here() {
    return small.as(tenant());
  }

  /** Noise, which stays as long as it is when it is compressed. */
  private Payload noise(int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return Payload.of("application/octet-stream", noise);
  }

  private Lease lease(UUID id) {
    Lease lease = acquire(here(), id, "worker-1");
    committed(
        here()
            .executions()
            .transition(
                here().executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.RUNNING),
                Append.next(lease)));
    return lease;
  }

  private List<Row> rows(RecordType type) {
    Storage raw = rawStorage();
    List<Row> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page =
          raw.scan(
              scope(),
              Scan.byKey(type, List.of(), 100).after(next),
              ReadOptions.strong(Deadline.after(SOON)));
      found.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return found;
  }

  private int sweep() {
    return node().persistence().system("contract").sweepLargeValues(1_000);
  }

  private void sweepAll() {
    while (sweep() > 0) {
      // The store is shared with other tests, which leave some, too.
    }
  }

  private void assertNothingIsLeftOver() {
    List<Row> published =
        rows(RecordTypes.LARGE_VALUE).stream()
            .filter(row -> "PUBLISHED".equals(row.get("status")))
            .toList();
    pass(LONG);
    sweepAll();
    assertThat(rows(RecordTypes.LARGE_VALUE)).containsExactlyElementsOf(published);
    assertThat(rows(RecordTypes.CHUNK))
        .hasSize(published.stream().mapToInt(row -> (Integer) row.get("chunks")).sum());
  }

  private Payload payload(UUID id, long sequence) {
    WorkflowEvent event = repositories().events().find(id, sequence).orElseThrow();
    return repositories().events().payload(event).orElseThrow();
  }

  @Test
  void aValueLargerThanTheStoresRecordsComesBack() {
    Payload value = noise(node().probe().limits().recordBytes() + 100_000);
    UUID id = newExecution().id();
    Lease lease = running(id);

    WorkflowEvent written =
        only(
            committed(
                repositories()
                    .events()
                    .append(id, Append.next(lease), event("Scanned").withPayload(value))),
            WorkflowEvent.class);

    assertThat(payload(id, written.sequence())).isEqualTo(value);
    assertThat(repositories().events().find(id, written.sequence())).contains(written);
    assertThat(rows(RecordTypes.CHUNK)).hasSizeGreaterThan(1);
    assertNothingIsLeftOver();
  }

  @Test
  void everyKindOfValueComesBack() {
    List<Payload> values = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      values.add(noise(LARGE + i));
    }
    UUID id = UUID.randomUUID();
    committed(
        here().executions().create(NewExecution.of(ORDER).withId(id).withInput(values.get(0))));
    Lease lease = lease(id);
    committed(
        here()
            .events()
            .append(
                id,
                Append.next(lease),
                event("Read")
                    .withPayload(values.get(1))
                    .put(Section.VARIABLES, "one", values.get(2))
                    .put(Section.VARIABLES, "small", Payload.text("stays"))
                    .put(Section.VARIABLES, "two", values.get(3))));
    ActivityExecution scheduled =
        only(
            committed(
                here()
                    .unitOfWork()
                    .append(id, Append.next(lease), List.of(event("Scheduled")))
                    .with(
                        here()
                            .activities()
                            .schedule(id, NewActivity.of("scan", "s").withInput(values.get(4))))
                    .commit()),
            ActivityExecution.class);
    ActivityExecution begun =
        only(
            committed(
                here()
                    .unitOfWork()
                    .append(id, Append.next(lease), List.of(event("Started")))
                    .with(here().activities().start(scheduled, "worker-1"))
                    .commit()),
            ActivityExecution.class);
    committed(
        here()
            .unitOfWork()
            .append(id, Append.next(lease), List.of(event("Done")))
            .with(here().activities().complete(begun, Optional.of(values.get(5))))
            .commit());
    committed(
        here()
            .executions()
            .transition(
                here().executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.COMPLETED).withOutcome(values.get(6)),
                Append.next(lease)));

    WorkflowExecution execution = execution(id);
    assertThat(repositories().executions().input(execution)).contains(values.get(0));
    assertThat(repositories().executions().outcome(execution)).contains(values.get(6));
    assertThat(payload(id, 3)).isEqualTo(values.get(1));
    var state = repositories().executions().state(id);
    assertThat(opened(state.get(Section.VARIABLES, "one"))).isEqualTo(values.get(2));
    assertThat(opened(state.get(Section.VARIABLES, "two"))).isEqualTo(values.get(3));
    assertThat(opened(state.get(Section.VARIABLES, "small"))).isEqualTo(Payload.text("stays"));
    ActivityExecution activity = repositories().activities().find(id, "scan").orElseThrow();
    assertThat(repositories().activities().input(activity)).contains(values.get(4));
    assertThat(repositories().activities().result(activity)).contains(values.get(5));
    assertNothingIsLeftOver();
  }

  private Payload opened(Optional<io.wovyr.persistence.state.WorkflowState.Leaf> leaf) {
    return repositories().open(leaf.orElseThrow());
  }

  @Test
  void whatStaysSmallIsNotTakenOut() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    int sent = node().probe().sent().size();

    committed(
        repositories()
            .events()
            .append(id, Append.next(lease), event("Small").withPayload(noise(1_000))));

    assertThat(node().probe().sent()).hasSize(sent + 1);
    assertThat(rows(RecordTypes.LARGE_VALUE)).isEmpty();
  }

  @Test
  void theSameEventIsRecognisedWhenItIsSentAgain() {
    UUID id = UUID.randomUUID();
    committed(here().executions().create(NewExecution.of(ORDER).withId(id)));
    NewEvent event = event("Paid").withPayload(noise(LARGE));

    var first = committed(here().events().append(id, Append.signal("paid-1"), event));
    var again = committed(here().events().append(id, Append.signal("paid-1"), event));

    assertThat(again.commitId()).isEqualTo(first.commitId());
    assertThat(rows(RecordTypes.LARGE_VALUE)).as("written once").hasSize(1);
    assertThat(history(id)).hasSize(2);
    assertNothingIsLeftOver();
  }

  @Test
  void lostAnswersAreResolvedAndNothingIsStoredTwice() {
    Node faulty =
        newNode(
            FaultPlan.random(11, 0.3, Fault.BEFORE, Fault.LOST, Fault.AFTER),
            Map.of("wovyr.payload.inline-limit", "8192"));
    UUID id = newExecution().id();
    List<Payload> values = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Payload value = noise(LARGE + i);
      committed(
          faulty
              .as(tenant())
              .events()
              .append(id, Append.signal("s" + i), event("Signalled").withPayload(value)));
      values.add(value);
    }

    assertThat(history(id)).hasSize(13);
    for (int i = 0; i < values.size(); i++) {
      assertThat(payload(id, i + 2)).isEqualTo(values.get(i));
    }
    assertNothingIsLeftOver();
  }

  @Test
  void anUnknownEndOfItsWritingIsNoUnknownOutcome() {
    Node node =
        newNode(
            Duration.ZERO,
            Map.of("wovyr.payload.inline-limit", "8192", "wovyr.commit.deadline", "PT0.5S"));
    UUID id = newExecution().id();
    node.faults().failNext(Fault.TIMEOUT_AFTER);

    assertThatThrownBy(
            () ->
                node.as(tenant())
                    .events()
                    .append(id, Append.signal("s"), event("S").withPayload(noise(LARGE))))
        .isInstanceOf(Unavailable.class);

    assertThat(history(id)).hasSize(1);
  }

  /** What a process that is killed at its commit leaves behind. */
  private void leave(UUID id, Payload value) {
    small
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (publishes(batches)) {
                throw new IllegalStateException("killed");
              }
              return store.commit(batches, deadline);
            });
    assertThatThrownBy(
            () ->
                here().events().append(id, Append.signal("left"), event("Left").withPayload(value)))
        .hasMessageContaining("killed");
    small.probe().aroundCommit(Storage::commit);
  }

  private static boolean publishes(List<Batch> batches) {
    return changesTo(batches, "PUBLISHED");
  }

  private static boolean changesTo(List<Batch> batches, String status) {
    return batches.stream()
        .flatMap(batch -> batch.mutations().stream())
        .anyMatch(
            mutation ->
                mutation instanceof Mutation.Update update
                    && update.key().type() == RecordTypes.LARGE_VALUE
                    && status.equals(update.after().get("status")));
  }

  @Test
  void whatACommitThatNeverCameLeftBehindIsRemovedInTime() {
    UUID id = newExecution().id();
    leave(id, noise(LARGE));
    assertThat(rows(RecordTypes.CHUNK)).isNotEmpty();
    sweepAll();
    assertThat(rows(RecordTypes.CHUNK)).as("its commit may still come").isNotEmpty();

    pass(LONG);
    sweepAll();

    assertThat(rows(RecordTypes.CHUNK)).isEmpty();
    assertThat(rows(RecordTypes.LARGE_VALUE)).isEmpty();
    assertThat(history(id)).hasSize(1);
  }

  @Test
  void housekeepingRemovesItAndExpiredMarkersByItself() {
    UUID id = newExecution().id();
    leave(id, noise(LARGE));
    List<Key> markers = rows(RecordTypes.COMMIT_MARKER).stream().map(Row::key).toList();
    assertThat(markers).as("what a creation leaves").isNotEmpty();
    pass(LONG);

    Node keeping = newNode(Duration.ZERO, Map.of("wovyr.housekeeping.every", "PT0.2S"));
    AtomicBoolean broke = new AtomicBoolean();
    keeping
        .probe()
        .beforeSystemScans(
            () -> {
              if (broke.compareAndSet(false, true)) {
                throw new IllegalStateException("a defect");
              }
            });

    Together.await(
        "they are gone, behind those of other tests",
        Duration.ofMinutes(3),
        () ->
            rows(RecordTypes.CHUNK).isEmpty()
                && rows(RecordTypes.LARGE_VALUE).isEmpty()
                && rows(RecordTypes.COMMIT_MARKER).stream()
                    .map(Row::key)
                    .noneMatch(markers::contains));
  }

  @Test
  void aSweepThatWasKilledIsGoneOnWith() {
    UUID id = newExecution().id();
    leave(id, noise(LARGE));
    pass(LONG);
    Node killed = newNode();
    AtomicBoolean marked = new AtomicBoolean();
    killed
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (marked.get()) {
                throw new IllegalStateException("killed");
              }
              marked.set(changesTo(batches, "REMOVING"));
              return store.commit(batches, deadline);
            });
    while (!marked.get()) {
      try {
        int unused = killed.persistence().system("contract").sweepLargeValues(1_000);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("killed");
      }
    }
    sweepAll();

    assertThat(rows(RecordTypes.CHUNK)).isEmpty();
    assertThat(rows(RecordTypes.LARGE_VALUE)).isEmpty();
  }

  @Test
  void aSlowCommitDoesNotPublishWhatIsBeingRemoved() {
    UUID id = newExecution().id();
    Payload value = noise(LARGE);
    AtomicBoolean slept = new AtomicBoolean();
    small
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (publishes(batches) && slept.compareAndSet(false, true)) {
                pass(LONG);
                sweepAll();
                assertThat(rows(RecordTypes.CHUNK)).isEmpty();
              }
              return store.commit(batches, deadline);
            });

    committed(here().events().append(id, Append.signal("slow"), event("Slow").withPayload(value)));

    assertThat(slept).isTrue();
    assertThat(payload(id, 2)).isEqualTo(value);
    assertNothingIsLeftOver();
    assertThat(payload(id, 2)).isEqualTo(value);
  }

  @Test
  void aSweepDoesNotRemoveWhatIsPublishedMeanwhile() {
    UUID id = newExecution().id();
    Payload value = noise(LARGE);
    Node sweeper = newNode();
    AtomicBoolean published = new AtomicBoolean();
    small
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (!publishes(batches) || published.get()) {
                return store.commit(batches, deadline);
              }
              pass(LONG);
              List<io.wovyr.persistence.storage.spi.CommitOutcome> outcome = new ArrayList<>();
              sweeper
                  .probe()
                  .aroundCommit(
                      (other, theirs, until) -> {
                        if (changesTo(theirs, "REMOVING") && published.compareAndSet(false, true)) {
                          outcome.addAll(store.commit(batches, Deadline.after(SOON)));
                        }
                        return other.commit(theirs, until);
                      });
              int unused = sweeper.persistence().system("contract").sweepLargeValues(1_000);
              return outcome.isEmpty() ? store.commit(batches, deadline) : outcome;
            });

    committed(here().events().append(id, Append.signal("late"), event("Late").withPayload(value)));

    assertThat(published).isTrue();
    assertThat(payload(id, 2)).isEqualTo(value);
    assertNothingIsLeftOver();
    assertThat(payload(id, 2)).isEqualTo(value);
  }

  @Test
  void whatIsReplacedIsRemoved() {
    UUID id = newExecution().id();
    Lease lease = lease(id);
    ActivityExecution activity =
        only(
            committed(
                here()
                    .unitOfWork()
                    .append(id, Append.next(lease), List.of(event("Scheduled")))
                    .with(here().activities().schedule(id, NewActivity.of("scan", "s")))
                    .commit()),
            ActivityExecution.class);
    activity =
        only(
            committed(
                here()
                    .unitOfWork()
                    .renew(lease)
                    .with(here().activities().start(activity, "worker-1"))
                    .commit()),
            ActivityExecution.class);
    Payload last = noise(LARGE);
    for (Payload details : List.of(noise(LARGE), noise(LARGE), last)) {
      activity =
          only(
              committed(
                  here()
                      .unitOfWork()
                      .renew(lease)
                      .with(here().activities().heartbeat(activity, Optional.of(details)))
                      .commit()),
              ActivityExecution.class);
    }
    assertThat(rows(RecordTypes.LARGE_VALUE)).hasSize(3);
    sweepAll();
    assertThat(rows(RecordTypes.LARGE_VALUE))
        .as("who has read the record may still open them")
        .hasSize(3);

    pass(Duration.ofMinutes(1));
    sweepAll();

    assertThat(rows(RecordTypes.LARGE_VALUE)).hasSize(1);
    ActivityExecution stored = repositories().activities().find(id, "scan").orElseThrow();
    assertThat(repositories().activities().heartbeatDetails(stored)).contains(last);
    assertNothingIsLeftOver();
  }

  @Test
  void whatIsPurgedIsRemovedAndNothingElse() {
    UUID id = newExecution().id();
    Lease lease = lease(id);
    for (int i = 3; i <= 8; i++) {
      committed(
          here().events().append(id, Append.next(lease), event("E").withPayload(noise(LARGE + i))));
    }
    Payload seventh = payload(id, 7);
    committed(
        here()
            .executions()
            .transition(
                here().executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.COMPLETED),
                Append.next(lease)));
    int chunks = rows(RecordTypes.CHUNK).size();

    assertThat(repositories().events().purge(id, 7, false)).isEqualTo(6);
    pass(Duration.ofMinutes(1));
    sweepAll();

    assertThat(rows(RecordTypes.CHUNK)).hasSize(chunks / 6 * 2);
    assertThat(payload(id, 7)).isEqualTo(seventh);
    assertThat(repositories().events().purge(id, 10, false)).isEqualTo(3);
    pass(Duration.ofMinutes(1));
    sweepAll();
    assertThat(rows(RecordTypes.CHUNK)).isEmpty();
    assertThat(rows(RecordTypes.LARGE_VALUE)).isEmpty();
  }

  @Test
  void allValuesOfAPurgedEventAreRemovedHoweverManyThereAre() {
    UUID id = newExecution().id();
    Lease lease = lease(id);
    int most = Math.min(10_000, node().probe().limits().batchItems());
    int values = Math.min(300, most / 4);
    Node tiny = newNode(Duration.ZERO, Map.of("wovyr.payload.inline-limit", "8192"));
    NewEvent event = event("Many");
    for (int i = 0; i < values; i++) {
      event = event.put(Section.VARIABLES, "v" + i, noise(5 << 10));
    }
    committed(tiny.as(tenant()).events().append(id, Append.next(lease), event));
    committed(
        here()
            .executions()
            .transition(
                here().executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.COMPLETED),
                Append.next(lease)));

    assertThat(repositories().events().purge(id, 5, false)).isEqualTo(4);
    pass(Duration.ofMinutes(1));
    sweepAll();

    assertThat(rows(RecordTypes.LARGE_VALUE)).isEmpty();
    assertThat(rows(RecordTypes.CHUNK)).isEmpty();
  }

  @Test
  void nobodyRemovesTheValueOfAnotherRecordByReplacingIt() {
    UUID id = newExecution().id();
    Lease lease = lease(id);
    Payload value = noise(LARGE);
    WorkflowEvent event =
        only(
            committed(
                here().events().append(id, Append.next(lease), event("E").withPayload(value))),
            WorkflowEvent.class);
    ActivityExecution activity =
        only(
            committed(
                here()
                    .unitOfWork()
                    .append(id, Append.next(lease), List.of(event("Scheduled")))
                    .with(here().activities().schedule(id, NewActivity.of("scan", "s")))
                    .commit()),
            ActivityExecution.class);
    committed(
        here()
            .unitOfWork()
            .renew(lease)
            .with(here().activities().start(activity, "worker-1"))
            .commit());
    Row row = rawRow(Key.of(RecordTypes.ACTIVITY, id, "scan"));
    rawCommit(
        new Mutation.Update(
            row,
            row.with("heartbeatDetails", event.payload().orElseThrow())
                .with(row.header().next(row.header().updatedAt(), "past the library"))));
    ActivityExecution forged = here().activities().find(id, "scan").orElseThrow();

    committed(
        here()
            .unitOfWork()
            .renew(lease)
            .with(here().activities().heartbeat(forged, Optional.of(Payload.text("small"))))
            .commit());
    pass(Duration.ofMinutes(1));
    sweepAll();

    assertThat(payload(id, event.sequence())).isEqualTo(value);
  }

  @Test
  void whatWasWrittenForALostRaceIsRemovedSoon() {
    UUID id = newExecution().id();
    committed(
        here().events().append(id, Append.signal("once"), event("Once").withPayload(noise(9))));

    NewEvent another = event("Another").withPayload(noise(LARGE));
    assertThat(here().events().append(id, Append.signal("once"), another).isCommitted()).isFalse();
    assertThat(rows(RecordTypes.CHUNK)).isNotEmpty();
    pass(Duration.ofMinutes(1));
    sweepAll();

    assertThat(rows(RecordTypes.CHUNK)).isEmpty();
  }

  @Test
  void aWriterThatSleptTooLongLeavesNoChunksBehind() {
    UUID id = newExecution().id();
    Payload value = noise(LARGE);
    AtomicBoolean slept = new AtomicBoolean();
    small
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              boolean chunks =
                  batches.stream()
                      .flatMap(batch -> batch.mutations().stream())
                      .anyMatch(mutation -> mutation.key().type() == RecordTypes.CHUNK);
              if (chunks && slept.compareAndSet(false, true)) {
                pass(LONG);
                sweepAll();
              }
              return store.commit(batches, deadline);
            });

    assertThatThrownBy(
            () -> here().events().append(id, Append.signal("slow"), event("S").withPayload(value)))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("try again");
    assertThat(rows(RecordTypes.CHUNK)).isEmpty();

    committed(here().events().append(id, Append.signal("slow"), event("S").withPayload(value)));
    assertThat(payload(id, 2)).isEqualTo(value);
    assertNothingIsLeftOver();
  }

  private UUID withLargeEvent() {
    UUID id = newExecution().id();
    committed(
        here()
            .events()
            .append(
                id,
                Append.signal("large"),
                event("Large").withPayload(noise(node().probe().limits().recordBytes() + LARGE))));
    return id;
  }

  private List<Row> chunksOf(UUID id) {
    Row event = rawRow(Key.of(RecordTypes.EVENT, id, 2L));
    UUID value = ((Body.Chunked) body(event)).stageId();
    return rows(RecordTypes.CHUNK).stream()
        .filter(row -> row.key().values().contains(value))
        .toList();
  }

  private static Body body(Row event) {
    return ((io.wovyr.persistence.payload.StoredPayload)
            java.util.Objects.requireNonNull(event.get("payload")))
        .body();
  }

  @Test
  void aMissingChunkIsFound() {
    UUID id = withLargeEvent();
    List<Row> chunks = chunksOf(id);
    rawCommit(new Mutation.Delete(chunks.get(chunks.size() - 1)));

    assertThatThrownBy(() -> payload(id, 2))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("chunks")
        .hasMessageContaining("workflow_event");
  }

  @Test
  void aMissingFirstChunkIsFound() {
    UUID id = withLargeEvent();
    rawCommit(new Mutation.Delete(chunksOf(id).get(0)));

    assertThatThrownBy(() -> payload(id, 2))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("lacks its chunk 0");
  }

  @Test
  void chunksThatChangedPlacesAreFound() {
    UUID id = withLargeEvent();
    List<Row> chunks = chunksOf(id);
    Row first = chunks.get(0);
    Row second = chunks.get(1);
    rawCommit(
        new Mutation.Update(first, exchanged(first, second)),
        new Mutation.Update(second, exchanged(second, first)));

    assertThatThrownBy(() -> payload(id, 2)).isInstanceOf(Corrupt.class);
  }

  private static Row exchanged(Row row, Row other) {
    return row.with("content", other.get("content"))
        .with(row.header().next(row.header().updatedAt(), "past the library"));
  }

  @Test
  void moreThanAValueSaysIsNeverHeldInMemory() {
    UUID id = withLargeEvent();
    Row last = chunksOf(id).get(chunksOf(id).size() - 1);
    int most = node().probe().limits().recordBytes() - (3 << 10);
    Row grown =
        last.with("content", Bytes.wrap(new byte[most]))
            .with(last.header().next(last.header().updatedAt(), "past the library"));
    rawCommit(new Mutation.Update(last, grown));

    assertThatThrownBy(() -> payload(id, 2)).isInstanceOf(Corrupt.class);
  }

  @Test
  void aChunkOfANewerVersionIsRefused() {
    UUID id = withLargeEvent();
    rawSpoil(chunksOf(id).get(1).key(), Unreadable.NEWER);

    assertThatThrownBy(() -> payload(id, 2))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("chunk");
  }

  @Test
  void chunksOfAnotherTenantAreNotRead() {
    UUID id = withLargeEvent();
    Body theirs = body(rawRow(Key.of(RecordTypes.EVENT, id, 2L)));
    String other = tenant() + "-other";
    Repositories foreigner = small.as(other);
    WorkflowExecution execution = newExecution(foreigner);
    committed(
        foreigner
            .events()
            .append(execution.id(), Append.signal("s"), event("S").withPayload(noise(LARGE))));
    WorkflowEvent event = foreigner.events().find(execution.id(), 2).orElseThrow();
    WorkflowEvent moved =
        new WorkflowEvent(
            event.header(),
            event.executionId(),
            event.sequence(),
            event.type(),
            event.correlationId(),
            event.causationId(),
            event.dedupeKey(),
            event.fencingToken(),
            event.commitId(),
            event.payload().map(stored -> stored.with(theirs)),
            event.changes());

    assertThatThrownBy(() -> foreigner.events().payload(moved))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("has 0 of its");
  }
}
