/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.state.WorkflowState;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appending and reading events under a lease. */
public abstract class EventsContract extends RepositoryContract {
  protected EventsContract(TestStore.Factory stores) {
    super(stores);
  }

  /** Appends events one by one until the execution has so many. */
  private Lease withEvents(UUID id, int count) {
    Lease lease = acquire(id);
    for (long last = head(id).lastSequence(); last < count; last++) {
      committed(
          repositories().events().append(id, Append.after(lease, last), put("k" + last, "v")));
    }
    return lease;
  }

  private static long number(CommitResult result) {
    return only(committed(result), WorkflowEvent.class).sequence();
  }

  @Test
  @DisplayName("C003: of 20 appends after event 7 one succeeds, the stream ends at 8")
  void oneOfTwentyAtTheSameSequenceWins() {
    UUID id = newExecution().id();
    Lease lease = withEvents(id, 7);

    List<CommitResult> results =
        Together.run(
            20, i -> repositories().events().append(id, Append.after(lease, 7), event("E" + i)));

    List<CommitResult> won = results.stream().filter(CommitResult::isCommitted).toList();
    assertThat(won).hasSize(1);
    assertThat(number(won.get(0))).isEqualTo(8);
    results.stream()
        .filter(result -> !result.isCommitted())
        .forEach(result -> conflict(result, Reason.WRONG_SEQUENCE));
    assertThat(history(id)).hasSize(8);
    assertThat(history(id).get(7)).isEqualTo(only(committed(won.get(0)), WorkflowEvent.class));
  }

  @Test
  @DisplayName("C003: 20 appends at any place succeed, each with a number of its own")
  void twentyAtAnyPlaceAllSucceed() {
    UUID id = newExecution().id();
    Lease lease = withEvents(id, 7);

    List<CommitResult> results =
        Together.run(
            20, i -> repositories().events().append(id, Append.next(lease), event("E" + i)));

    assertThat(results.stream().map(EventsContract::number).sorted().toList())
        .isEqualTo(LongStream.rangeClosed(8, 27).boxed().toList());
    List<WorkflowEvent> history = history(id);
    for (CommitResult result : results) {
      WorkflowEvent event = only(committed(result), WorkflowEvent.class);
      assertThat(history.get((int) event.sequence() - 1)).isEqualTo(event);
    }
  }

  @Test
  @DisplayName("C003: 20 signals at once succeed, each with a number of its own")
  void twentySignalsAllSucceed() {
    UUID id = newExecution().id();
    List<Repositories> processes = List.of(repositories(), newNode().as(tenant()));

    List<CommitResult> results =
        Together.run(
            20,
            i ->
                processes
                    .get(i % 2)
                    .events()
                    .append(id, Append.signal("signal-" + i), event("E" + i)));

    assertThat(results.stream().map(EventsContract::number).sorted().toList())
        .isEqualTo(LongStream.rangeClosed(2, 21).boxed().toList());
    assertThat(history(id)).hasSize(21);
  }

  @Test
  @DisplayName("C022: parallel branches of one lease lose no result and double no number")
  void sixteenBranchesLoseNothing() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    int each = 5;

    List<List<Long>> numbers =
        Together.run(
            16,
            branch ->
                IntStream.range(0, each)
                    .mapToObj(
                        i ->
                            number(
                                repositories()
                                    .events()
                                    .append(
                                        id, Append.next(lease), put("r" + branch, "result " + i))))
                    .toList());

    List<Long> all = numbers.stream().flatMap(List::stream).sorted().toList();
    assertThat(all).isEqualTo(LongStream.rangeClosed(3, 2 + 16L * each).boxed().toList());
    numbers.forEach(ofBranch -> assertThat(ofBranch).isSorted());
    for (int branch = 0; branch < 16; branch++) {
      assertThat(variable(id, "r" + branch)).contains("result " + (each - 1));
    }
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  @DisplayName("C022: branches, signals and heartbeats at the same time lose nothing")
  void branchesSignalsAndHeartbeatsLoseNothing() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories outside = newNode().as(tenant());

    List<Integer> done =
        Together.run(
            12,
            i -> {
              for (int round = 0; round < 8; round++) {
                String name = i + "/" + round;
                switch (i % 3) {
                  case 0 ->
                      committed(
                          repositories()
                              .events()
                              .append(id, Append.next(lease), put(name, "branch")));
                  case 1 ->
                      committed(
                          outside.events().append(id, Append.signal(name), put(name, "signal")));
                  default -> assertThat(repositories().leases().heartbeat(lease)).isTrue();
                }
              }
              return i;
            });

