/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.state;

import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * The state of an execution: a persistent map from (section, key) to a value. Immutable; applying
 * an event shares everything that did not change. Times, workers, tokens and the cursor are never
 * in it, so two runs that did the same have the same content.
 *
 * @since 0.1
 */
public interface WorkflowState {
  /** The state after one more event: its changes in order, nothing else. */
  WorkflowState apply(WorkflowEvent event);

  /** The value of a key; empty when it is not there. */
  Optional<Leaf> get(Section section, String key);

  /** Number of keys in all sections. */
  int size();

  /** Visits every entry in canonical order: by section code, then by the key's UTF-8 bytes. */
  void forEach(BiConsumer<Key, Leaf> visitor);

  /**
   * Hash over the commitments of the leaves. Proves what was stored, and survives the shredding of
   * values; two runs differ in it, since salts do. Specified in {@code docs/format/state.md}.
   */
  StateHash hash();

  /**
   * Hash over the plain values: equal for two runs that did the same. Computed on demand, never
   * stored; needs the right to open every value.
   */
  StateHash contentHash(Opener opener);

  /** Section and key of an entry. */
  record Key(Section section, String name) {}

  /** A value and where it was first written. */
  record Leaf(StoredPayload payload, Origin origin) {}

  /**
   * The event a value was first written in; its seal is bound to it.
   *
   * @param executionId whose event it is
   * @param attributePath {@code payload}, or {@code changes[i]}
   */
  record Origin(UUID executionId, UUID eventId, String attributePath, long sequence) {}

  /** Opens values, with the rights of a caller. */
  @FunctionalInterface
  interface Opener {
    /** The plain value of a leaf. */
    Payload open(Leaf leaf);
  }
}
