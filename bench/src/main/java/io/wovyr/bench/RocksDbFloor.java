/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.lease.Lease;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The floor: what a careful person writes by hand for RocksDB, the same keys with values of the
 * same content and size, under the same guards: head and tail of the execution are compared under a
 * lock, then one WriteBatch with a synced log. Loading is a raw iterator over the same events,
 * whose fields are read one by one. It knows one type and one step, and nothing of the rest.
 */
final class RocksDbFloor implements Column {
  private static final int LOCKS = 1_024;
  private static final byte[] BENCH = Step.TENANT.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TYPE = Step.EVENT_TYPE.getBytes(StandardCharsets.US_ASCII);

  private final Options options;
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final RocksDB rocks;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final AtomicLong stamps = new AtomicLong(1L << 48);

  RocksDbFloor(Path directory) {
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(new LRUCache(64L << 20))
                    .setCacheIndexAndFilterBlocks(true)
                    .setPinL0FilterAndIndexBlocksInCache(true)
                    .setFilterPolicy(new BloomFilter(10, false)));
    try {
      rocks = RocksDB.open(options, directory.toString());
    } catch (RocksDBException e) {
      throw new Unavailable("the floor's own RocksDB cannot be opened", e);
    }
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  @Override
  public String name() {
    return "floor (WriteBatch by hand)";
  }

