/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the client, always in the thread of the caller and never longer than allowed. All that
 * goes wrong comes out as an {@link FDBException}: a wait that is over as {@link
 * FoundationDbErrors#TIMED_OUT}, an interrupt as {@link FoundationDbErrors#CANCELLED}.
 */
final class Futures {
  /** Transactions live that long; a future that is not done by then is given up. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private Futures() {}

  static <T> T await(CompletableFuture<T> future, Deadline deadline) {
    long nanos = deadline.atMost(LONGEST_WAIT).remaining().toNanos();
    try {
      return future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new FDBException("no answer in time", FoundationDbErrors.TIMED_OUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FDBException("interrupted", FoundationDbErrors.CANCELLED);
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof FDBException failed) {
      return failed;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    // What the client throws when it, or the transaction, was closed.
    FDBException failed =
        new FDBException(String.valueOf(cause.getMessage()), FoundationDbErrors.CANCELLED);
    failed.initCause(cause);
    return failed;
  }

  /** A transaction; a connection that was closed beside it comes out as all other errors do. */
  static Transaction begin(Database database) {
    try {
      return database.createTransaction();
    } catch (IllegalStateException e) {
      throw failure(e);
    }
  }

  /** Waits before a try is repeated: full jitter up to 500 ms, never beyond the deadline. */
  static void pause(int tried, Deadline deadline) {
    long most = Math.min(FIRST_PAUSE_NANOS << Math.min(tried, 20), LONGEST_PAUSE_NANOS);
    long pause = ThreadLocalRandom.current().nextLong(most);
    LockSupport.parkNanos(Math.min(pause, deadline.remaining().toNanos()));
  }
}
