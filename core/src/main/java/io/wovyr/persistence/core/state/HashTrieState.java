/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.state.StateDigest.Kind;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.state.WorkflowState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link WorkflowState} as a hash-trie in canonical form 1 ({@code docs/format/state.md}): equal
 * contents give the same tree, whatever was put and removed on the way. Its nodes keep their
 * hashes, so after a change {@link #hash()} costs what the change touched, about the logarithm of
 * the size; states that came from one another share all they have in common. Immutable,
 * thread-safe.
 */
public final class HashTrieState implements WorkflowState {
  private static final HashTrieState EMPTY = new HashTrieState(null, HashTrieState::placeOf);
  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::key, CanonicalOrder.INSTANCE);

  private final @Nullable Node root;
  private final ToLongFunction<Key> placement;

  private HashTrieState(@Nullable Node root, ToLongFunction<Key> placement) {
    this.root = root;
    this.placement = placement;
  }

  /** The state before the first event. */
  public static HashTrieState empty() {
    return EMPTY;
  }

  /** An empty state that places its keys otherwise than the canonical form says. */
  static HashTrieState emptyPlacedBy(ToLongFunction<Key> placement) {
    return new HashTrieState(null, placement);
  }

  /** Where a key belongs in the trie: the first 64 bits of a hash that nobody can steer. */
  private static long placeOf(Key key) {
    Bytes hash =
        new StateDigest(Kind.PLACE).unsignedByte(key.section().code()).rest(key.name()).finish();
    return ByteBuffer.wrap(hash.unsafeArray()).getLong();
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when the event puts its payload and
   *     has none
   */
  @Override
  public HashTrieState apply(WorkflowEvent event) {
    Changes changes = new Changes();
    changes.add(event);
    return with(changes.byKey());
  }

  /** This state with new values for these keys; an empty one removes its key. */
  HashTrieState with(Map<Key, Optional<Leaf>> changes) {
    Node changed = root;
    for (Map.Entry<Key, Optional<Leaf>> change : changes.entrySet()) {
      Key key = change.getKey();
      long place = placement.applyAsLong(key);
      if (change.getValue().isPresent()) {
        Entry entry = new Entry(place, key, change.getValue().get());
        changed = changed == null ? entry : changed.put(entry, 0);
      } else if (changed != null) {
        changed = changed.remove(place, key, 0);
      }
    }
    return changed == root ? this : new HashTrieState(changed, placement);
  }

  @Override
  public Optional<Leaf> get(Section section, String key) {
    if (root == null) {
      return Optional.empty();
    }
    Key wanted = new Key(section, key);
    Entry entry = root.find(placement.applyAsLong(wanted), wanted, 0);
    return entry == null ? Optional.empty() : Optional.of(entry.leaf());
  }

  @Override
  public int size() {
    return root == null ? 0 : root.size();
  }

  @Override
  public void forEach(BiConsumer<Key, Leaf> visitor) {
    for (Entry entry : inCanonicalOrder()) {
      visitor.accept(entry.key(), entry.leaf());
    }
  }

  @Override
  public StateHash hash() {
    Bytes contents = root == null ? new StateDigest(Kind.EMPTY).finish() : root.hash();
    Bytes hash = new StateDigest(Kind.STATE).unsignedLong(size()).bytes(contents).finish();
    return new StateHash(StateHash.CANONICAL_FORM, hash);
  }

  @Override
  public StateHash contentHash(Opener opener) {
    StateDigest digest = new StateDigest(Kind.CONTENT).unsignedLong(size());
    for (Entry entry : inCanonicalOrder()) {
      Payload plain = opener.open(entry.leaf());
      digest
          .unsignedByte(entry.key().section().code())
          .text(entry.key().name())
          .text(plain.contentType())
          .unsignedLong(plain.content().size())
          .bytes(plain.content());
    }
    return new StateHash(StateHash.CANONICAL_FORM, digest.finish());
  }

  /** The tree itself, for comparing two states by what they do not share; null when empty. */
  @Nullable Node root() {
    return root;
  }

  private List<Entry> inCanonicalOrder() {
    List<Entry> entries = new ArrayList<>(size());
    if (root != null) {
      root.forEach(entries::add);
      entries.sort(ORDER);
    }
    return entries;
  }

  /** For logs: how many keys, nothing of what they hold. */
  @Override
  public String toString() {
    return "HashTrieState[" + size() + " keys]";
  }
}
