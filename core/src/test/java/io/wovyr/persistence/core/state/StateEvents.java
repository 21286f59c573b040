/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.state.ReferenceForm.Item;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.state.WorkflowState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Events and values for tests of state. */
final class StateEvents {
  static final UUID EXECUTION = new UUID(0x0195_0000_0000_7000L, 17);

  private static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");

  private StateEvents() {}

  static WorkflowEvent event(
      long sequence, Optional<StoredPayload> payload, List<StateChange> changes) {
    return new WorkflowEvent(
        new RecordHeader(
            new UUID(0x0196, sequence), "acme", 1, NOW, NOW, "ada", 1, 1, 1, Bytes.EMPTY),
        EXECUTION,
        sequence,
        "Changed",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        1,
        new UUID(0x0197, sequence),
        payload,
        changes);
  }

  static WorkflowEvent event(long sequence, StateChange... changes) {
    return event(sequence, Optional.empty(), List.of(changes));
  }

  static StateChange put(Section section, String key, StoredPayload payload) {
    return new StateChange.Put(section, key, new StateChange.Value.Own(payload));
  }

  static StateChange put(Item item) {
    return put(Section.ofCode(item.section()).orElseThrow(), item.key(), stored(item));
  }

  static StateChange remove(Section section, String key) {
    return new StateChange.Remove(section, key);
  }

  /** A value in the clear under a given salt. */
  static StoredPayload stored(Item item) {
    byte[] part = Arrays.copyOf(item.salt(), 32 + item.content().length);
    System.arraycopy(item.content(), 0, part, 32, item.content().length);
    return new StoredPayload(
        item.contentType(),
        StoredPayload.UNSEALED,
        StoredPayload.UNCOMPRESSED,
        Optional.empty(),
        Bytes.wrap(item.commitment()),
        item.content().length,
        new Body.Inline(Bytes.wrap(part)));
  }

  /** Opens what {@link #stored} made. */
  static Payload open(WorkflowState.Leaf leaf) {
    byte[] part = ((Body.Inline) leaf.payload().body()).bytes().toByteArray();
    return Payload.of(leaf.payload().contentType(), Arrays.copyOfRange(part, 32, part.length));
  }
}
