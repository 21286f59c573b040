/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.core.telemetry.ObservedStorage;
import io.wovyr.persistence.core.telemetry.Readings;
import io.wovyr.persistence.core.telemetry.Telemetry;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.CallersTransaction;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** What every part of one open persistence shares. Thread-safe. */
final class Engine {
  private static final TimeOrderedIds IDS = new TimeOrderedIds();

  private final ObservedStorage storage;
  private final PayloadSealer sealer;
  private final LargeValues largeValues = new LargeValues(this);
  private final InstantSource clock;
  private final CoreSettings settings;
  private final boolean storeClock;
  private final boolean joins;
  private final ConcurrentMap<Object, JoinedTransaction> joined = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private final StillnessObserver observer;
  private final Sender sender;
  private final Outcomes outcomes;
  private final LongAdder brokenHistories = new LongAdder();
  private final Background background;

  /** What runs in the background, and how to end it within a time. */
  private final Map<Object, Consumer<Duration>> running = new ConcurrentHashMap<>();

  private volatile boolean closing;
  private volatile boolean closed;

  Engine(
      ObservedStorage storage,
      Optional<SealingProvider> sealing,
      InstantSource clock,
      LongSupplier nanoTime,
      CoreSettings settings,
      Background background) {
    this.storage = storage;
    Optional<SealingProvider> bound =
        sealing.map(provider -> provider.over(new StoredDataKeys(this)));
    bound.ifPresent(storage::useSealing);
    this.sealer =
        new PayloadSealer(
            bound,
            settings.compression(),
            settings.unsealed(),
            PayloadSealer.newRandom(),
            largeValues);
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.settings = settings;
    this.background = background;
    this.observer = new StillnessObserver(nanoTime);
    this.joins = storage.capabilities().contains(Capability.JTA);
    this.storeClock = storage.capabilities().contains(Capability.STORE_CLOCK);
    this.sender = new Sender(this);
    this.outcomes = new Outcomes(this);
  }

  /**
   * The JTA transaction that a commit of the calling thread becomes part of; empty where there is
   * none, or the store cannot join it.
   *
   * @throws Unavailable when there is one that nothing can be added to any more
   */
  Optional<JoinedTransaction> joining() {
    if (!joins) {
      return Optional.empty();
    }
    return storage.callersTransaction().map(this::joining);
  }

  private JoinedTransaction joining(CallersTransaction callers) {
    checkOpen();
    if (!callers.isActive()) {
      throw new Unavailable(
          "nothing was written: the JTA transaction of the caller can only be rolled back, its time may be over, or it is ending: begin another",
          null);
    }
    Object key = callers.key();
    JoinedTransaction known = joined.get(key);
    if (known != null) {
      return known;
    }
    JoinedTransaction fresh = new JoinedTransaction(key);
    callers.onEnd(
        end -> {
          joined.remove(key);
          fresh.ended(end);
        });
    joined.put(key, fresh);
    return fresh;
  }

  /** Whether a commit of the calling thread would become part of a JTA transaction. */
  boolean isJoining() {
    return joins && storage.callersTransaction().isPresent();
  }

  Storage storage() {
    return storage;
  }

  Background background() {
    return background;
  }

  /** Has {@code stop} called when this is closed, unless it ended before. */
  void stopOnClose(Object who, Consumer<Duration> stop) {
    running.put(who, stop);
  }

  /** It ended. */
  void stopsByItself(Object who) {
    running.remove(who);
  }

  /** Takes no more leases, and ends what runs in the background, all of it within this time. */
  void stop(Duration grace) {
    closing = true;
    Deadline deadline = Deadline.after(grace);
    running.forEach((who, stop) -> stop.accept(deadline.remaining()));
  }

  /** Refuses to begin what would have to be ended again. */
  void checkTaking() {
    if (closing) {
      throw new Unavailable("this persistence is being closed: it takes no more leases", null);
    }
  }

  /** Who is told of commits. */
  Telemetry telemetry() {
    return storage.telemetry();
  }

  /** What was counted since this was opened. */
  Readings readings() {
    return storage.readings();
  }

  /** Closes the store; whoever waits for it to come back stops waiting. */
  void close() {
    closed = true;
    storage.close();
  }

