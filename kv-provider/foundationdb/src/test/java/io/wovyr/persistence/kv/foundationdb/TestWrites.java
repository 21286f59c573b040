/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Writes of the shape that a durable step has, and what of them is there. */
final class TestWrites {
  /** More than one value of the cluster takes. */
  static final int LARGE = 2 * StoredBytes.PIECE_BYTES + 17;

  private TestWrites() {}

  static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  static Place place(String name, long number) {
    byte[] text = ("\t" + name).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    return new Place(
        ByteBuffer.allocate(text.length + Long.BYTES).put(text).putLong(number).array(), 1);
  }

  static Place guarded(long subject) {
    return place("guarded", subject);
  }

  static Place large(long subject) {
    return place("large", subject);
  }

  static Place feed(long subject) {
    return place("feed", subject);
  }

  static Bytes body(int size, int filler) {
    byte[] body = new byte[size];
    Arrays.fill(body, (byte) filler);
    return Bytes.wrap(body);
  }

  /** What a subject begins with: version 1. */
  static void begin(Engine engine, long subject) {
    engine.write(
        List.of(
            new AtomicWrite(
                List.of(
                    new Change.Put(
                        guarded(subject), Condition.ABSENT, new Stored(1, body(3, 0)))))),
        soon());
  }

  /**
   * A step from one version to the next, as one of many makes it: a guarded record, a large value
   * and an entry of the feed, under the epoch.
   */
  static AtomicWrite step(long subject, long version, int writer) {
    return new AtomicWrite(
        List.of(
            new Change.Check(KvStore.ownPlace(), new Condition.VersionIs(1)),
            new Change.Put(
                guarded(subject),
                new Condition.VersionIs(version),
                new Stored(version + 1, body(1, writer))),
            new Change.Put(
                large(subject), Condition.NONE, new Stored(version + 1, body(LARGE, writer)), true),
            new Change.Append(feed(subject), body(1, writer))));
  }

  static Optional<Stored> get(Engine engine, Place place) {
    try (View view = engine.view(soon())) {
      return view.get(List.of(place)).get(0);
    }
  }

  /** All under a prefix, in its order. */
  static List<Found.Entry> all(View view, Place prefix) {
    List<Found.Entry> all = new ArrayList<>();
    Optional<Range> left = Optional.of(Range.of(prefix, true));
    while (left.isPresent()) {
      Found found = view.range(left.get(), 100);
      all.addAll(found.entries());
      left = found.rest();
    }
    return all;
  }

  /** Who wrote the steps of a subject, in the order of the feed. */
  static List<Integer> writers(Engine engine, long subject) {
    try (View view = engine.view(soon())) {
      return all(view, feed(subject)).stream()
          .map(entry -> (int) entry.stored().body().unsafeArray()[0])
          .toList();
    }
  }
}
