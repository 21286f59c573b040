/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Lets threads go at one moment, and waits with a limit. */
final class Together {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Together() {}

  /** Runs a function on so many threads that begin together; answers in the order of numbers. */
  static <T> List<T> run(int threads, IntFunction<T> function) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CyclicBarrier barrier = new CyclicBarrier(threads);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        Callable<T> task =
            () -> {
              barrier.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
              return function.apply(number);
            };
        running.add(pool.submit(task));
      }
      return running.stream().map(Together::result).toList();
    } finally {
      pool.shutdownNow();
    }
  }

  /** The result of a task on another thread, its own failure if it failed. */
  static <T> T result(Future<T> running) {
    try {
      return running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      return fail("a thread failed", e.getCause());
    } catch (TimeoutException e) {
      return fail("a thread hangs for more than " + LIMIT, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted", e);
    }
  }

  /** Waits until something is so, at most so long. */
  static void await(String what, Duration atMost, BooleanSupplier condition) {
    long until = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).as("waiting until %s", what).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  /** Waits for a latch, with the same limit. */
  static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("a latch").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
