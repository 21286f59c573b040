/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static io.wovyr.persistence.kv.foundationdb.TestWrites.body;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.get;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.place;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome.Applied;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Large values are cut, and what the cluster would not take is refused before it is sent. */
class SizesTest {
  private final FakeStore store = FakeStore.migrated();

  private static Change.Put put(Place place, Condition condition, long version, int size) {
    return new Change.Put(
        place, condition, new Stored(version, body(size, (int) (size + version))));
  }

  private static void write(Engine engine, Change... changes) {
    assertThat(engine.write(List.of(new AtomicWrite(List.of(changes))), soon()).get(0))
        .isInstanceOf(Applied.class);
  }

  @Test
  void bodiesOfEverySizeComeBackAndLeaveNoPiecesBehind() {
    try (Engine engine = store.engine()) {
      Place place = place("sizes", 1);
      int piece = StoredBytes.PIECE_BYTES;
      int[] sizes = {0, 1, piece, piece + 1, 10 * piece, 2 * piece, 100, 3 * piece + 5};
      write(engine, put(place, Condition.ABSENT, 1, sizes[0]));
      for (int version = 2; version <= sizes.length; version++) {
        int size = sizes[version - 1];
        write(engine, put(place, new Condition.VersionIs(version - 1L), version, size));
        assertThat(get(engine, place)).contains(new Stored(version, body(size, size + version)));
      }
      int keys = store.cluster().all().size();
      write(engine, new Change.Remove(place, new Condition.VersionIs(sizes.length)));
      assertThat(get(engine, place)).isEmpty();
      assertThat(store.cluster().all()).hasSize(keys - 1 - 4);
    }
  }

  @Test
  void rangesShowLargeBodiesInBothDirectionsAndEndAtAMebibyte() {
    try (Engine engine = store.engine()) {
      for (int i = 0; i < 9; i++) {
        write(engine, put(place("large", i), Condition.NONE, 1, i % 2 == 0 ? 300_000 : 10));
      }
      for (boolean ascending : List.of(true, false)) {
        try (View view = engine.view(soon())) {
          Range range = new Range(place("large", 0), place("large", 9), ascending);
          Found first = view.range(range, 100);
          assertThat(first.entries().size()).isBetween(4, 8);
          Found rest = view.range(first.rest().orElseThrow(), 100);
          assertThat(first.entries().size() + rest.entries().size()).isEqualTo(9);
          assertThat(first.entries())
              .allSatisfy(entry -> assertThat(entry.stored().body().size()).isIn(10, 300_000));
        }
      }
    }
  }

  @Test
  void refusalsCarryTheWholeBody() {
    try (Engine engine = store.engine()) {
      Place place = place("refused", 1);
      write(engine, put(place, Condition.ABSENT, 1, 250_000));
      AtomicWrite again = new AtomicWrite(List.of(put(place, Condition.ABSENT, 1, 3)));
      Refused refused = (Refused) engine.write(List.of(again), soon()).get(0);
      assertThat(refused.refusals().get(0).actual())
          .contains(new Stored(1, body(250_000, 250_001)));
      AtomicWrite same =
          new AtomicWrite(List.of(put(place, new Condition.Same(1, body(250_000, 250_001)), 2, 7)));
      assertThat(engine.write(List.of(same), soon()).get(0)).isInstanceOf(Applied.class);
    }
  }

  @Test
  void aValueThatLacksAPieceIsCorruptAndNeverShort() {
    try (Engine engine = store.engine()) {
      Place place = place("damaged", 1);
      write(engine, put(place, Condition.ABSENT, 1, 250_000));
      try (Transaction transaction = store.cluster().connect().createTransaction()) {
        transaction.clear(new Keys("test").piece(place.bytes(), 1));
        Futures.await(transaction.commit(), soon());
      }
      assertThatThrownBy(() -> get(engine, place)).isInstanceOf(Corrupt.class);
      try (View view = engine.view(soon())) {
        assertThatThrownBy(() -> view.range(Range.of(place, true), 10)).isInstanceOf(Corrupt.class);
      }
    }
  }

  @Test
  @DisplayName(
      "C116: a key of 11,000 bytes is refused before anything is sent, and reads as absent")
  void longKeysAreRefused() {
    try (Engine engine = store.engine()) {
      byte[] bytes = new byte[11_000];
      Arrays.fill(bytes, (byte) 9);
      Place tooLong = new Place(bytes, 1);
      store.cluster().counts.take();
      assertThatThrownBy(() -> write(engine, put(tooLong, Condition.NONE, 1, 1)))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("10,000");
      assertThat(store.cluster().counts.take()).isEmpty();
      assertThat(get(engine, tooLong)).isEmpty();
      write(engine, put(new Place(Arrays.copyOf(bytes, 9_900), 1), Condition.NONE, 1, 1));
      try (View view = engine.view(soon())) {
        Range upTo = new Range(new Place(new byte[] {9, 8}, 1), tooLong, true);
        assertThat(view.range(upTo, 10).entries()).hasSize(1);
        Range behind = new Range(tooLong, new Place(new byte[] {10}, 1), true);
        assertThat(view.range(behind, 10).entries()).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("C116: over 10 MB nothing is sent, and the caller hears of it")
  void whatIsTooLargeForATransactionIsRefusedBefore() {
    try (Engine engine = store.engine()) {
      store.cluster().counts.take();
      assertThatThrownBy(
              () ->
                  write(
                      engine,
                      put(place("two", 1), Condition.NONE, 1, 5_000_000),
                      put(place("two", 2), Condition.NONE, 1, 5_000_000)))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("FoundationDB takes");
      assertThat(store.cluster().counts.take()).isEmpty();
      assertThat(get(engine, place("two", 1))).isEmpty();
    }
  }

  /** What is not refused before is taken by the cluster: its own count is never above ours. */
  @Test
  void whatIsAlmostTooLargeIsTaken() {
    try (Engine engine = store.engine()) {
      Change[] many = new Change[2_000];
      for (int i = 0; i < many.length; i++) {
        many[i] = put(place("many", i), Condition.ABSENT, 1, 4_000);
      }
      write(engine, many);
      assertThat(store.cluster().counts.take())
          .last()
          .satisfies(cost -> assertThat(cost.bytes()).isBetween(8_000_000L, 9_900_000L));
    }
  }
}
