/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.state.StateDigest.Kind;
import io.wovyr.persistence.state.WorkflowState;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two entries or more whose places are the same in every digit, in canonical order. */
final class Collision extends Node {
  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::key, CanonicalOrder.INSTANCE);

  private final Entry[] entries;

  private Collision(Entry[] entries) {
    this.entries = entries;
  }

  static Collision of(Entry... entries) {
    Entry[] sorted = entries.clone();
    Arrays.sort(sorted, ORDER);
    return new Collision(sorted);
  }

  @Override
  Bytes computeHash() {
    StateDigest digest = new StateDigest(Kind.COLLISION).unsignedInt(entries.length);
    for (Entry entry : entries) {
      digest.bytes(entry.hash());
    }
    return digest.finish();
  }

  @Override
  int size() {
    return entries.length;
  }

  @Override
  @Nullable Entry find(long place, WorkflowState.Key key, int depth) {
    for (Entry entry : entries) {
      if (entry.has(place, key)) {
        return entry;
      }
    }
    return null;
  }

  @Override
  Node put(Entry entry, int depth) {
    return of(Stream.concat(Stream.of(entry), without(entry.key())).toArray(Entry[]::new));
  }

  @Override
  @Nullable Node remove(long place, WorkflowState.Key key, int depth) {
    Entry[] rest = without(key).toArray(Entry[]::new);
    if (rest.length == entries.length) {
      return this;
    }
    return rest.length == 1 ? rest[0] : new Collision(rest);
  }

  @Override
  void forEach(Consumer<Entry> visitor) {
    for (Entry entry : entries) {
      visitor.accept(entry);
    }
  }

  private Stream<Entry> without(WorkflowState.Key key) {
    return Arrays.stream(entries).filter(entry -> !entry.key().equals(key));
  }
}
