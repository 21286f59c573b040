/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.storage.spi.Deadline;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The part of a cluster that a store lies in, and the key in it that says so: what it is and in
 * which format. For one thread.
 */
final class Subspace implements AutoCloseable {
  /** How values, pieces and markers lie in it; a newer one is refused. */
  static final byte FORMAT = 1;

  private static final byte[] NAME = "wovyr-persistence".getBytes(StandardCharsets.US_ASCII);

  private enum State {
    EMPTY,
    OURS
  }

  private final Database database;
  private final FoundationDbSettings settings;
  private final FoundationDbErrors errors;
  private final Keys keys;

  private Subspace(Database database, FoundationDbSettings settings) {
    this.database = database;
    this.settings = settings;
    errors = new FoundationDbErrors(settings.description());
    keys = new Keys(settings.subspace());
  }

  static Subspace of(Cluster cluster, FoundationDbSettings settings) {
    return new Subspace(cluster.open(settings), settings);
  }

  /** A handle over the connection, which is closed with it. */
  FoundationDbEngine engine() {
    return new FoundationDbEngine(database, keys, settings.description(), System::nanoTime);
  }

  /**
   * @throws Unavailable when nobody made a store here
   * @throws UnsupportedVersion when a newer version did
   * @throws InvalidInput when something else lies here
   */
  void requireStore(Deadline deadline) {
    if (!isOurs(deadline)) {
      throw Unavailable.lasting(
          "there is no store yet: %s: make one with 'wovyr migrate up --provider foundationdb -Dwovyr.storage.cluster-file=%s -Dwovyr.storage.subspace=%s'"
              .formatted(settings.description(), settings.clusterFile(), settings.subspace()),
          null);
    }
  }

  /**
   * Whether somebody took it for a store; false when it is empty.
   *
   * @throws UnsupportedVersion when a newer version did
   * @throws InvalidInput when something else lies here
   */
  boolean isOurs(Deadline deadline) {
    return tried(deadline, transaction -> state(transaction, deadline)) == State.OURS;
  }

  /** Takes it for a store; as {@link #isOurs}. */
  void take(Deadline deadline) {
    tried(
        deadline,
        transaction -> {
          State state = state(transaction, deadline);
          if (state == State.EMPTY) {
            byte[] value = Arrays.copyOf(NAME, NAME.length + 1);
            value[NAME.length] = FORMAT;
            transaction.set(keys.format(), value);
            Futures.await(transaction.commit(), deadline);
          }
          return state;
        });
  }

  /** Doing it twice does no harm: all errors that allow for it are tried again. */
  private <T> T tried(Deadline deadline, Function<Transaction, T> work) {
    for (int tried = 0; ; tried++) {
      try (Transaction transaction = Futures.begin(database)) {
        return work.apply(transaction);
      } catch (FDBException e) {
        boolean over = deadline.isOver() || Thread.currentThread().isInterrupted();
        if (over || !FoundationDbErrors.isReadAgain(e)) {
          throw errors.nothingWritten(e);
        }
        Futures.pause(tried, deadline);
      }
    }
  }

  private State state(Transaction transaction, Deadline deadline) {
    byte[] format = Futures.await(transaction.get(keys.format()), deadline);
    if (format == null) {
      List<KeyValue> any =
          Futures.await(
              transaction
                  .getRange(keys.begin(), keys.end(), 1, false, StreamingMode.EXACT)
                  .asList(),
              deadline);
      if (!any.isEmpty()) {
        throw foreign();
      }
      return State.EMPTY;
    }
    if (format.length != NAME.length + 1
        || !Arrays.equals(Arrays.copyOf(format, NAME.length), NAME)) {
      throw foreign();
    }
    if (format[NAME.length] > FORMAT) {
      throw new UnsupportedVersion(
          "%s is of format %d; this version knows %d: use a newer one"
              .formatted(settings.description(), format[NAME.length], FORMAT));
    }
    return State.OURS;
  }

  private InvalidInput foreign() {
    return new InvalidInput(
        "%s holds keys of something else: name another with wovyr.storage.subspace; nothing was changed"
            .formatted(settings.description()));
  }

  @Override
  public void close() {
    database.close();
  }
}
