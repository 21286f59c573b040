/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static io.wovyr.persistence.kv.foundationdb.TestWrites.body;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.place;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.ViewExpired;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fate;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is read is of one instant, for as long as the cluster keeps it; pages go on behind that. */
class ViewsTest {
  private static final int ROWS = 300;

  private final FakeStore store = FakeStore.migrated();
  private final FakeFdbCluster cluster = store.cluster();

  private static void put(Engine engine, Place place, int filler) {
    engine.write(
        List.of(
            new AtomicWrite(
                List.of(
                    new Change.Put(place, Condition.NONE, new Stored(filler, body(2, filler)))))),
        soon());
  }

  @Test
  void aViewStaysAtItsInstantThroughErrorsThatMayBeTriedAgain() {
    try (Engine engine = store.engine()) {
      put(engine, place("a", 1), 1);
      try (View view = engine.view(soon())) {
        assertThat(view.get(List.of(place("a", 1))).get(0).map(Stored::version)).contains(1L);
        put(engine, place("a", 1), 2);
        put(engine, place("a", 2), 2);
        cluster.faults.failReads(1009, 1037, 1213, 1006);
        assertThat(view.get(List.of(place("a", 1))).get(0).map(Stored::version)).contains(1L);
        assertThat(TestWrites.all(view, place("a", 2))).isEmpty();
      }
    }
  }

  @Test
  void aViewThatIsTooOldSaysSoAndNeverMixesInstants() {
    try (Engine engine = store.engine()) {
      put(engine, place("a", 1), 1);
      try (View view = engine.view(soon())) {
        view.get(List.of(place("a", 1)));
        assertThat(view.isFresh()).isTrue();
        cluster.pass(Duration.ofSeconds(3));
        assertThat(view.isFresh()).isFalse();
        view.get(List.of(place("a", 1)));
        cluster.pass(Duration.ofSeconds(3));
        assertThatThrownBy(() -> view.get(List.of(place("a", 1)))).isInstanceOf(ViewExpired.class);
      }
    }
  }

  private Storage filled() {
    Storage storage = KvStore.open(store.engine(), soon());
    List<Mutation> inserts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      inserts.add(new Mutation.Insert(TestRows.head(new UUID(7, i))));
    }
    storage.commit(List.of(TestRows.batch(inserts.toArray(Mutation[]::new))), TestRows.deadline());
    return storage;
  }

  /** Error 1007 and time that passes at every read: pages end early, and go on. */
  @Test
  void pagesGoOnHoweverLongReadingTakes() {
    try (Storage storage = filled()) {
      cluster.faults.beforeReads(() -> cluster.pass(Duration.ofMillis(1_300)));
      List<Row> rows = new ArrayList<>();
      Optional<String> next = Optional.empty();
      int pages = 0;
      do {
        Page<Row> page =
            storage.scan(
                TestRows.SCOPE,
                Scan.byKey(RecordTypes.HEAD, List.of(), 1_000).after(next),
                TestRows.strong());
        rows.addAll(page.items());
        next = page.next();
        pages++;
      } while (next.isPresent());
      assertThat(rows).hasSize(ROWS).doesNotHaveDuplicates();
      assertThat(pages).isGreaterThan(1);
    }
  }

  @Test
  void aPageThatIsOvertakenByTheFiveSecondsIsReadAgain() {
    try (Storage storage = filled()) {
      AtomicInteger reads = new AtomicInteger();
      cluster.faults.beforeReads(
          () -> {
            if (reads.incrementAndGet() == 3) {
              cluster.pass(Duration.ofSeconds(6));
            }
          });
      Page<Row> page =
          storage.scan(
              TestRows.SCOPE, Scan.byKey(RecordTypes.HEAD, List.of(), 1_000), TestRows.strong());
      assertThat(page.items()).hasSize(ROWS);
      assertThat(reads.get()).isGreaterThan(3);
    }
  }

  @Test
  void aReaderThatNeverGetsAnInstantHearsOfItAtTheDeadline() {
    try (Storage storage = filled()) {
      cluster.faults.beforeReads(() -> cluster.pass(Duration.ofSeconds(6)));
      ReadOptions hurried = ReadOptions.strong(Deadline.after(Duration.ofMillis(100)));
      assertThatThrownBy(
              () ->
                  storage.scan(
                      TestRows.SCOPE, Scan.byKey(RecordTypes.HEAD, List.of(), 10), hurried))
          .isInstanceOf(Unavailable.class);
    }
  }

  @Test
  void countingGoesOnHoweverLongItTakes() {
    try (Storage storage = filled()) {
      cluster.faults.beforeReads(() -> cluster.pass(Duration.ofMillis(1_700)));
      assertThat(
              storage
                  .statistics(TestRows.SCOPE, Deadline.after(Duration.ofSeconds(20)))
                  .records()
                  .get(RecordTypes.HEAD.name()))
          .isEqualTo(ROWS);
    }
  }

  /** What a view shows up to its horizon is all that will ever lie there. */
  @Test
  void nothingEverAppearsAtOrBelowAHorizon() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService writers = Executors.newFixedThreadPool(3);
    try (Engine engine = store.engine()) {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < 3; writer++) {
        int filler = writer;
        running.add(
            writers.submit(
                () -> {
                  for (int i = 0; i < 200 && !stop.get(); i++) {
                    append(engine, filler);
                  }
                }));
      }
      while (running.stream().anyMatch(one -> !one.isDone())) {
        Bytes horizon;
        Set<Place> seen;
        try (View view = engine.view(soon())) {
          horizon = view.horizon();
          seen = upTo(view, horizon);
          assertThat(seen).as("a view shows nothing above its horizon").hasSameSizeAs(all(view));
        }
        try (View later = engine.view(soon())) {
          assertThat(upTo(later, horizon)).isEqualTo(seen);
        }
      }
      for (Future<?> one : running) {
        one.get();
      }
      try (View view = engine.view(soon())) {
        assertThat(upTo(view, view.horizon())).hasSize(600);
      }
    } finally {
      stop.set(true);
      writers.shutdown();
    }
  }

  @Test
  void aCommitThatArrivesLateLiesAboveTheHorizonsOfBefore() {
    try (Engine engine = store.engine();
        View view = engine.view(soon())) {
      cluster.faults.script(
          List.of(
              new FakeFaults.Fault(FakeFaults.Where.COMMIT, 1031, Fate.DELAYED),
              new FakeFaults.Fault(FakeFaults.Where.READ_VERSION, 2000, Fate.LOST)));
      assertThatThrownBy(() -> append(engine, 1)).isInstanceOf(RuntimeException.class);
      Bytes horizon = view.horizon();
      cluster.faults.deliver();
      try (View later = engine.view(soon())) {
        assertThat(all(later)).hasSize(1);
        assertThat(upTo(later, horizon)).isEmpty();
        assertThat(upTo(later, later.horizon())).hasSize(1);
      }
    }
  }

  private static void append(Engine engine, int filler) {
    engine.write(
        List.of(
            new AtomicWrite(
                List.of(
                    new Change.Check(KvStore.ownPlace(), new Condition.VersionIs(1)),
                    new Change.Append(place("log", 0), body(1, filler))))),
        soon());
  }

  private static List<Found.Entry> all(View view) {
    return TestWrites.all(view, place("log", 0));
  }

  private static Set<Place> upTo(View view, Bytes horizon) {
    Place last = place("log", 0).then(horizon.unsafeArray());
    Set<Place> found = new HashSet<>();
    for (Found.Entry entry : all(view)) {
      if (entry.place().compareTo(last) <= 0) {
        found.add(entry.place());
      }
    }
    return found;
  }
}
