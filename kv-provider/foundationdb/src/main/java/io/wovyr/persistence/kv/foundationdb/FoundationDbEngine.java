/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Applied;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** A handle of a subspace of a cluster. */
final class FoundationDbEngine implements Engine {
  static final Set<Capability> CAPABILITIES = Set.of(Capability.MULTI_PROCESS);

  private static final Limits LIMITS = new Limits(2 << 20, 2_000, 7_000_000, 100, 1);
  private static final int BLOCK_BYTES = 64 << 10;
  private static final Shape SHAPE =
      new Shape(CAPABILITIES, LIMITS, 1, true, BLOCK_BYTES, true, false);
  private static final Duration QUICKLY = Duration.ofSeconds(2);

  private final Database database;
  private final Keys keys;
  private final FoundationDbErrors errors;
  private final LongSupplier nanoTime;
  private final Markers markers;
  private final Writing writing;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param database closed with it
   * @param description what people know the store by
   */
  FoundationDbEngine(Database database, Keys keys, String description, LongSupplier nanoTime) {
    this.database = database;
    this.keys = keys;
    this.errors = new FoundationDbErrors(description);
    this.nanoTime = nanoTime;
    markers = new Markers(keys);
    writing = new Writing(database, keys, errors, markers);
  }

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public String description() {
    return errors.description();
  }

  private void open() {
    if (closed.get()) {
      throw new Unavailable("this handle of the store is closed: open another", null);
    }
  }

  @Override
  public View view(Deadline deadline) {
    open();
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was read", null);
    }
    try {
      return new FoundationDbView(database, keys, errors, deadline, nanoTime);
    } catch (FDBException e) {
      throw errors.nothingWritten(e);
    }
  }

  @Override
  public List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    open();
    writes.forEach(write -> WriteSize.check(write, keys));
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    for (AtomicWrite write : writes) {
      try {
        outcomes.add(writing.write(write, deadline));
      } catch (StorageFailure e) {
        if (e instanceof OutcomeUnknown || outcomes.stream().noneMatch(Applied.class::isInstance)) {
          throw e;
        }
        throw new OutcomeUnknown(
            "one write of a call failed, others before it are applied: submit each again", e);
      }
    }
    return outcomes;
  }

  @Override
  public long sizeBytes(Range range) {
    open();
    try (Transaction transaction = Futures.begin(database)) {
      return Futures.await(
          transaction.getEstimatedRangeSizeBytes(keys.row(range.from()), keys.row(range.to())),
          Deadline.after(QUICKLY));
    } catch (FDBException e) {
      return 0;
    }
  }

  @Override
  public Health health() {
    try (Transaction transaction = Futures.begin(database)) {
      Futures.await(transaction.getReadVersion(), Deadline.after(QUICKLY));
      return new Health(true, Optional.of(Duration.ZERO), Optional.empty());
    } catch (FDBException e) {
      return new Health(
          false, Optional.empty(), Optional.ofNullable(errors.nothingWritten(e).getMessage()));
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      clearMarkers();
      database.close();
    }
  }

  /** They are of no use any more; those that stay when this fails do no harm. */
  private void clearMarkers() {
    if (markers.slots() == 0) {
      return;
    }
    try (Transaction transaction = Futures.begin(database)) {
      byte[] prefix = markers.prefix();
      transaction.clear(com.apple.foundationdb.Range.startsWith(prefix));
      Futures.await(transaction.commit(), Deadline.after(QUICKLY));
    } catch (FDBException e) {
      // Whoever opens the store next is not hindered by them.
    }
  }
}