  /** Counts a history that could not be read for the metrics; thrown by the caller. */
  BrokenHistory counted(BrokenHistory broken) {
    brokenHistories.increment();
    return broken;
  }

  /** How often a history was found broken since this was opened. */
  long brokenHistories() {
    return brokenHistories.sum();
  }

  /** A pause before the next try; false when there is none. */
  boolean pause(Backoff backoff, Deadline deadline) {
    return !closed && backoff.pause(deadline);
  }

  /** Refuses to begin anything after the end. */
  void checkOpen() {
    if (closed) {
      throw new Unavailable("this persistence is closed: open another", null);
    }
  }

  PayloadSealer sealer() {
    return sealer;
  }

  /** The values that are too large for their records. */
  LargeValues largeValues() {
    return largeValues;
  }

  /** The scope in which the rows of a tenant, or of the system itself, are read and written. */
  static Scope scopeOf(String tenantId, String reason) {
    return tenantId.equals(Scope.SYSTEM_TENANT) ? new Scope.System(reason) : Scope.tenant(tenantId);
  }

  CoreSettings settings() {
    return settings;
  }

  StillnessObserver observer() {
    return observer;
  }

  Sender sender() {
    return sender;
  }

  Outcomes outcomes() {
    return outcomes;
  }

  boolean hasStoreClock() {
    return storeClock;
  }

  /** Which store this is, whoever opened it. */
  UUID storeId() {
    return storage.identity().storeId();
  }

  long epoch() {
    return storage.identity().epoch();
  }

  /** A new time-ordered id (UUID version 7, RFC 9562). */
  static UUID newId() {
    return IDS.next();
  }

  /** This process's own monotonic clock: what a holder and a contender of a lease go by. */
  LongSupplier nanoTime() {
    return nanoTime;
  }

  /** This node's wall clock, whole microseconds: for information and hints only. */
  Instant now() {
    return Inputs.micros(clock.instant());
  }

  /** The value to store for a symbolic instant: itself where the store has a clock. */
  Object stamp(StoreTime time) {
    return storeClock ? time : time.at(clock.instant());
  }

  /** The header of a new record. */
  RecordHeader newHeader(UUID id, Scope scope, String actor, RecordType type) {
    Instant now = now();
    return new RecordHeader(
        id,
        scope.tenantId(),
        1,
        now,
        now,
        actor,
        storage.identity().schemaVersion(),
        type.entityVersion(),
        RecordMapper.SERIALIZATION_VERSION,
        Bytes.EMPTY);
  }

  Deadline commitDeadline() {
    return Deadline.after(settings.commitDeadline());
  }

  Deadline readDeadline() {
    return Deadline.after(settings.readDeadline());
  }

  /** One row, strong; never one from a newer node, so that nothing half understood is rewritten. */
  Optional<Row> read(Scope scope, Key key) {
    return read(scope, List.of(key)).get(0);
  }

  /** Several rows in one trip, as {@link #read(Scope, Key)}. */
  List<Optional<Row>> read(Scope scope, List<Key> keys) {
    List<Optional<Row>> rows = reading(options -> storage.read(scope, keys, options));
    rows.forEach(row -> row.ifPresent(RecordMapper::checkReadable));
    return rows;
  }

  /** Whether there is such a row, readable here or not. */
  boolean exists(Scope scope, Key key) {
    return reading(options -> storage.read(scope, List.of(key), options)).get(0).isPresent();
  }

  /** A page of a range; an empty one only at the end, however short the store's own pages are. */
  Page<Row> scan(Scope scope, Scan scan) {
    Page<Row> page = reading(options -> storage.scan(scope, scan, options));
    while (page.items().isEmpty() && page.next().isPresent()) {
      Scan onwards = scan.after(page.next());
      page = reading(options -> storage.scan(scope, onwards, options));
    }
    return page;
  }

  /**
   * A strong read, repeated while the store is unavailable, for a cause that may pass, and the
   * deadline is not over.
   */
  <T> T reading(Function<ReadOptions, T> read) {
    ReadOptions options = ReadOptions.strong(readDeadline());
    Backoff backoff = new Backoff(settings);
    while (true) {
      try {
        checkOpen();
        return read.apply(options);
      } catch (Unavailable e) {
        if (e.isLasting() || !pause(backoff, options.deadline())) {
          throw e;
        }
      }
    }
  }
}
