/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterator;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.ViewExpired;
import io.wovyr.persistence.kv.foundationdb.StoredBytes.Head;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Reads at one read version, which the cluster keeps for five seconds. Whatever else fails is tried
 * again at the same version; when that is too old, the record layer begins again.
 */
final class FoundationDbView implements View {
  /** Half of what the cluster promises: what was begun can still be finished. */
  static final Duration FRESH = Duration.ofMillis(2_500);

  /** What one range call reads at most, beyond its first entry; less when time runs out. */
  private static final long MOST_BYTES = 1L << 20;

  private final Database database;
  private final Keys keys;
  private final FoundationDbErrors errors;
  private final Deadline deadline;
  private final LongSupplier nanoTime;
  private long begun;
  private Transaction transaction;
  private Optional<Long> version = Optional.empty();

  FoundationDbView(
      Database database,
      Keys keys,
      FoundationDbErrors errors,
      Deadline deadline,
      LongSupplier nanoTime) {
    this.database = database;
    this.keys = keys;
    this.errors = errors;
    this.deadline = deadline;
    this.nanoTime = nanoTime;
    begun = nanoTime.getAsLong();
    transaction = Futures.begin(database);
  }

  @Override
  public List<Optional<Stored>> get(List<Place> places) {
    return places.isEmpty() ? List.of() : answer(reader -> get(reader, places));
  }

  private List<Optional<Stored>> get(ReadTransaction reader, List<Place> places) {
    List<Optional<CompletableFuture<byte[]>>> values = new ArrayList<>(places.size());
    for (Place place : places) {
      values.add(keys.fits(place) ? Optional.of(reader.get(keys.row(place))) : Optional.empty());
    }
    List<Optional<Stored>> found = new ArrayList<>(places.size());
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      found.add(
          values
              .get(i)
              .flatMap(value -> Optional.ofNullable(Futures.await(value, deadline)))
              .map(StoredBytes::decode)
              .map(head -> Pieces.whole(reader, keys, place, head, deadline)));
    }
    return found;
  }

  @Override
  public Found range(Range range, int limit) {
    if (range.from().compareTo(range.to()) >= 0) {
      return new Found(List.of(), Optional.empty());
    }
    return answer(reader -> range(reader, range, limit));
  }

  private Found range(ReadTransaction reader, Range range, int limit) {
    AsyncIterator<KeyValue> walk =
        reader
            .getRange(
                keys.bound(range.from()),
                keys.bound(range.to()),
                limit,
                !range.ascending(),
                StreamingMode.WANT_ALL)
            .iterator();
    try {
      List<Found.Entry> entries = new ArrayList<>(Math.min(limit, 64));
      long bytes = 0;
      while (Futures.await(walk.onHasNext(), deadline)) {
        KeyValue next = walk.next();
        Place place = keys.place(next.getKey(), range.from().partition());
        Head head = StoredBytes.decode(next.getValue());
        entries.add(new Found.Entry(place, Pieces.whole(reader, keys, place, head, deadline)));
        bytes += head.bodyBytes();
        if (entries.size() == limit || bytes >= MOST_BYTES || !isFresh()) {
          return new Found(entries, Optional.of(rest(range, place)));
        }
      }
      return new Found(entries, Optional.empty());
    } finally {
      walk.cancel();
    }
  }

  private static Range rest(Range range, Place last) {
    return range.ascending()
        ? new Range(last.after(), range.to(), true)
        : new Range(range.from(), last, false);
  }

  @Override
  public Bytes horizon() {
    Optional<Stored> store = get(List.of(KvStore.ownPlace())).get(0);
    return Stamps.horizon(store.map(Stored::version).orElse(0L), version.orElseThrow());
  }

  @Override
  public boolean isFresh() {
    return nanoTime.getAsLong() - begun < FRESH.toNanos();
  }

  private <T> T answer(Function<ReadTransaction, T> work) {
    for (int tried = 0; ; tried++) {
      try {
        CompletableFuture<Long> at = transaction.getReadVersion();
        T answer = work.apply(transaction.snapshot());
        version = Optional.of(Futures.await(at, deadline));
        return answer;
      } catch (FDBException e) {
        again(e, tried);
      }
    }
  }

  private void again(FDBException e, int tried) {
    boolean over = deadline.isOver() || Thread.currentThread().isInterrupted();
    if (over || !FoundationDbErrors.isReadAgain(e)) {
      throw errors.nothingWritten(e);
    }
    if (e.getCode() == FoundationDbErrors.TOO_OLD && version.isPresent()) {
      throw new ViewExpired(e);
    }
    transaction.close();
    transaction = Futures.begin(database);
    version.ifPresentOrElse(transaction::setReadVersion, () -> begun = nanoTime.getAsLong());
    Futures.pause(tried, deadline);
  }

  @Override
  public void close() {
    transaction.close();
  }
}
