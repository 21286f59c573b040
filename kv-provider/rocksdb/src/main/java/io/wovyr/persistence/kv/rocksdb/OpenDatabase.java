/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A RocksDB database that is open in this process, once, for all handles of its store. Thread-safe.
 * Whoever works with it does so between {@link #enter} and {@link #leave}: native memory is freed
 * only when nobody does.
 */
final class OpenDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(OpenDatabase.class);
  private static final double BLOOM_BITS = 10;
  private static final long INFO_LOG_BYTES = 4L << 20;
  private static final int INFO_LOGS = 4;

  private final Path path;
  private final StoreLock lock;
  private final RocksDbErrors errors;
  private final Cache cache;
  private final BloomFilter filter = new BloomFilter(BLOOM_BITS, false);
  private final Options options;
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final RocksDB rocks;
  private final KeyLocks locks = new KeyLocks();
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();
  private final Stamps stamps;
  private boolean closed;
  private volatile @Nullable String problem;

  private OpenDatabase(RocksDbSettings settings, StoreLock lock, boolean create)
      throws RocksDBException {
    path = settings.path();
    this.lock = lock;
    errors = new RocksDbErrors(path);
    cache = new LRUCache(settings.cacheBytes());
    options = options(cache, filter, create);
    try {
      rocks = open(options, path);
    } catch (RocksDBException | RuntimeException e) {
      closeOptions();
      throw e;
    }
    inUse.readLock().lock();
    try (View view = new RocksDbView(this, rocks, 0)) {
      long epoch = KvStore.find(view).map(store -> store.identity().epoch()).orElse(0L);
      stamps = new Stamps(KvStore.lastStamp(view), epoch);
    } catch (RuntimeException e) {
      rocks.close();
      closeOptions();
      throw e;
    }
  }

  /** Reads the log up to its torn end, if a crash left one; refuses one that is damaged. */
  private static RocksDB open(Options options, Path path) throws RocksDBException {
    switch (end(path)) {
      case WHOLE -> {}
      case TORN -> {
        LOG.warn(
            "the log of the RocksDB store {} ends in the middle of a commit, as a crash leaves it"
                + " before the commit is acknowledged: that commit is left out",
            path);
        options.setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery);
      }
      case DAMAGED ->
          throw new Corrupt(
              "the log of the RocksDB store "
                  + path
                  + " is damaged before its end, where acknowledged commits lie: restore a backup",
              null);
    }
    return RocksDB.open(options, path.toString());
  }

  private static LogEnd.State end(Path path) {
    try {
      return LogEnd.of(path);
    } catch (IOException e) {
      throw new Unavailable(
          "the log of the RocksDB store " + path + " cannot be read: " + FileReasons.withPath(e),
          e);
    }
  }

  private static Options options(Cache cache, BloomFilter filter, boolean create) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setFilterPolicy(filter);
    return new Options()
        .setCreateIfMissing(create)
        .setParanoidChecks(true)
        // A log that just stops is read to there; whatever else is wrong with it is looked into.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(INFO_LOG_BYTES)
        .setKeepLogFileNum(INFO_LOGS)
        .setTableFormatConfig(table);
  }

  /**
   * Opens a database and keeps everybody else off it.
   *
   * @throws Unavailable when somebody else has it open
   */
  static OpenDatabase open(RocksDbSettings settings, boolean create) {
    RocksDB.loadLibrary();
    StoreLock lock = StoreLock.take(settings.path());
    try {
      return new OpenDatabase(settings, lock, create);
    } catch (RocksDBException e) {
      lock.close();
      throw new RocksDbErrors(settings.path()).beforeWrite(e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  RocksDB rocks() {
    return rocks;
  }

  WriteOptions synced() {
    return synced;
  }

  RocksDbErrors errors() {
    return errors;
  }

  KeyLocks locks() {
    return locks;
  }

  Stamps stamps() {
    return stamps;
  }

  /** Begins to work with it. */
  void enter() {
    inUse.readLock().lock();
    if (closed) {
      leave();
      throw new Unavailable("this handle of the store is closed: open another", null);
    }
  }

  void leave() {
    inUse.readLock().unlock();
  }

  /** Why nothing can be written any more until it is opened again, or null. */
  @Nullable String problem() {
    return problem;
  }

  /** A write failed, and may lie in the log: what is written behind it could be read before it. */
  void poison(RocksDBException e) {
    problem =
        "a write to the RocksDB store "
            + path
            + " failed ("
            + e.getMessage()
            + "): close all its handles, see to the disk, and open it again";
  }

  void close() {
    inUse.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      rocks.cancelAllBackgroundWork(true);
      rocks.close();
      closeOptions();
    } finally {
      inUse.writeLock().unlock();
      lock.close();
    }
  }

  private void closeOptions() {
    synced.close();
    options.close();
    filter.close();
    cache.close();
  }
}
