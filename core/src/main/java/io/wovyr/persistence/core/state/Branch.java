/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.state.StateDigest.Kind;
import io.wovyr.persistence.state.WorkflowState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Two entries or more, parted by their next digit. */
final class Branch extends Node {
  /** Bit d is set when there are entries whose next digit is d. */
  private final int bitmap;

  /** One for each bit set, by rising digit. */
  private final Node[] children;

  private final int size;

  private Branch(int bitmap, Node[] children) {
    this.bitmap = bitmap;
    this.children = children;
    int entries = 0;
    for (Node child : children) {
      entries += child.size();
    }
    this.size = entries;
  }

  /** The node of two entries of different keys that share their first {@code depth} digits. */
  static Node of(Entry one, Entry other, int depth) {
    if (depth == MAX_DEPTH) {
      return Collision.of(one, other);
    }
    int first = digit(one.place(), depth);
    int second = digit(other.place(), depth);
    if (first == second) {
      return new Branch(1 << first, new Node[] {of(one, other, depth + 1)});
    }
    return new Branch(
        1 << first | 1 << second,
        first < second ? new Node[] {one, other} : new Node[] {other, one});
  }

  @Override
  Bytes computeHash() {
    StateDigest digest = new StateDigest(Kind.NODE).unsignedShort(bitmap);
    for (Node child : children) {
      digest.bytes(child.hash());
    }
    return digest.finish();
  }

  @Override
  int size() {
    return size;
  }

  @Override
  @Nullable Entry find(long place, WorkflowState.Key key, int depth) {
    int bit = 1 << digit(place, depth);
    return (bitmap & bit) == 0 ? null : children[index(bit)].find(place, key, depth + 1);
  }

  @Override
  Node put(Entry entry, int depth) {
    int bit = 1 << digit(entry.place(), depth);
    int index = index(bit);
    if ((bitmap & bit) == 0) {
      return new Branch(bitmap | bit, inserted(index, entry));
    }
    return replaced(index, children[index].put(entry, depth + 1));
  }

  @Override
  @Nullable Node remove(long place, WorkflowState.Key key, int depth) {
    int bit = 1 << digit(place, depth);
    if ((bitmap & bit) == 0) {
      return this;
    }
    int index = index(bit);
    Node child = children[index];
    Node rest = child.remove(place, key, depth + 1);
    if (rest == child) {
      return this;
    }
    if (rest == null) {
      // A branch has two entries or more, so another child is left; alone, an entry moves up.
      Node[] others = removed(index);
      return others.length == 1 && others[0] instanceof Entry only
          ? only
          : new Branch(bitmap & ~bit, others);
    }
    return children.length == 1 && rest instanceof Entry only ? only : replaced(index, rest);
  }

  @Override
  void forEach(Consumer<Entry> visitor) {
    for (Node child : children) {
      child.forEach(visitor);
    }
  }

  private int index(int bit) {
    return Integer.bitCount(bitmap & (bit - 1));
  }

  private Branch replaced(int index, Node child) {
    Node[] changed = children.clone();
    changed[index] = child;
    return new Branch(bitmap, changed);
  }

  private Node[] inserted(int index, Node child) {
    Node[] longer = new Node[children.length + 1];
    System.arraycopy(children, 0, longer, 0, index);
    longer[index] = child;
    System.arraycopy(children, index, longer, index + 1, children.length - index);
    return longer;
  }

  private Node[] removed(int index) {
    Node[] shorter = new Node[children.length - 1];
    System.arraycopy(children, 0, shorter, 0, index);
    System.arraycopy(children, index + 1, shorter, index, shorter.length - index);
    return shorter;
  }
}
