/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fate;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fault;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Where;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Durable steps through errors in random order: none acknowledged is lost, none happens twice. */
class StepsUnderErrorsTest {
  private static final int STEPS = 150;
  private static final List<Integer> MAYBE = List.of(1021, 1031, 1039, 1025);

  private final FakeStore store = FakeStore.migrated();
  private final FakeFaults faults = store.cluster().faults;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void everyAcknowledgedStepIsThereOnceAndTheFeedHasEachOnce() {
    UUID execution = UUID.randomUUID();
    try (Storage storage = store.open()) {
      Row head = TestRows.head(execution);
      storage.commit(List.of(TestRows.batch(new Mutation.Insert(head))), TestRows.deadline());
      for (int step = 1; step <= STEPS; step++) {
        head = stepped(storage, head);
      }
      faults.none();
      faults.deliver();
      assertThat(sequences(TestRows.all(storage, RecordTypes.EVENT, execution)))
          .as("seed " + seed)
          .isEqualTo(oneTo(STEPS));
      assertThat(sequences(fed(storage))).as("seed " + seed).isEqualTo(oneTo(STEPS));
    }
  }

  /** One step, submitted again as it is until the answer is known. */
  private Row stepped(Storage storage, Row head) {
    Batch batch = TestRows.step(head);
    while (true) {
      faults.none();
      faults.script(errors());
      try {
        Duration within = Duration.ofMillis(random.nextInt(4) == 0 ? 5 : 10_000);
        CommitOutcome outcome = storage.commit(List.of(batch), Deadline.after(within)).get(0);
        faults.none();
        if (outcome instanceof CommitOutcome.Conflict) {
          // An unknown outcome before: it was applied, as the row itself says.
          assertThat(TestRows.stored(storage, head.key())).contains(TestRows.stepped(head));
        }
        return TestRows.stepped(head);
      } catch (OutcomeUnknown | Unavailable e) {
        if (random.nextBoolean()) {
          faults.deliver();
        }
      }
    }
  }

  private List<Fault> errors() {
    List<Fault> errors = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      int maybe = MAYBE.get(random.nextInt(MAYBE.size()));
      errors.add(
          switch (random.nextInt(6)) {
            case 0 -> new Fault(Where.COMMIT, maybe, Fate.DELIVERED);
            case 1 -> new Fault(Where.COMMIT, maybe, Fate.DELAYED);
            case 2 -> new Fault(Where.COMMIT, maybe, Fate.LOST, faults::deliver);
            case 3 -> new Fault(Where.COMMIT, 1020, Fate.LOST);
            case 4 -> new Fault(Where.READ, 1007, Fate.LOST);
            default -> new Fault(Where.READ_VERSION, 1009, Fate.LOST, faults::deliver);
          });
    }
    return errors;
  }

  private static List<Row> fed(Storage storage) {
    List<Row> fed = new ArrayList<>();
    Optional<io.wovyr.persistence.feed.FeedCursor> after = Optional.empty();
    while (true) {
      var chunk = storage.feed(TestRows.SCOPE, after, 10, TestRows.deadline());
      if (chunk.entries().isEmpty()) {
        return fed;
      }
      chunk.entries().forEach(entry -> fed.add(entry.row()));
      after = chunk.next();
    }
  }

  private static List<Long> sequences(List<Row> events) {
    return events.stream()
        .filter(row -> row.type() == RecordTypes.EVENT)
        .map(row -> (Long) row.key().values().get(1))
        .toList();
  }

  private static List<Long> oneTo(long last) {
    return java.util.stream.LongStream.rangeClosed(1, last).boxed().toList();
  }
}
