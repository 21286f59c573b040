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
import io.wovyr.persistence.core.Background.Timer;
import io.wovyr.persistence.core.CoreMetrics.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the store's metrics in the background, and removes the samples that are old. When the
 * next one is due the last stored one says, whichever process took it: processes that come and go
 * sample as often as one that stays. Counting may be dear: after a sample nobody samples for a
 * hundred times as long as that took, if that is longer than the interval.
 *
 * <p>Of the processes that share a store one samples, by a named lease, as long as it does so in
 * time; so a lease that a killed process left behind stops nobody. Of those that sample at the same
 * time all the same one stores what it counted, since they all give it the same id. Thread-safe.
 */
final class MetricsSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsSampler.class);
  private static final String LEASE = "wovyr.metrics";

  /** What the longest lease allows; who samples less often renews it in between. */
  private static final Duration LONGEST_LOOK = Duration.ofHours(4);

  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);

  /** Who does not hold the lease leaves its holder so much more time, or the interval again. */
  private static final Duration LONGEST_GRACE = Duration.ofMinutes(1);

  private static final int REST = 100;
  private static final int MOST_REMOVED = 100;

  private final Engine engine;
  private final Duration every;
  private final Duration keep;
  private final SystemLease lease;
  private final CoreMetrics metrics;
  private final Timer timer;

  /** Held while a look is under way. */
  private final ReentrantLock looking = new ReentrantLock();

  private volatile boolean closed;
  private boolean failed;
  private boolean looked;

  private MetricsSampler(Engine engine, CoreSystemAccess system, Duration every, Duration keep) {
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
    this.timer = engine.background().timer("wovyr-metrics");
  }

  private static Duration lookEvery(Duration every) {
    return every.dividedBy(every.dividedBy(LONGEST_LOOK) + 1);
  }

  /** Long enough to be renewed at every second look. */
  private static Duration ttl(Duration lookEvery) {
    return lookEvery.multipliedBy(3).plusSeconds(30);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Begins to sample, where the settings say so. */
  static Optional<MetricsSampler> start(Engine engine) {
    Sampling sampling = engine.settings().sampling();
    return sampling
        .every()
        .map(
            every -> {
              CoreSystemAccess system = new CoreSystemAccess(engine, "sampling metrics");
              MetricsSampler sampler = new MetricsSampler(engine, system, every, sampling.keep());
              sampler.lookIn(Duration.ZERO);
              return sampler;
            });
  }

  private void lookIn(Duration wait) {
    timer.next(this::goOn, wait.toNanos());
  }

  private void goOn() {
    Duration wait = look();
    try {
      if (!closed) {
        lookIn(wait);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("sampling ends with the threads it ran on");
    }
  }

  /** Samples, if that is due and this process's turn. How long to wait before the next look. */
  Duration look() {
    looking.lock();
    try {
      return closed ? every : lookNow();
    } finally {
      looking.unlock();
    }
  }

  private Duration lookNow() {
    looked = true;
    try {
      Duration left = sampleIfDue();
      failed = false;
      return shorter(left, lookEvery(every));
    } catch (RuntimeException e) {
      // Whatever it is, it must not be the last look.
      if (!failed && !closed) {
        LOG.warn(
            "WOVYR-0108 the metrics of the store cannot be sampled; trying again: {}",
            e instanceof PersistenceException ? e.getMessage() : e.toString());
      }
      failed = true;
      return shorter(every, AFTER_A_FAILURE);
    }
  }

  /** How long it is until the next one is due. */
  private Duration sampleIfDue() {
    Optional<Taken> last = metrics.newest(engine.now());
    Duration left = left(last);
    if (!left.isZero()) {
      boolean unused = lease.keep();
      return left;
    }
    if (!lease.hold()) {
      Duration grace = shorter(every, LONGEST_GRACE);
      left = last.map(sample -> left(sample, rest(sample).plus(grace))).orElse(Duration.ZERO);
      if (!left.isZero()) {
        return left;
      }
    }
    return sampled(last);
  }

  private Duration sampled(Optional<Taken> last) {
    Map<String, Number> counted = metrics.counted();
    Optional<Taken> meanwhile = metrics.newest(engine.now());
    if (meanwhile.equals(last)) {
      if (!isFirst(last, counted)) {
        return every;
      }
      metrics.removeBefore(CoreMetrics.STORAGE, engine.now().minus(keep), MOST_REMOVED);
      meanwhile = metrics.newest(engine.now());
    }
    return left(meanwhile);
  }

  private Duration left(Optional<Taken> last) {
    return last.map(sample -> left(sample, rest(sample))).orElse(Duration.ZERO);
  }

  private Duration rest(Taken sample) {
    return longer(every, sample.took().multipliedBy(REST));
  }

  private Duration left(Taken sample, Duration rest) {
    Duration left = rest.minus(Duration.between(sample.at(), engine.now()));
    return longer(left, Duration.ZERO);
  }

  /**
   * Stores what was counted, unless another process that counted at the same time was first. What
   * was stored by a clock that is far ahead, or cannot be read, is in nobody's way.
   */
  private boolean isFirst(Optional<Taken> last, Map<String, Number> counted) {
    for (int number = 0; ; number++) {
      UUID id = id(last, number);
      CommitResult stored = metrics.addOnce(id, counted);
      boolean taken = stored instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS);
      if (!taken) {
        stored.orThrow();
        return true;
      }
      Instant soon = engine.now().plus(every);
      if (metrics.find(id).filter(other -> other.at().isAfter(soon)).isEmpty()) {
        return false;
      }
    }
  }

  /** The same for all that sample after the same one (version 5, RFC 9562). */
  private static UUID id(Optional<Taken> last, int number) {
    UUID after = last.map(Taken::id).orElse(new UUID(0, 0));
    return Generators.nameBasedGenerator(after).generate(CoreMetrics.STORAGE + "/" + number);
  }

  /**
   * Waits for a sample that is under way, as long as a read and a commit may take. The first look
   * is for those that do not live long: one that was closed before looks all the same.
   */
  @Override
  public void close() {
    closed = true;
    timer.close();
    CoreSettings settings = engine.settings();
    Duration most = settings.readDeadline().plus(settings.commitDeadline());
    try {
      if (looking.tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
        end();
      }
      timer.awaitEnd(most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    try {
      if (!looked) {
        Duration unused = lookNow();
      }
      lease.free();
    } catch (PersistenceException e) {
      LOG.debug("the lease {} could not be given back and runs out: {}", LEASE, e.getMessage());
    } finally {
      looking.unlock();
    }
  }
}
