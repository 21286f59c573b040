/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.core.state.StateDigest.Kind;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.state.WorkflowState.Leaf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A key and its value: a set of one. */
final class Entry extends Node {
  private final long place;
  private final WorkflowState.Key key;
  private final Leaf leaf;

  Entry(long place, WorkflowState.Key key, Leaf leaf) {
    this.place = place;
    this.key = key;
    this.leaf = leaf;
  }

  long place() {
    return place;
  }

  WorkflowState.Key key() {
    return key;
  }

  Leaf leaf() {
    return leaf;
  }

  boolean has(long otherPlace, WorkflowState.Key otherKey) {
    return place == otherPlace && key.equals(otherKey);
  }

  @Override
  Bytes computeHash() {
    return new StateDigest(Kind.LEAF)
        .unsignedByte(key.section().code())
        .text(key.name())
        .bytes(commitment())
        .finish();
  }

  /** Of the leaf; whose envelope it is that cannot be read is told with the error. */
  private Bytes commitment() {
    try {
      return leaf.payload().commitment();
    } catch (Corrupt e) {
      throw new Corrupt(where() + e.getMessage(), e);
    } catch (UnsupportedVersion e) {
      throw new UnsupportedVersion(where() + e.getMessage());
    }
  }

  private String where() {
    WorkflowState.Origin origin = leaf.origin();
    return "value %s of event %s cannot be read: "
        .formatted(origin.attributePath(), origin.eventId());
  }

  @Override
  int size() {
    return 1;
  }

  @Override
  @Nullable Entry find(long otherPlace, WorkflowState.Key otherKey, int depth) {
    return has(otherPlace, otherKey) ? this : null;
  }

  @Override
  Node put(Entry entry, int depth) {
    return has(entry.place, entry.key) ? entry : Branch.of(this, entry, depth);
  }

  @Override
  @Nullable Node remove(long otherPlace, WorkflowState.Key otherKey, int depth) {
    return has(otherPlace, otherKey) ? null : this;
  }

  @Override
  void forEach(Consumer<Entry> visitor) {
    visitor.accept(this);
  }
}
