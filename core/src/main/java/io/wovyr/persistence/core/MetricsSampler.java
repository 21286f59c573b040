/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.core.Background.Timer;
import io.wovyr.persistence.metrics.MetricsSnapshots;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the store's metrics in the background, and removes the samples that are old. Of the
 * processes that share a store one does it at a time, by a named lease. Counting may be dear: after
 * a sample it rests a hundred times as long as that took, if that is longer than its interval.
 * Thread-safe.
 */
final class MetricsSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsSampler.class);
  private static final String LEASE = "wovyr.metrics";

  /** What the longest lease allows; who samples less often renews it in between. */
  private static final Duration LONGEST_LOOK = Duration.ofHours(4);

  private static final int REST = 100;
  private static final int MOST_REMOVED = 100;

  private final Engine engine;
  private final Duration every;
  private final Duration keep;
  private final SystemLease lease;
  private final MetricsSnapshots metrics;
  private final Timer timer;

  /** Held while a look is under way. */
  private final ReentrantLock look = new ReentrantLock();

  private volatile boolean closed;
  private boolean failed;

  /** By the engine's monotonic clock. */
  private long restUntil;

  private MetricsSampler(Engine engine, SystemAccess system, Duration every, Duration keep) {
    this.engine = engine;
    this.every = every;
    this.keep = keep;
    this.metrics = system.metrics();
    this.lease =
        new SystemLease(
            system.leases(),
            LEASE,
            "sampler-" + UUID.randomUUID(),
            Optional.of(ttl(lookEvery(every))));
    this.restUntil = engine.nanoTime().getAsLong() + every.toNanos();
    this.timer = engine.background().timer("wovyr-metrics");
  }

  private void start() {
    long nanos = lookEvery(every).toNanos();
    Future<?> unused =
        timer.executor().scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private static Duration lookEvery(Duration every) {
    return every.dividedBy(every.dividedBy(LONGEST_LOOK) + 1);
  }

  /** Long enough to be renewed at every second look. */
  private static Duration ttl(Duration lookEvery) {
    return lookEvery.multipliedBy(3).plusSeconds(30);
  }

  /** Begins to sample, where the settings say so. */
  static Optional<MetricsSampler> start(Engine engine) {
    Sampling sampling = engine.settings().sampling();
    return sampling
        .every()
        .map(
            every -> {
              SystemAccess system = new CoreSystemAccess(engine, "sampling metrics");
              MetricsSampler sampler = new MetricsSampler(engine, system, every, sampling.keep());
              sampler.start();
              return sampler;
            });
  }

  /** Keeps the lease and samples, if it is this process's turn and it is not resting. */
  void look() {
    look.lock();
    try {
      if (!closed) {
        sampleInTurn();
      }
    } finally {
      look.unlock();
    }
  }

  private void sampleInTurn() {
    try {
      if (lease.hold() && restUntil - engine.nanoTime().getAsLong() <= 0) {
        long begun = engine.nanoTime().getAsLong();
        metrics.sample().orThrow();
        metrics.removeBefore(CoreMetrics.STORAGE, engine.now().minus(keep), MOST_REMOVED);
        long ended = engine.nanoTime().getAsLong();
        restUntil = ended + Math.max(every.toNanos(), (ended - begun) * REST);
      }
      failed = false;
    } catch (PersistenceException e) {
      if (!failed && !closed) {
        LOG.warn(
            "WOVYR-0108 the metrics of the store cannot be sampled; trying again: {}",
            e.getMessage());
      }
      failed = true;
    }
  }

  /**
   * Waits for a sample that is under way, as long as a read and a commit may take, and gives the
   * lease back.
   */
  @Override
  public void close() {
    closed = true;
    timer.close();
    CoreSettings settings = engine.settings();
    Duration most = settings.readDeadline().plus(settings.commitDeadline());
    try {
      if (look.tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
        free();
      }
      timer.awaitEnd(most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void free() {
    try {
      lease.free();
    } catch (PersistenceException e) {
      LOG.debug("the lease {} could not be given back and runs out: {}", LEASE, e.getMessage());
    } finally {
      look.unlock();
    }
  }
}
