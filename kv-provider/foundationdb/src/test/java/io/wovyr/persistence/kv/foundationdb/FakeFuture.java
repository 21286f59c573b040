/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.FDBException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A future of the fake: done at once, with a value or an error, or never. */
final class FakeFuture<T> extends CompletableFuture<T> {
  private final Runnable awaited;

  private FakeFuture(Runnable awaited) {
    this.awaited = awaited;
  }

  /**
   * @param awaited told when somebody waits for it
   */
  static <T> FakeFuture<T> of(Runnable awaited, Supplier<T> work) {
    FakeFuture<T> future = new FakeFuture<>(awaited);
    try {
      T value = work.get();
      future.complete(value);
    } catch (FakeFaults.NoAnswer e) {
      // Never.
    } catch (FDBException e) {
      future.completeExceptionally(e);
    }
    return future;
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    awaited.run();
    return super.get(timeout, unit);
  }

  @Override
  public T get() {
    throw new AssertionError("somebody waits without a limit");
  }

  @Override
  public T join() {
    throw new AssertionError("somebody waits without a limit");
  }
}
