/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Races that really race: contenders on threads of their own, let go by one barrier, round after
 * round. Closing ends the threads.
 */
final class Race implements AutoCloseable {
  /** Contenders of an ordinary race. */
  static final int CONTENDERS = 16;

  private static final long ROUND_SECONDS = 300;

  private final int contenders;
  private final ExecutorService threads;
  private final CyclicBarrier barrier;

  Race() {
    this(CONTENDERS);
  }

  Race(int contenders) {
    this.contenders = contenders;
    this.threads = Executors.newFixedThreadPool(contenders);
    this.barrier = new CyclicBarrier(contenders);
  }

  /** Runs one round: {@code contender} gets its number, 0 first. Answers in that order. */
  <T> List<T> round(IntFunction<T> contender) {
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < contenders; i++) {
      int number = i;
      Callable<T> run =
          () -> {
            barrier.await(ROUND_SECONDS, TimeUnit.SECONDS);
            return contender.apply(number);
          };
      running.add(threads.submit(run));
    }
    return running.stream().map(Race::result).toList();
  }

  static <T> T result(Future<T> running) {
    try {
      return running.get(ROUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      if (e.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      return fail("a contender failed", e.getCause());
    } catch (TimeoutException e) {
      return fail("a contender hangs for more than " + ROUND_SECONDS + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