    assertThat(done).hasSize(12);
    assertThat(history(id)).hasSize(2 + 8 * 8);
    assertThat(repositories().executions().state(id).size()).isEqualTo(1 + 64);
  }

  @Test
  void severalEventsAreOneCommitWithNumbersInOrder() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);

    Committed done =
        committed(
            repositories()
                .events()
                .append(id, Append.next(lease), List.of(event("A"), event("B"), event("C"))));

    List<WorkflowEvent> events = done.records(WorkflowEvent.class);
    assertThat(events.stream().map(WorkflowEvent::sequence)).containsExactly(2L, 3L, 4L);
    assertThat(events).allMatch(event -> event.commitId().equals(done.commitId()));
    assertThat(events).allMatch(event -> event.fencingToken() == lease.token());
    assertThat(history(id).subList(1, 4)).isEqualTo(events);
    assertThat(lease.head()).isEqualTo(head(id));
  }

  @Test
  void appendAfterAnotherEventThanTheLastIsWrong() {
    UUID id = newExecution().id();
    Lease lease = withEvents(id, 3);

    for (long wrong : new long[] {0, 2, 4, 100}) {
      conflict(
          repositories().events().append(id, Append.after(lease, wrong), event("X")),
          Reason.WRONG_SEQUENCE);
    }

    assertThat(history(id)).hasSize(3);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void anAppendRepeatedAfterACrashSucceedsAndChangesNothing() {
    UUID id = newExecution().id();
    List<NewEvent> events =
        List.of(
            put("a", "1").withId(UUID.randomUUID()).withPayload(Payload.text("paid")),
            event("B").withId(UUID.randomUUID()).remove(Section.VARIABLES, "gone"));
    Lease first = acquire(id);
    Committed before =
        committed(repositories().events().append(id, Append.after(first, 1), events));
    Node other = newNode();
    Lease second = takeOver(other.as(tenant()), id, "worker-2");

    Committed again =
        committed(other.as(tenant()).events().append(id, Append.after(second, 1), events));

    assertThat(again.commitId()).isEqualTo(before.commitId());
    assertThat(again.records(WorkflowEvent.class)).isEqualTo(before.records(WorkflowEvent.class));
    assertThat(history(id)).hasSize(3);
    assertThat(second.isHeld()).isTrue();
    committed(other.as(tenant()).events().append(id, Append.after(second, 3), event("Next")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"type", "payload", "value", "key", "correlation", "id", "no id", "less", "more"})
  void theSamePlaceWithOtherContentIsAConflict(String difference) {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    UUID eventId = UUID.randomUUID();
    NewEvent event = put("a", "1").withId(eventId).withPayload(Payload.text("17 EUR"));
    NewEvent tail = event("Tail").withId(UUID.randomUUID());
    committed(repositories().events().append(id, Append.after(lease, 1), List.of(event, tail)));

    List<NewEvent> other =
        switch (difference) {
          case "type" -> List.of(retyped(event), tail);
          case "payload" -> List.of(event.withPayload(Payload.text("18 EUR")), tail);
          case "value" ->
              List.of(put("a", "2").withId(eventId).withPayload(Payload.text("17 EUR")), tail);
          case "key" ->
              List.of(put("b", "1").withId(eventId).withPayload(Payload.text("17 EUR")), tail);
          case "correlation" -> List.of(event.withCorrelationId(UUID.randomUUID()), tail);
          case "id" -> List.of(event.withId(UUID.randomUUID()), tail);
          case "no id" -> List.of(put("a", "1").withPayload(Payload.text("17 EUR")), event("Tail"));
          case "less" -> List.of(event);
          default -> List.of(event, tail, event("More").withId(UUID.randomUUID()));
        };

    conflict(
        repositories().events().append(id, Append.after(lease, 1), other), Reason.WRONG_SEQUENCE);
    assertThat(history(id)).hasSize(3);
    assertThat(variable(id, "a")).contains("1");
  }

  private static NewEvent retyped(NewEvent event) {
    return new NewEvent(
        "Other",
        event.id(),
        event.correlationId(),
        event.causationId(),
        event.payload(),
        event.changes());
  }

  @Test
  @DisplayName("C010: with disordered clocks the order is that of the sequence")
  void theOrderIsTheSequenceWhateverTheClocksSay() {
    UUID id = newExecution().id();
    List<Integer> secondsWrong = List.of(3_637, 3_645, 3_647, 3_613, -7_200, 86_400, 0);
    for (int i = 0; i < secondsWrong.size(); i++) {
      Node process = newNode(Duration.ofMillis(secondsWrong.get(i)), Map.of());
      committed(
          process
              .as(tenant())
              .events()
              .append(id, Append.signal("s" + i), put("latest", "value " + i)));
    }

    List<Instant> times = history(id).stream().map(WorkflowEvent::committedAt).toList();
    List<Instant> sorted = new ArrayList<>(times);
    Collections.sort(sorted);
    assertThat(times).as("the clocks are disordered").isNotEqualTo(sorted);
    assertThat(variable(id, "latest")).contains("value 6");
    assertThat(head(id).lastSequence()).isEqualTo(8);
    Lease lease = acquire(id);
    assertThat(lease.head().lastSequence()).isEqualTo(8);
    committed(repositories().events().append(id, Append.after(lease, 8), event("Next")));
  }

  /** Removes one event and nothing else, as no repository would. */
  private void seedGap(UUID id, long sequence) {
    Storage raw = rawStorage();
    Row head = rawRow(Key.of(RecordTypes.HEAD, id));
    Row touched = head.with(head.header().next(head.header().updatedAt(), "seed"));
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            raw.identity().epoch(),
            scope(),
            Optional.empty(),
            List.of(new Mutation.Update(head, touched)),
            List.of());
    PurgeOutcome outcome =
        raw.purge(
            scope(),
            new Purge(batch, RecordTypes.EVENT, List.of(id), sequence, sequence + 1, List.of()),
            Deadline.after(SOON));
    assertThat(outcome).isEqualTo(new PurgeOutcome.Purged(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 4})
  @DisplayName("C012: a missing event is an error that names execution and number")
  void aMissingEventIsAnError(long missing) {
    UUID broken = newExecution().id();
    withEvents(broken, 4);
    UUID whole = newExecution().id();
    withEvents(whole, 4);
    seedGap(broken, missing);

    for (int limit : new int[] {1, 2, 3, 4, 100}) {
      assertThatThrownBy(() -> readAll(broken, limit))
          .as("pages of %s", limit)
          .isInstanceOf(BrokenHistory.class)
          .hasMessageContaining(broken.toString())
          .hasMessageContaining("missing " + missing)
          .extracting(error -> ((BrokenHistory) error).sequence())
          .isEqualTo(missing);
    }
    assertThatThrownBy(() -> repositories().executions().state(broken))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining("missing " + missing);
    assertThat(readAll(whole, 3)).hasSize(4);
    assertThat(repositories().executions().state(whole).size()).isEqualTo(4);
  }

  private List<WorkflowEvent> readAll(UUID id, int limit) {
    List<WorkflowEvent> events = new ArrayList<>();
    Optional<String> next = Optional.of("1");
    while (next.isPresent()) {
      Page<WorkflowEvent> page =
          repositories().events().read(id, Long.parseLong(next.get()), limit);
      assertThat(page.items().size()).isLessThanOrEqualTo(limit);
      events.addAll(page.items());
      next = page.next();
    }
    return events;
  }

  @Test
  @DisplayName("C012: a doubled event is an error, in one page and between two")
  void aDoubledEventIsAnError() {
    UUID id = newExecution().id();
    withEvents(id, 4);
    List<Row> rows =
        LongStream.of(1, 2, 3, 3, 4)
            .mapToObj(sequence -> rawRow(Key.of(RecordTypes.EVENT, id, sequence)))
            .toList();

    node().probe().aroundScan((store, scope, scan, options) -> new Page<>(rows, Optional.empty()));
    assertThatThrownBy(() -> repositories().events().read(id, 1, 100))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining(id.toString())
        .hasMessageContaining("duplicate 3");
    assertThatThrownBy(() -> repositories().executions().state(id))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining("duplicate 3");

    node()
        .probe()
        .aroundScan(
            (store, scope, scan, options) ->
                scan.after().isEmpty()
                    ? new Page<>(rows.subList(0, 3), Optional.of("more"))
                    : new Page<>(rows.subList(3, 5), Optional.empty()));
    assertThatThrownBy(() -> repositories().executions().state(id))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining("duplicate 3");

    node().probe().aroundScan(Storage::scan);
    assertThat(history(id)).hasSize(4);
  }

  @Test
  @DisplayName("C005: replay goes on strictly after the cursor")
  void replayGoesOnStrictlyAfterTheCursor() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    for (int add : new int[] {1, 2, 4, 8, 16, 32}) {
      committed(
          repositories()
              .events()
              .append(id, Append.next(lease), put("n" + add, Integer.toString(add))));
    }

    assertThat(sum(repositories().executions().state(id, 5))).isEqualTo(15);
    assertThat(sum(repositories().executions().state(id))).isEqualTo(63);
    for (long cursor = 0; cursor <= 7; cursor++) {
      WorkflowState state = repositories().executions().state(id, cursor);
      for (WorkflowEvent event : repositories().events().read(id, cursor + 1, 100).items()) {
        assertThat(event.sequence()).isGreaterThan(cursor);
        state = state.apply(event);
      }
      assertThat(sum(state)).as("from cursor %s", cursor).isEqualTo(63);
      assertThat(state.hash()).isEqualTo(repositories().executions().state(id).hash());
    }
    assertThat(repositories().executions().state(id, 0).size()).isZero();
  }

  private int sum(WorkflowState state) {
    int[] sum = {0};
    state.forEach(
        (key, leaf) -> {
          if (key.section() == Section.VARIABLES) {
            sum[0] += Integer.parseInt(repositories().open(leaf).content().utf8());
          }
        });
    return sum[0];
  }

  @Test
  void aLongHistoryReplaysOverManyPages() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    int perCommit = Math.min(200, node().probe().limits().batchItems() / 5);
    int events = 1;
    while (events < 2_300) {
      List<NewEvent> some = new ArrayList<>();
      for (int i = 0; i < perCommit; i++) {
        events++;
        some.add(put("key" + events % 7, Integer.toString(events)));
      }
      committed(repositories().events().append(id, Append.next(lease), some));
    }

    WorkflowState state = repositories().executions().state(id);

    assertThat(state.size()).isEqualTo(8);
    assertThat(variable(id, "key" + events % 7)).contains(Integer.toString(events));
    assertThat(repositories().executions().state(id, 1_500).size()).isEqualTo(8);
    assertThat(readAll(id, 700)).hasSize(events);
  }

  @Test
  void pagesEndWhereTheHistoryEnds() {
    UUID id = newExecution().id();
    withEvents(id, 5);

    for (int limit = 1; limit <= 6; limit++) {
      assertThat(readAll(id, limit).stream().map(WorkflowEvent::sequence))
          .containsExactly(1L, 2L, 3L, 4L, 5L);
    }
    assertThat(repositories().events().read(id, 4, 10).items()).hasSize(2);
    assertThat(repositories().events().read(id, 6, 10).items()).isEmpty();
    assertThat(repositories().events().read(id, 60, 10).items()).isEmpty();
    assertThat(repositories().events().read(UUID.randomUUID(), 1, 10).items()).isEmpty();
    assertThatThrownBy(() -> repositories().events().read(id, 0, 10))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> repositories().executions().state(id, 6))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> repositories().executions().state(id, -1))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void eventsAreFoundByWhatTheyBelongTo() {
    UUID request = UUID.randomUUID();
    UUID command = UUID.randomUUID();
    UUID first = newExecution().id();
    UUID second = newExecution().id();
    for (UUID id : List.of(first, second)) {
      for (int i = 0; i < 3; i++) {
        committed(
            repositories()
                .events()
                .append(
                    id,
                    Append.signal("s" + i),
                    event("E" + i).withCorrelationId(request).withCausationId(command)));
      }
      committed(repositories().events().append(id, Append.signal("other"), event("Other")));
    }

    List<WorkflowEvent> byCorrelation = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowEvent> page = repositories().events().byCorrelation(request, 2, next);
      byCorrelation.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    assertThat(byCorrelation).hasSize(6).doesNotHaveDuplicates();
    assertThat(byCorrelation).allMatch(event -> event.correlationId().equals(Optional.of(request)));
    List<WorkflowEvent> byCausation = new ArrayList<>();
    do {
      Page<WorkflowEvent> page = repositories().events().byCausation(command, 4, next);
      byCausation.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    assertThat(byCausation).hasSize(6);
    assertThat(
            repositories().events().byCorrelation(UUID.randomUUID(), 10, Optional.empty()).items())
        .isEmpty();
  }

  @Test
  void payloadsAndValuesComeBackAsTheyWere() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    Payload payload = Payload.of("application/cbor", new byte[] {0, 1, (byte) 0xff});
    NewEvent event =
        event("Charged")
            .withPayload(payload)
            .putPayload(Section.ACTIVITIES, "charge")
            .put(Section.VARIABLES, "receipt", Payload.text("r-1"))
            .remove(Section.RETRIES, "charge");

    WorkflowEvent stored =
        only(
            committed(repositories().events().append(id, Append.next(lease), event)),
            WorkflowEvent.class);

    assertThat(repositories().events().find(id, 2)).contains(stored);
    assertThat(repositories().events().payload(stored)).contains(payload);
    assertThat(repositories().events().value(stored, 0)).contains(payload);
    assertThat(repositories().events().value(stored, 1)).contains(Payload.text("r-1"));
    assertThat(repositories().events().value(stored, 2)).isEmpty();
    assertThat(repositories().events().find(id, 3)).isEmpty();
    WorkflowState state = repositories().executions().state(id);
    assertThat(state.get(Section.ACTIVITIES, "charge").map(repositories()::open)).contains(payload);
  }

  @Test
  void whatTheLibrarySaysNoApplicationSays() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    for (String key : List.of("status", "input", "outcome")) {
      for (NewEvent event :
          List.of(
              event("Lies").put(Section.WORKFLOW, key, Payload.text("COMPLETED")),
              event("Lies").withPayload(Payload.text("x")).putPayload(Section.WORKFLOW, key),
              event("Lies").remove(Section.WORKFLOW, key))) {
        assertThatThrownBy(() -> repositories().events().append(id, Append.next(lease), event))
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("workflow/" + key);
      }
    }
    assertThatThrownBy(
            () -> repositories().events().append(id, Append.next(lease), event("wovyr.Own")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("reserved");
    assertThat(types(id)).doesNotContain("Lies", "wovyr.Own");
  }

  @Test
  void anEventIdIsGivenOnceInAUnit() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    NewEvent event = event("Once").withId(UUID.randomUUID());
    assertThatThrownBy(
            () -> repositories().events().append(id, Append.next(lease), List.of(event, event)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("twice");
  }

  @Test
  void aRepeatedEventDoesNotSayThatWhatItNeverHadBesideItWasWritten() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    NewEvent told = event("Told").withId(UUID.randomUUID());
    committed(repositories().events().append(id, Append.after(lease, 1), told));

    UnitOfWork more =
        repositories()
            .unitOfWork()
            .append(id, Append.after(lease, 1), told)
            .with(repositories().activities().begin(id, NewActivity.of("b", "Bill"), "worker"));

    conflict(more.commit(), Reason.WRONG_SEQUENCE);
    assertThat(repositories().activities().find(id, "b")).isEmpty();
  }

  @Test
  void aRepeatedEventDoesNotSayThatANewerChangeBesideItWasWritten() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.after(lease, 1), event("Scheduled"))
            .with(repositories().activities().begin(id, NewActivity.of("b", "Bill"), "worker"))
            .commit());
    NewEvent told = event("Told").withId(UUID.randomUUID());
    committed(repositories().events().append(id, Append.after(lease, 2), told));
    ActivityExecution begun = repositories().activities().find(id, "b").orElseThrow();

    UnitOfWork more =
        repositories()
            .unitOfWork()
            .append(id, Append.after(lease, 2), told)
            .with(repositories().activities().complete(begun, Optional.of(Payload.text("paid"))));

    conflict(more.commit(), Reason.WRONG_SEQUENCE);
    assertThat(repositories().activities().find(id, "b")).contains(begun);
  }

  @Test
  void aStepThatIsRepeatedAfterACrashFreesTheLeaseItIsRepeatedUnder() {
    UUID id = newExecution().id();
    NewEvent done = event("Done").withId(UUID.randomUUID());
    Lease first = acquire(id);
    committed(step(id, first, done));
    Lease second = acquire(id);

    Committed again = committed(step(id, second, done));

    assertThat(types(id)).containsOnlyOnce("Done");
    assertThat(only(again, ExecutionHead.class).owner()).isEmpty();
    assertThat(repositories().leases().acquire(id, "another", TTL)).isInstanceOf(Acquired.class);
  }

  private CommitResult step(UUID id, Lease lease, NewEvent event) {
    return repositories()
        .unitOfWork()
        .append(id, Append.after(lease, 1), event)
        .release(lease, Wake.now())
        .commit();
  }
}
