/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.kv.foundationdb.StoredBytes.Head;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One try of a write, in a transaction of its own: all reads are sent at once, then what is written
 * goes with the commit. For one thread.
 */
final class Attempt {
  private final Transaction transaction;
  private final Keys keys;
  private final AtomicWrite write;
  private final Deadline deadline;
  private final CompletableFuture<Long> readVersion;
  private final Map<Place, CompletableFuture<byte[]>> reads = new LinkedHashMap<>();
  private final Map<Place, Optional<Head>> found = new HashMap<>();
  private byte[] marker = new byte[0];
  private byte[] markerValue = marker;

  Attempt(Transaction transaction, Keys keys, AtomicWrite write, Deadline deadline) {
    this.transaction = transaction;
    this.keys = keys;
    this.write = write;
    this.deadline = deadline;
    // A version of before the commit even where nothing is read: what a later try writes is above.
    readVersion = transaction.getReadVersion();
    for (Change change : write.changes()) {
      if (change.condition() != Condition.NONE) {
        read(change.place());
      }
    }
    if (isStamped()) {
      read(KvStore.ownPlace());
    }
  }

  private void read(Place place) {
    reads.computeIfAbsent(place, one -> transaction.get(keys.row(one)));
  }

  private boolean isStamped() {
    return write.changes().stream()
        .anyMatch(
            change ->
                change instanceof Change.Append
                    || (change instanceof Change.Put put && put.stamped()));
  }

  /**
   * Takes the marker of the write for this try.
   *
   * @param look whether a former try may have been applied
   * @return whether one was
   */
  boolean isApplied(Markers.Marker own, boolean look) {
    marker = own.key();
    markerValue = own.value();
    if (!look) {
      transaction.addReadConflictKey(marker);
      return false;
    }
    return Arrays.equals(Futures.await(transaction.get(marker), deadline), markerValue);
  }

  /** What does not hold, if anything. */
  Optional<Refused> judge() {
    Futures.await(readVersion, deadline);
    reads.forEach(
        (place, read) ->
            found.put(
                place,
                Optional.ofNullable(Futures.await(read, deadline)).map(StoredBytes::decode)));
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < write.changes().size(); i++) {
      Change change = write.changes().get(i);
      Condition condition = change.condition();
      if (condition == Condition.NONE) {
        continue;
      }
      Optional<Head> head = head(change.place());
      boolean ofBody = condition instanceof Condition.Same && head.isPresent();
      Optional<Stored> stored = ofBody ? whole(change.place(), head) : head.map(Head::stored);
      if (!condition.holds(stored)) {
        refusals.add(new Refusal(i, ofBody ? stored : whole(change.place(), head)));
      }
    }
    return refusals.isEmpty() ? Optional.empty() : Optional.of(new Refused(refusals));
  }

  private Optional<Head> head(Place place) {
    return found.getOrDefault(place, Optional.empty());
  }

  private Optional<Stored> whole(Place place, Optional<Head> head) {
    return head.map(one -> Pieces.whole(transaction, keys, place, one, deadline));
  }

  /** Puts all changes, and the marker, into the transaction. */
  void change() {
    long epoch = head(KvStore.ownPlace()).map(head -> head.stored().version()).orElse(0L);
    byte[] stamp = Stamps.unfinished(epoch);
    for (Change change : write.changes()) {
      if (change instanceof Change.Put put) {
        put(put, stamp);
      } else if (change instanceof Change.Remove remove) {
        transaction.clear(keys.row(remove.place()));
        clearPieces(remove.place());
      } else if (change instanceof Change.Append append) {
        append(append, stamp);
      }
    }
    transaction.set(marker, markerValue);
  }

  private void put(Change.Put put, byte[] stamp) {
    byte[] key = keys.row(put.place());
    Stored value = put.value();
    clearPieces(put.place());
    if (put.stamped()) {
      byte[] head =
          StoredBytes.encode(new Stored(value.version(), Bytes.wrap(stamp), value.body()));
      transaction.mutate(
          MutationType.SET_VERSIONSTAMPED_VALUE, key, Stamps.operand(head, StoredBytes.stampAt()));
    } else {
      transaction.set(key, StoredBytes.encode(value));
    }
    if (StoredBytes.isCut(value.body())) {
      List<byte[]> pieces = StoredBytes.pieces(value.body());
      for (int i = 0; i < pieces.size(); i++) {
        transaction.set(keys.piece(put.place().bytes(), i), pieces.get(i));
      }
    }
  }

  /** Those of the value before, where it is known: of one that is not there are none. */
  private void clearPieces(Place place) {
    int pieces = head(place).map(Head::pieces).orElse(0);
    if (pieces > 0) {
      transaction.clear(keys.piece(place.bytes(), 0), keys.piece(place.bytes(), pieces));
    }
  }

  private void append(Change.Append append, byte[] stamp) {
    Place place = append.place().then(stamp);
    byte[] key = keys.row(place);
    stamped(key, key.length - stamp.length, StoredBytes.encode(new Stored(0, append.body())));
    if (StoredBytes.isCut(append.body())) {
      List<byte[]> pieces = StoredBytes.pieces(append.body());
      for (int i = 0; i < pieces.size(); i++) {
        byte[] piece = keys.piece(place.bytes(), i);
        stamped(piece, piece.length - Short.BYTES - stamp.length, pieces.get(i));
      }
    }
  }

  private void stamped(byte[] key, int stampAt, byte[] value) {
    transaction.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Stamps.operand(key, stampAt), value);
  }

  void commit() {
    Futures.await(transaction.commit(), deadline);
  }
}
