/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Stored;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A value of the cluster: flags, the version, the stamp, and the body; or, of a body that is too
 * large, its length, and its pieces under keys of their own.
 */
final class StoredBytes {
  /** The cluster takes values of 100,000 bytes. */
  static final int PIECE_BYTES = 90_000;

  private static final int STAMPED = 1;
  private static final int CUT = 2;

  private StoredBytes() {}

  /** Whether the body lies in pieces. */
  static boolean isCut(Bytes body) {
    return body.size() > PIECE_BYTES;
  }

  static int pieces(int bodyBytes) {
    return (bodyBytes + PIECE_BYTES - 1) / PIECE_BYTES;
  }

  static List<byte[]> pieces(Bytes body) {
    ByteBuffer left = ByteBuffer.wrap(body.unsafeArray());
    List<byte[]> pieces = new ArrayList<>(pieces(body.size()));
    while (left.hasRemaining()) {
      byte[] piece = new byte[Math.min(left.remaining(), PIECE_BYTES)];
      left.get(piece);
      pieces.add(piece);
    }
    return pieces;
  }

  /** What lies under the key itself. */
  static byte[] encode(Stored stored) {
    byte[] stamp = stored.stamp().unsafeArray();
    boolean cut = isCut(stored.body());
    byte[] body =
        cut
            ? ByteBuffer.allocate(Integer.BYTES).putInt(stored.body().size()).array()
            : stored.body().unsafeArray();
    ByteBuffer out = ByteBuffer.allocate(1 + Long.BYTES + stamp.length + body.length);
    out.put((byte) ((stamp.length > 0 ? STAMPED : 0) | (cut ? CUT : 0))).putLong(stored.version());
    return out.put(stamp).put(body).array();
  }

  /** Where in an encoded value the stamp lies. */
  static int stampAt() {
    return 1 + Long.BYTES;
  }

  /**
   * What lies under a key.
   *
   * @param stored with an empty body when it is cut
   * @param bodyBytes how large the body is
   */
  record Head(Stored stored, boolean cut, int bodyBytes) {
    int pieces() {
      return cut ? StoredBytes.pieces(bodyBytes) : 0;
    }

    /** With its pieces, in order. */
    Stored whole(List<byte[]> pieces) {
      ByteBuffer body = ByteBuffer.allocate(bodyBytes);
      for (byte[] piece : pieces) {
        if (piece.length > body.remaining()) {
          throw cutOff();
        }
        body.put(piece);
      }
      if (body.hasRemaining()) {
        throw cutOff();
      }
      return new Stored(stored.version(), stored.stamp(), Bytes.wrap(body.array()));
    }
  }

  private static Corrupt cutOff() {
    return new Corrupt("a value of the store lacks pieces: restore a backup", null);
  }

  static Head decode(byte[] value) {
    if (value.length < 1 + Long.BYTES || value[0] < 0 || value[0] > (STAMPED | CUT)) {
      throw new Corrupt("a value of the store is cut or of an unknown kind", null);
    }
    ByteBuffer in = ByteBuffer.wrap(value, 1, value.length - 1);
    long version = in.getLong();
    byte[] stamp = new byte[(value[0] & STAMPED) != 0 ? Stamps.BYTES : 0];
    boolean cut = (value[0] & CUT) != 0;
    if (in.remaining() < stamp.length + (cut ? Integer.BYTES : 0)) {
      throw new Corrupt("a value of the store is cut", null);
    }
    in.get(stamp);
    if (cut) {
      int bodyBytes = in.getInt();
      if (bodyBytes <= PIECE_BYTES) {
        throw new Corrupt("a value of the store has pieces and needs none", null);
      }
      return new Head(new Stored(version, Bytes.wrap(stamp), Bytes.EMPTY), true, bodyBytes);
    }
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new Head(new Stored(version, Bytes.wrap(stamp), Bytes.wrap(body)), false, body.length);
  }
}
