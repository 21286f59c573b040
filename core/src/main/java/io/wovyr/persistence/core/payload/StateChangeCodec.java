/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.StoredPayload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
   * @throws InvalidInput when a key is not a name every store keeps alike
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
   * @throws UnsupportedVersion for a layout, section or kind that is not known here
   * @throws Corrupt when the bytes are not state changes
   */
  public static List<StateChange> decode(Bytes encoded) {
    if (encoded.equals(NONE)) {
      return List.of();
    }
    ByteBuffer in = encoded.asReadOnlyBuffer();
    need(in, HEADER_BYTES);
    int layout = Byte.toUnsignedInt(in.get());
    if (layout != LAYOUT) {
      throw unknown("layout", layout);
    }
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / SMALLEST_CHANGE_BYTES) {
      throw cut();
    }
    List<StateChange> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      changes.add(readChange(in));
    }
    if (in.hasRemaining()) {
      throw new Corrupt("state changes have " + in.remaining() + " bytes too many", null);
    }
    return List.copyOf(changes);
  }

  private static StateChange readChange(ByteBuffer in) {
    need(in, SMALLEST_CHANGE_BYTES);
    int kind = Byte.toUnsignedInt(in.get());
    if (kind != PUT && kind != REMOVE) {
      throw unknown("kind of change", kind);
    }
    int code = Byte.toUnsignedInt(in.get());
    Section section = Section.ofCode(code).orElseThrow(() -> unknown("section", code));
    String key = readKey(in);
    return kind == REMOVE
        ? new StateChange.Remove(section, key)
        : new StateChange.Put(section, key, readValue(in));
  }

  private static StateChange.Value readValue(ByteBuffer in) {
    need(in, 1);
    int kind = Byte.toUnsignedInt(in.get());
    if (kind == EVENT_PAYLOAD) {
      return new StateChange.Value.EventPayload();
    }
    if (kind != OWN) {
      throw unknown("kind of value", kind);
    }
    need(in, Integer.BYTES);
    byte[] payload = readBytes(in, in.getInt());
    return new StateChange.Value.Own(StoredPayload.decode(Bytes.wrap(payload)));
  }

  private static String readKey(ByteBuffer in) {
    byte[] utf8 = readBytes(in, Short.toUnsignedInt(in.getShort()));
    String key = new String(utf8, StandardCharsets.UTF_8);
    // Malformed bytes were replaced: such a key would be another one when it is written again.
    if (key.indexOf('\uFFFD') >= 0 && !Arrays.equals(utf8, key.getBytes(StandardCharsets.UTF_8))) {
      throw new Corrupt("state changes have a key that is not UTF-8", null);
    }
    return key;
  }

  private static byte[] readBytes(ByteBuffer in, int length) {
    if (length < 0) {
      throw cut();
    }
    need(in, length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static void need(ByteBuffer in, int length) {
    if (in.remaining() < length) {
      throw cut();
    }
  }

  private static Corrupt cut() {
    return new Corrupt("state changes are cut", null);
  }

  private static UnsupportedVersion unknown(String what, int number) {
    return new UnsupportedVersion(
        "state changes have " + what + " " + number + ", which is not known here");
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