  /** What is written, as a stream; in memory it does not fail. */
  @FunctionalInterface
  private interface Content {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(int size, Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void id(DataOutputStream out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  private static void number(DataOutputStream out, long value) throws IOException {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  private static void sized(DataOutputStream out, byte[] value) throws IOException {
    number(out, value.length);
    out.write(value);
  }

  /** A value behind its length plus one. */
  private static void value(DataOutputStream out, byte[] value) throws IOException {
    number(out, value.length + 1L);
    out.write(value);
  }

  private static byte[] small(long value) {
    return bytes(10, out -> number(out, value << 1));
  }

  private static byte[] big(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] raw(UUID id) {
    return bytes(16, out -> id(out, id));
  }

  private static byte[] key(int what, int type, Content rest) {
    return bytes(
        80,
        out -> {
          out.write(1);
          out.write(BENCH);
          out.writeShort(1);
          out.write(what);
          out.writeShort(type);
          rest.to(out);
        });
  }

  private static byte[] feedKey(long stamp) {
    return bytes(
        24,
        out -> {
          out.write(1);
          out.write(BENCH);
          out.writeShort(1);
          out.write(0x40);
          out.writeLong(stamp);
        });
  }

  private static void header(DataOutputStream out, long version, UUID id, long now)
      throws IOException {
    out.write(1);
    number(out, version);
    id(out, id);
    out.writeLong(now);
    out.writeLong(now);
    sized(out, BENCH);
    out.write(new byte[] {1, 1, 1, 0});
  }

  @Override
  public boolean find(UUID id) {
    throw new UnsupportedOperationException("only steps and loads are measured on RocksDB");
  }

  @Override
  public Execution execution(UUID id, Lease lease) throws RocksDBException {
    FloorExecution execution = new FloorExecution(id, lease.token(), UUID.randomUUID());
    execution.begin();
    return execution;
  }

  private final class FloorExecution implements Execution {
    private final UUID id;
    private final long token;
    private final UUID leaseId;
    private final byte[] headKey;
    private final byte[] tailKey;
    private final ReentrantLock lock;
    private long version = 1;
    private long sequence = 1;

    FloorExecution(UUID id, long token, UUID leaseId) {
      this.id = id;
      this.token = token;
      this.leaseId = leaseId;
      headKey = key(0x10, 2, out -> withId(out, 0));
      tailKey = key(0x18, 3, out -> withId(out, 0));
      lock = locks[Math.floorMod(id.hashCode(), LOCKS)];
    }

    private void withId(DataOutputStream out, int shard) throws IOException {
      out.write(shard);
      id(out, id);
    }

    /** Where the layer's execution stands: one event is there. */
    void begin() throws RocksDBException {
      rocks.put(synced, headKey, head(PostgresqlFloor.micros()));
      rocks.put(synced, tailKey, tail(1));
      long now = PostgresqlFloor.micros();
      rocks.put(synced, eventKey(1), event(UUID.randomUUID(), UUID.randomUUID(), now, 1));
    }

    private byte[] eventKey(long number) {
      return key(
          0x10,
          3,
          out -> {
            withId(out, 0);
            out.writeLong(number ^ Long.MIN_VALUE);
          });
    }

    private byte[] entryKey(int index, UUID value, long number) {
      return key(
          0x30,
          3,
          out -> {
            out.write(index);
            out.write(0);
            id(out, value);
            id(out, id);
            out.writeLong(number ^ Long.MIN_VALUE);
          });
    }

    private byte[] tail(long last) {
      return bytes(
          9,
          out -> {
            out.write(0);
            out.writeLong(last);
          });
    }

    private byte[] head(long now) {
      long expiry = now + Step.TTL_MICROS;
      return bytes(
          190,
          out -> {
            out.write(0);
            out.writeLong(version);
            header(out, version, id, now);
            out.write(14);
            value(out, small(sequence));
            value(out, small(1));
            value(out, new byte[1]);
            value(out, small(token));
            value(out, Step.WORKER.getBytes(StandardCharsets.US_ASCII));
            value(out, raw(leaseId));
            value(out, big(expiry));
            value(out, small(Step.TTL_MICROS));
            value(out, small(version));
            value(out, small(0));
            value(out, new byte[1]);
            value(out, new byte[1]);
            value(out, big((expiry + Step.TTL_MICROS - 1) / Step.TTL_MICROS * Step.TTL_MICROS));
            out.write(0);
          });
    }

    private byte[] event(UUID eventId, UUID commitId, long now, long stamp) {
      byte[] row =
          bytes(
              512,
              out -> {
                header(out, 1, eventId, now);
                out.write(8);
                value(out, TYPE);
                value(out, raw(id));
                value(out, raw(eventId));
                out.write(0);
                value(out, small(token));
                value(out, raw(commitId));
                value(out, FloorEvent.PAYLOAD);
                value(out, FloorEvent.CHANGES);
              });
      return bytes(
          row.length + 32,
          out -> {
            out.write(1);
            out.writeLong(1);
            out.writeLong(stamp);
            out.write(1);
            sized(out, row);
          });
    }

    private byte[] feed(long number) {
      return bytes(
          48,
          out -> {
            out.write(new byte[9]);
            out.write(new byte[] {1, 0, 3});
            number(out, 24);
            id(out, id);
            out.writeLong(number ^ Long.MIN_VALUE);
            out.write(1);
          });
    }

    @Override
    public void step() throws RocksDBException {
      UUID eventId = UUID.randomUUID();
      UUID commitId = UUID.randomUUID();
      long now = PostgresqlFloor.micros();
      lock.lock();
      try (WriteBatch batch = new WriteBatch()) {
        check(rocks.get(headKey), version);
        check(rocks.get(tailKey), sequence);
        long stamp = stamps.incrementAndGet();
        version++;
        sequence++;
        byte[] none = new byte[9];
        batch.put(headKey, head(now));
        batch.put(eventKey(sequence), event(eventId, commitId, now, stamp));
        batch.put(tailKey, tail(sequence));
        batch.put(entryKey(0, id, sequence), none);
        batch.put(entryKey(1, eventId, sequence), none);
        batch.put(feedKey(stamp), feed(sequence));
        batch.put(
            ByteBuffer.allocate(10).put((byte) 2).put((byte) 0x40).putLong(stamp).array(),
            ByteBuffer.allocate(9 + BENCH.length).put(none).put(BENCH).array());
        rocks.write(synced, batch);
      } finally {
        lock.unlock();
      }
    }

    private void check(byte[] stored, long expected) {
      if (ByteBuffer.wrap(stored, 1, Long.BYTES).getLong() != expected) {
        throw new IllegalStateException("nobody else writes this execution");
      }
    }

    @Override
    public void transaction() {
      throw new UnsupportedOperationException("only steps and loads are measured on RocksDB");
    }

    @Override
    public int load() throws RocksDBException {
      List<FloorEvent> events = new ArrayList<>();
      try (Slice low = new Slice(eventKey(0));
          Slice high = new Slice(eventKey(Long.MAX_VALUE));
          ReadOptions bounded =
              new ReadOptions().setIterateLowerBound(low).setIterateUpperBound(high);
          RocksIterator iterator = rocks.newIterator(bounded)) {
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
          if (iterator.key().length == headKey.length + Long.BYTES) {
            events.add(read(iterator.key(), iterator.value()));
          }
        }
        iterator.status();
      }
      return events.size();
    }
  }

  /** What a hand-written loader makes of a block of one event. */
  private static FloorEvent read(byte[] key, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    in.position(18);
    number(in);
    in.get();
    long version = number(in);
    UUID eventId = new UUID(in.getLong(), in.getLong());
    long created = in.getLong();
    long updated = in.getLong();
    String by = text(in, (int) number(in));
    int schema = (int) number(in);
    int entity = (int) number(in);
    int serialization = (int) number(in);
    byte[] extra = take(in, (int) number(in));
    number(in);
    return new FloorEvent(
        ByteBuffer.wrap(key, key.length - Long.BYTES, Long.BYTES).getLong() ^ Long.MIN_VALUE,
        eventId,
        version,
        created,
        updated,
        by,
        schema,
        entity,
        serialization,
        extra,
        text(in, (int) number(in) - 1),
        id(in),
        id(in),
        optionalText(in),
        signed(in),
        id(in),
        take(in, (int) number(in) - 1),
        take(in, (int) number(in) - 1));
  }

  private static long number(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    int next = in.get();
    while (next < 0) {
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
      next = in.get();
    }
    return value | ((long) next << shift);
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static String text(ByteBuffer in, int length) {
    return new String(take(in, length), StandardCharsets.UTF_8);
  }

  private static @Nullable String optionalText(ByteBuffer in) {
    int length = (int) number(in);
    return length == 0 ? null : text(in, length - 1);
  }

  private static UUID id(ByteBuffer in) {
    number(in);
    return new UUID(in.getLong(), in.getLong());
  }

  private static long signed(ByteBuffer in) {
    number(in);
    long value = number(in);
    return (value >>> 1) ^ -(value & 1);
  }

  @Override
  public void close() {
    rocks.close();
    synced.close();
    options.close();
  }
}
