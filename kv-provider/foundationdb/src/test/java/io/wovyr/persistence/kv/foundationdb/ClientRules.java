/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the provider relies on in FoundationDB's client: the same over the fake and over a cluster,
 * so that the fake can be held against one.
 */
abstract class ClientRules {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  private final byte[] prefix = Tuple.from("wovyr-test-" + UUID.randomUUID()).pack();
  private final Database database = connect();

  /** Another connection. */
  abstract Database connect();

  /** Lets time pass on the cluster's clock. */
  abstract void pass(Duration time);

  @AfterEach
  void clear() {
    run(transaction -> transaction.clear(Range.startsWith(prefix)));
    database.close();
  }

  private byte[] key(int... more) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + more.length);
    for (int i = 0; i < more.length; i++) {
      key[prefix.length + i] = (byte) more[i];
    }
    return key;
  }

  private void run(Consumer<Transaction> work) {
    try (Transaction transaction = database.createTransaction()) {
      work.accept(transaction);
      commit(transaction);
    }
  }

  private static void commit(Transaction transaction) {
    Futures.await(transaction.commit(), TestWrites.soon());
  }

  private static byte[] get(Transaction transaction, byte[] key) {
    return Futures.await(transaction.get(key), TestWrites.soon());
  }

  private byte[] getNow(byte[] key) {
    try (Transaction transaction = database.createTransaction()) {
      return get(transaction, key);
    }
  }

  private static long version(Transaction transaction) {
    return Futures.await(transaction.getReadVersion(), TestWrites.soon());
  }

  private static List<KeyValue> list(
      Transaction transaction, KeySelector from, KeySelector to, int limit, boolean reverse) {
    return Futures.await(
        transaction.getRange(from, to, limit, reverse, StreamingMode.WANT_ALL).asList(),
        TestWrites.soon());
  }

  private static void assertFails(int code, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(FDBException.class, e -> assertThat(e.getCode()).isEqualTo(code));
  }

  @Test
  void whatWasReadAndWrittenMeanwhileConflicts() {
    try (Transaction transaction = database.createTransaction()) {
      get(transaction, key(1));
      run(other -> other.set(key(1), ONE));
      transaction.set(key(2), TWO);
      assertFails(1020, () -> commit(transaction));
    }
    assertThat(getNow(key(2))).isNull();
  }

  @Test
  void aKeyMayBeAddedToConflictsWithoutReadingIt() {
    try (Transaction transaction = database.createTransaction()) {
      version(transaction);
      transaction.addReadConflictKey(key(1));
      run(other -> other.clear(key(1)));
      transaction.set(key(2), TWO);
      assertFails(1020, () -> commit(transaction));
    }
  }

  @Test
  void snapshotReadsAndBlindWritesDoNotConflict() {
    try (Transaction transaction = database.createTransaction()) {
      Futures.await(transaction.snapshot().get(key(1)), TestWrites.soon());
      run(other -> other.set(key(1), ONE));
      transaction.set(key(1), TWO);
      commit(transaction);
    }
    assertThat(getNow(key(1))).isEqualTo(TWO);
  }

  @Test
  void readsAreOfTheReadVersionHoweverManyCommitsFollow() {
    run(transaction -> transaction.set(key(1), ONE));
    try (Transaction transaction = database.createTransaction();
        Transaction later = database.createTransaction()) {
      long version = version(transaction);
      run(other -> other.set(key(1), TWO));
      assertThat(get(transaction, key(1))).isEqualTo(ONE);
      later.setReadVersion(version);
      assertThat(get(later, key(1))).isEqualTo(ONE);
    }
    assertThat(getNow(key(1))).isEqualTo(TWO);
  }

  @Test
  void versionstampsAreOneInATransactionAndAboveEveryReadVersionBefore() {
    long before;
    try (Transaction transaction = database.createTransaction()) {
      before = version(transaction);
    }
    // Stamps.operand puts the versionstamp two bytes behind the place it is given.
    byte[] unfinished = Arrays.copyOf(key(7), key(7).length + 12);
    run(
        transaction -> {
          transaction.mutate(
              MutationType.SET_VERSIONSTAMPED_KEY, Stamps.operand(unfinished, key(7).length), ONE);
          transaction.mutate(
              MutationType.SET_VERSIONSTAMPED_VALUE, key(8), Stamps.operand(new byte[12], 0));
        });
    try (Transaction transaction = database.createTransaction()) {
      List<KeyValue> found =
          list(
              transaction,
              KeySelector.firstGreaterOrEqual(key(7)),
              KeySelector.firstGreaterOrEqual(key(8)),
              10,
              false);
      assertThat(found).hasSize(1);
      byte[] key = found.get(0).getKey();
      byte[] stamp = Arrays.copyOfRange(key, key.length - 10, key.length);
      byte[] value = get(transaction, key(8));
      assertThat(Arrays.copyOfRange(value, 2, 12)).isEqualTo(stamp);
      assertThat(ByteBuffer.wrap(stamp).getLong())
          .isGreaterThan(before)
          .isLessThanOrEqualTo(version(transaction));
    }
  }

  @Test
  void rangesGoBothWaysAndHaveBoundsOfBothKinds() {
    run(
        transaction -> {
          for (int i = 0; i < 120; i++) {
            transaction.set(key(1, i), new byte[] {(byte) i});
          }
        });
    try (Transaction transaction = database.createTransaction()) {
      KeySelector first = KeySelector.firstGreaterOrEqual(key(1));
      KeySelector end = KeySelector.firstGreaterOrEqual(key(2));
      assertThat(list(transaction, first, end, 1_000, false)).hasSize(120);
      assertThat(list(transaction, first, end, 2, true))
          .extracting(row -> (int) row.getValue()[0])
          .containsExactly(119, 118);
      assertThat(
              list(
                  transaction,
                  KeySelector.firstGreaterThan(key(1, 100)),
                  KeySelector.firstGreaterOrEqual(key(1, 103)),
                  100,
                  false))
          .extracting(row -> (int) row.getValue()[0])
          .containsExactly(101, 102);
    }
  }

  @Test
  void sizesAreLimited() {
    run(transaction -> transaction.set(key(1), new byte[100_000]));
    assertFails(2103, () -> run(transaction -> transaction.set(key(1), new byte[100_001])));
    run(transaction -> transaction.set(Arrays.copyOf(prefix, 10_000), ONE));
    assertFails(
        2102, () -> run(transaction -> transaction.set(Arrays.copyOf(prefix, 10_001), ONE)));
    assertFails(
        2101,
        () ->
            run(
                transaction -> {
                  for (int i = 0; i < 101; i++) {
                    transaction.set(key(2, i), new byte[100_000]);
                  }
                }));
  }

  @Test
  void aVersionCanBeReadForFiveSecondsOnly() {
    run(transaction -> transaction.set(key(1), ONE));
    try (Transaction reading = database.createTransaction();
        Transaction writing = database.createTransaction()) {
      get(reading, key(1));
      get(writing, key(1));
      writing.set(key(2), TWO);
      pass(Duration.ofSeconds(7));
      assertFails(1007, () -> get(reading, key(3)));
      assertFails(1007, () -> commit(writing));
    }
  }
}
