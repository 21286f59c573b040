/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ImpatientExecutorTest {
  private static final Duration FOR_EVER = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService own = Executors.newSingleThreadExecutor();

  /** Given to a container all of whose threads somebody else holds. */
  private final Queue<Runnable> held = new ArrayDeque<>();

  @AfterEach
  void end() {
    clock.shutdownNow();
    own.shutdownNow();
  }

  private ImpatientExecutor over(Executor others, Duration patience) {
    return new ImpatientExecutor(others, unused -> {}, own, clock, patience);
  }

  private static void awaitDone(CountDownLatch done) throws InterruptedException {
    assertThat(done.await(60, TimeUnit.SECONDS)).as("done").isTrue();
  }

  private static Executor stopped() {
    return work -> {
      throw new IllegalStateException("the component was stopped");
    };
  }

  @Test
  void whateverTheOthersRefuseByIsDoneByOurOwn() throws InterruptedException {
    for (int times = 0; times < 3; times++) {
      CountDownLatch done = new CountDownLatch(1);
      over(stopped(), FOR_EVER).execute(done::countDown);
      awaitDone(done);
    }
  }

  @Test
  void whatTheOthersHaveNotBegunIsStillDoneWhenItEnds() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);
    AtomicInteger times = new AtomicInteger();
    ImpatientExecutor executor = over(held::add, FOR_EVER);
    for (int i = 0; i < 2; i++) {
      executor.execute(
          () -> {
            times.incrementAndGet();
            done.countDown();
          });
    }
    clock.shutdown();
    executor.close();

    awaitDone(done);
    held.forEach(Runnable::run);
    assertThat(own.awaitTermination(60, TimeUnit.SECONDS)).as("our own threads end").isTrue();
    assertThat(times.get()).as("each is done once").isEqualTo(2);
    assertThatThrownBy(() -> executor.execute(times::incrementAndGet))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void whatIsTakenBackDoesNotWaitInALane() throws InterruptedException {
    Lanes lanes = new Lanes(held::add, 2);
    ImpatientExecutor executor = new ImpatientExecutor(lanes, lanes::forget, own, clock, SHORT);
    for (int i = 0; i < 100; i++) {
      CountDownLatch done = new CountDownLatch(1);
      executor.execute(done::countDown);
      awaitDone(done);
    }
    executor.close();
    clock.shutdown();
    assertThat(clock.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lanes.waiting()).isZero();
    assertThat(held).as("as many threads were asked for as there are lanes").hasSize(2);
  }

  @Test
  void aLaneIsGivenBackHoweverTheOthersRefuse() {
    AtomicInteger refusals = new AtomicInteger(3);
    Lanes lanes =
        new Lanes(
            work -> {
              if (refusals.getAndDecrement() > 0) {
                throw new IllegalStateException("the component was stopped");
              }
              work.run();
            },
            1);
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> lanes.execute(done::incrementAndGet))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(lanes.waiting()).isZero();

    lanes.execute(done::incrementAndGet);
    assertThat(done.get()).as("what was refused is not begun").isEqualTo(1);
  }
}
