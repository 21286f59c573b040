/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import io.wovyr.persistence.kv.foundationdb.FakeFdbCluster.KeyRange;
import io.wovyr.persistence.kv.foundationdb.FakeFdbCluster.Request;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A FAKE of a transaction: see {@link FakeFdbCluster}. For one thread. */
final class FakeTransaction extends UnusedOfTransaction {
  private static final int EACH_MUTATION = 40;
  private static final int EACH_RANGE = 32;

  /** What a commit does to one key, or to a range. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record Mutation(
      @Nullable KeyRange clears, byte[] key, byte[] value, int stampInKey, int stampInValue) {
    byte[] key(byte[] stamp) {
      return stamped(key, stampInKey, stamp);
    }

    byte[] value(byte[] stamp) {
      return stamped(value, stampInValue, stamp);
    }

    private static byte[] stamped(byte[] bytes, int at, byte[] stamp) {
      if (at < 0) {
        return bytes;
      }
      byte[] stamped = bytes.clone();
      System.arraycopy(stamp, 0, stamped, at, stamp.length);
      return stamped;
    }

    int bytes() {
      return (clears == null ? key.length + value.length : clears.bytes()) + EACH_MUTATION;
    }
  }

  private static final byte[] NOTHING = new byte[0];

  private final FakeFdbCluster cluster;
  private final FakeCounts.Of counted = new FakeCounts.Of();
  private final List<KeyRange> reads = new ArrayList<>();
  private final List<KeyRange> writes = new ArrayList<>();
  private final List<Mutation> mutations = new ArrayList<>();
  private final boolean snapshot;
  private final FakeTransaction origin;
  private @Nullable Long version;
  private @Nullable RuntimeException noVersion;
  private @Nullable FDBException deferred;
  private boolean committing;
  private boolean closed;

  FakeTransaction(FakeFdbCluster cluster) {
    this.cluster = cluster;
    snapshot = false;
    origin = this;
  }

  private FakeTransaction(FakeTransaction origin) {
    cluster = origin.cluster;
    snapshot = true;
    this.origin = origin;
  }

  private void use() {
    if (origin.closed) {
      throw new IllegalStateException("Cannot access closed object");
    }
    if (origin.committing) {
      throw new FDBException("used_during_commit", 2017);
    }
  }

  private <T> FakeFuture<T> future(Supplier<T> work) {
    return FakeFuture.of(origin.counted::awaited, work);
  }

  @Override
  public boolean isSnapshot() {
    return snapshot;
  }

  @Override
  public ReadTransaction snapshot() {
    return new FakeTransaction(this);
  }

  @Override
  public CompletableFuture<Long> getReadVersion() {
    use();
    return future(this::readVersion);
  }

  private long readVersion() {
    if (origin.noVersion != null) {
      throw origin.noVersion;
    }
    if (origin.version == null) {
      origin.counted.readVersion();
      try {
        cluster.faults.atReadVersion();
      } catch (RuntimeException e) {
        origin.noVersion = e;
        throw e;
      }
      origin.version = cluster.readVersion();
    }
    return origin.version;
  }

  @Override
  public void setReadVersion(long at) {
    use();
    if (origin.version != null) {
      throw new FDBException("read_version_already_set", 2010);
    }
    origin.version = at;
  }

  /** The rules hold for reads as well; and what was written is not read again, for simplicity. */
  private void reading(KeyRange range) {
    if (origin.writes.stream().anyMatch(range::meets)) {
      throw new AssertionError("the fake does not read what the transaction wrote");
    }
    if (!snapshot) {
      origin.reads.add(range);
    }
  }

  @Override
  public CompletableFuture<byte[]> get(byte[] key) {
    use();
    if (key.length > FakeFdbCluster.MOST_KEY_BYTES) {
      return future(
          () -> {
            throw new FDBException("key_too_large", 2102);
          });
    }
    reading(KeyRange.of(key));
    return future(
        () -> {
          long at = readVersion();
          origin.counted.read(1);
          cluster.faults.atRead();
          byte[] value = cluster.get(key, at);
          return value == null ? null : value.clone();
        });
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
    return getRange(key(begin), key(end), limit, reverse, mode);
  }

