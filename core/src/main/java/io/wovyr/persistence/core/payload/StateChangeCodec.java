/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.StoredPayload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The state changes of an event as bytes, layout {@link #LAYOUT} of {@code
 * docs/format/state-changes.md}. Equal changes give equal bytes. Stateless, thread-safe.
 */
public final class StateChangeCodec {
  /** Layout written here, and the newest that is read. */
  public static final int LAYOUT = 1;

  private static final int PUT = 1;
  private static final int REMOVE = 2;
  private static final int OWN = 1;
  private static final int EVENT_PAYLOAD = 2;

  private static final int HEADER_BYTES = 1 + Integer.BYTES;
  private static final int SMALLEST_CHANGE_BYTES = 1 + 1 + Short.BYTES;
  private static final Bytes NONE = Bytes.wrap(new byte[] {LAYOUT, 0, 0, 0, 0});

  private StateChangeCodec() {}

  /**
   * The bytes of these changes, in order.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when a key is not a name every
   *     store keeps alike
   */
  public static Bytes encode(List<StateChange> changes) {
    if (changes.isEmpty()) {
      return NONE;
    }
    List<Part> parts = new ArrayList<>(changes.size());
    int size = HEADER_BYTES;
    for (StateChange change : changes) {
      Part part = Part.of(change);
      parts.add(part);
      size = Math.addExact(size, part.size());
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put((byte) LAYOUT).putInt(changes.size());
    parts.forEach(part -> part.writeTo(out));
    return Bytes.wrap(out.array());
  }

  /**
   * Reads what {@link #encode} wrote. Allocates no more than a small multiple of the input.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion for a layout, section or
   *     kind that is not known here
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when the bytes are not state changes
   */
  public static List<StateChange> decode(Bytes encoded) {
    if (encoded.equals(NONE)) {
      return List.of();
    }
    LayoutReader in = new LayoutReader(encoded, "a list of state changes");
    in.requireLayout(LAYOUT);
    int count = in.readCount(SMALLEST_CHANGE_BYTES);
    List<StateChange> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      changes.add(readChange(in));
    }
    in.requireEnd();
    return List.copyOf(changes);
  }

  private static StateChange readChange(LayoutReader in) {
    int kind = in.readByte();
    if (kind != PUT && kind != REMOVE) {
      throw in.unknown("kind of change", kind);
    }
    int code = in.readByte();
    Section section = Section.ofCode(code).orElseThrow(() -> in.unknown("section", code));
    String key = in.readText();
    return kind == REMOVE
        ? new StateChange.Remove(section, key)
        : new StateChange.Put(section, key, readValue(in));
  }

  private static StateChange.Value readValue(LayoutReader in) {
    int kind = in.readByte();
    if (kind == EVENT_PAYLOAD) {
      return new StateChange.Value.EventPayload();
    }
    if (kind != OWN) {
      throw in.unknown("kind of value", kind);
    }
    return new StateChange.Value.Own(StoredPayload.decode(in.readBlock()));
  }

  /** A change with its texts and payload already bytes. */
  private record Part(StateChange change, Bytes key, Bytes payload) {
    static Part of(StateChange change) {
      Bytes key = Bytes.utf8(Inputs.name("state key", change.key()));
      Bytes payload =
          change instanceof StateChange.Put put && put.value() instanceof StateChange.Value.Own own
              ? own.payload().encode()
              : Bytes.EMPTY;
      return new Part(change, key, payload);
    }

    int size() {
      int size = SMALLEST_CHANGE_BYTES + key.size();
      if (change instanceof StateChange.Put) {
        size += 1 + (payload.size() == 0 ? 0 : Integer.BYTES);
      }
      return Math.addExact(size, payload.size());
    }

    void writeTo(ByteBuffer out) {
      boolean put = change instanceof StateChange.Put;
      out.put((byte) (put ? PUT : REMOVE)).put((byte) change.section().code());
      out.putShort((short) key.size()).put(key.unsafeArray());
      if (put && payload.size() == 0) {
        out.put((byte) EVENT_PAYLOAD);
      } else if (put) {
        out.put((byte) OWN).putInt(payload.size()).put(payload.unsafeArray());
      }
    }
  }
}
