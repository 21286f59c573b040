/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import com.fasterxml.uuid.Generators;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the store's metrics from one daemon thread, and removes the samples that are old. When
 * the next one is due the last stored one says, whichever process took it, and when it was:
 * processes that come and go sample as often as one that stays. Of those that sample at the same
 * time one stores what it counted, since they all give it the same id. Counting may be dear: after
 * a sample it rests a hundred times as long as that took, if that is longer than its interval.
 * Thread-safe.
 */
final class MetricsSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsSampler.class);

  /** After so long it looks again in any case: wall clocks are set. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(4);

  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);

  /** Spread over a tenth of the interval, at most so long, the processes seldom count together. */
  private static final Duration LONGEST_SPREAD = Duration.ofSeconds(10);

  private static final int REST = 100;
  private static final int MOST_REMOVED = 100;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Engine engine;
  private final Duration every;
  private final Duration keep;
  private final CoreMetrics metrics;
  private final Thread thread;
  private final Object bell = new Object();
  private boolean closed;
  private boolean failed;

  /** By the engine's monotonic clock: it is not sampled before. */
  private long restUntil;

  private MetricsSampler(Engine engine, CoreMetrics metrics, Duration every, Duration keep) {
    this.engine = engine;
    this.every = every;
    this.keep = keep;
    this.metrics = metrics;
    this.restUntil = engine.nanoTime().getAsLong();
    this.thread = new Thread(this::run, "wovyr-metrics-" + NUMBER.incrementAndGet());
    thread.setDaemon(true);
  }

  /** Begins to sample, where the settings say so. */
  static Optional<MetricsSampler> start(Engine engine) {
    Sampling sampling = engine.settings().sampling();
    return sampling
        .every()
        .map(
            every -> {
              CoreMetrics metrics = new CoreSystemAccess(engine, "sampling metrics").metrics();
              MetricsSampler sampler = new MetricsSampler(engine, metrics, every, sampling.keep());
              sampler.thread.start();
              return sampler;
            });
  }

  /** The first look is for those that do not live long. */
  private void run() {
    Duration wait;
    do {
      wait = look().plus(spread());
    } while (await(wait));
  }

  private Duration spread() {
    Duration most = shorter(every.dividedBy(10), LONGEST_SPREAD);
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(most.toNanos() + 1));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Samples, if that is due. How long to wait before the next look. */
  synchronized Duration look() {
    try {
      Duration rest = Duration.ofNanos(restUntil - engine.nanoTime().getAsLong());
      if (rest.isNegative() || rest.isZero()) {
        rest = sampleIfDue();
        restUntil = engine.nanoTime().getAsLong() + rest.toNanos();
      }
      failed = false;
      return shorter(rest, LONGEST_WAIT);
    } catch (PersistenceException e) {
      if (!failed && !isClosed()) {
        LOG.warn(
            "WOVYR-0108 the metrics of the store cannot be sampled; trying again: {}",
            e.getMessage());
      }
      failed = true;
      return shorter(every, AFTER_A_FAILURE);
    }
  }

  /** How long to rest from now on. */
  private Duration sampleIfDue() {
    Instant now = engine.now();
    Optional<MetricsSnapshot> last = metrics.newest(now);
    Duration left = left(last, now);
    if (!left.isZero()) {
      return left;
    }
    long begun = engine.nanoTime().getAsLong();
    Map<String, Number> counted = metrics.counted();
    Optional<MetricsSnapshot> meanwhile = metrics.newest(engine.now());
    if (!meanwhile.equals(last)) {
      return left(meanwhile, engine.now());
    }
    if (!isFirst(last, counted)) {
      return every;
    }
    metrics.removeBefore(CoreMetrics.STORAGE, now.minus(keep), MOST_REMOVED);
    Duration took = Duration.ofNanos(engine.nanoTime().getAsLong() - begun);
    Duration dear = took.multipliedBy(REST);
    return dear.compareTo(every) > 0 ? dear : every;
  }

  private Duration left(Optional<MetricsSnapshot> last, Instant now) {
    Duration left = last.map(sample -> every.minus(age(sample, now))).orElse(Duration.ZERO);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Duration age(MetricsSnapshot sample, Instant now) {
    return Duration.between(sample.takenAt(), now);
  }

  /**
   * Stores what was counted, unless another process that counted at the same time was first. What
   * was stored by a clock that is far ahead is in nobody's way.
   */
  private boolean isFirst(Optional<MetricsSnapshot> last, Map<String, Number> counted) {
    for (int number = 0; ; number++) {
      UUID id = id(last, number);
      CommitResult stored = metrics.addOnce(id, counted);
      boolean taken = stored instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS);
      if (!taken) {
        stored.orThrow();
        return true;
      }
      Instant soon = engine.now().plus(every);
      if (metrics.find(id).filter(other -> other.takenAt().isAfter(soon)).isEmpty()) {
        return false;
      }
    }
  }

  /** The same for all that sample after the same one (version 5, RFC 9562). */
  private static UUID id(Optional<MetricsSnapshot> last, int number) {
    UUID after = last.map(MetricsSnapshot::id).orElse(new UUID(0, 0));
    return Generators.nameBasedGenerator(after).generate(CoreMetrics.STORAGE + "/" + number);
  }

  /** False when it was closed meanwhile. */
  private boolean await(Duration pause) {
    long until = System.nanoTime() + pause.toNanos();
    synchronized (bell) {
      while (!closed && until - System.nanoTime() > 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(bell, until - System.nanoTime());
        } catch (InterruptedException e) {
          closed = true;
        }
      }
      return !closed;
    }
  }

  private boolean isClosed() {
    synchronized (bell) {
      return closed;
    }
  }

  /** Waits for a sample that is under way, as long as a read and a commit may take. */
  @Override
  public void close() {
    synchronized (bell) {
      closed = true;
      bell.notifyAll();
    }
    CoreSettings settings = engine.settings();
    try {
      thread.join(settings.readDeadline().plus(settings.commitDeadline()).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