  private static byte[] key(KeySelector selector) {
    if (selector.getOffset() != 1) {
      throw UnusedOfDatabase.unused();
    }
    byte[] key = selector.getKey();
    return selector.orEqual() ? Arrays.copyOf(key, key.length + 1) : key;
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      byte[] begin, byte[] end, int limit, boolean reverse, StreamingMode mode) {
    use();
    KeyRange range = new KeyRange(begin, end);
    reading(range);
    return new FakeRange(
        range,
        limit == 0 ? Integer.MAX_VALUE : limit,
        reverse,
        (part, most) ->
            future(
                () -> {
                  use();
                  long at = readVersion();
                  origin.counted.read(1);
                  cluster.faults.atRead();
                  return cluster.range(part, most, reverse, at);
                }));
  }

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(byte[] begin, byte[] end) {
    use();
    return future(() -> cluster.sizeBytes(new KeyRange(begin, end)));
  }

  @Override
  public void addReadConflictKey(byte[] key) {
    use();
    reads.add(KeyRange.of(key));
  }

  @Override
  public void set(byte[] key, byte[] value) {
    add(KeyRange.of(key), new Mutation(null, key.clone(), value.clone(), -1, -1));
  }

  @Override
  public void clear(byte[] key) {
    clear(key, Arrays.copyOf(key, key.length + 1));
  }

  @Override
  public void clear(byte[] begin, byte[] end) {
    KeyRange range = new KeyRange(begin.clone(), end.clone());
    if (Arrays.compareUnsigned(begin, end) > 0) {
      throw new FDBException("inverted_range", 2005);
    }
    add(range, new Mutation(range, NOTHING, NOTHING, -1, -1));
  }

  @Override
  public void clear(Range range) {
    clear(range.begin, range.end);
  }

  @Override
  public void mutate(MutationType type, byte[] key, byte[] parameter) {
    if (type == MutationType.SET_VERSIONSTAMPED_KEY) {
      int at = stampAt(key);
      byte[] low = Arrays.copyOf(key, key.length - Integer.BYTES);
      byte[] high = low.clone();
      Arrays.fill(high, at, at + 10, (byte) 0xff);
      add(
          new KeyRange(low, Arrays.copyOf(high, high.length + 1)),
          new Mutation(null, low, parameter.clone(), at, -1));
    } else if (type == MutationType.SET_VERSIONSTAMPED_VALUE) {
      int at = stampAt(parameter);
      byte[] value = Arrays.copyOf(parameter, parameter.length - Integer.BYTES);
      add(KeyRange.of(key), new Mutation(null, key.clone(), value, -1, at));
    } else {
      throw UnusedOfDatabase.unused();
    }
  }

  private static int stampAt(byte[] operand) {
    int at =
        ByteBuffer.wrap(operand)
            .order(ByteOrder.LITTLE_ENDIAN)
            .getInt(operand.length - Integer.BYTES);
    if (at < 0 || at + 10 > operand.length - Integer.BYTES) {
      throw new FDBException("client_invalid_operation", 2000);
    }
    return at;
  }

  /** Errors of what is written show at the next read or commit, as those of the client do. */
  private void add(KeyRange written, Mutation mutation) {
    use();
    if (mutation.key().length > FakeFdbCluster.MOST_KEY_BYTES) {
      deferred = new FDBException("key_too_large", 2102);
    }
    if (mutation.value().length > FakeFdbCluster.MOST_VALUE_BYTES) {
      deferred = new FDBException("value_too_large", 2103);
    }
    writes.add(written);
    mutations.add(mutation);
  }

  @Override
  public CompletableFuture<Void> commit() {
    use();
    counted.commit(reads.size(), writes.size(), mutations);
    CompletableFuture<Void> commit =
        future(
            () -> {
              send();
              return null;
            });
    committing = true;
    return commit;
  }

  private void send() {
    if (deferred != null) {
      throw deferred;
    }
    if (writes.isEmpty()) {
      return;
    }
    long bytes =
        mutations.stream().mapToLong(Mutation::bytes).sum()
            + reads.stream().mapToLong(range -> range.bytes() + EACH_RANGE).sum()
            + writes.stream().mapToLong(range -> range.bytes() + EACH_RANGE).sum();
    if (bytes > FakeFdbCluster.MOST_TRANSACTION_BYTES) {
      throw new FDBException("transaction_too_large", 2101);
    }
    counted.sent(bytes);
    Request request =
        new Request(readVersion(), List.copyOf(reads), List.copyOf(writes), List.copyOf(mutations));
    cluster.faults.atCommit(request);
    cluster.counts.committed(counted);
  }

  @Override
  public void cancel() {
    closed = true;
  }

  @Override
  public void close() {
    closed = true;
  }
}
