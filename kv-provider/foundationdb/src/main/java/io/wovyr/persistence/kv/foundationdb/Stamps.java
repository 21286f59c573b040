/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Stamps: the epoch of the store (2 bytes) and the cluster's own versionstamp (8 bytes commit
 * version, 2 bytes order within it). Only the epoch is known before the commit.
 */
final class Stamps {
  private static final int VERSIONSTAMP = 10;

  /** How long a stamp is. */
  static final int BYTES = Short.BYTES + VERSIONSTAMP;

  private Stamps() {}

  /** With room for the versionstamp. */
  static byte[] unfinished(long epoch) {
    return ByteBuffer.allocate(BYTES).putShort((short) epoch).array();
  }

  /**
   * Above all stamps that are visible at a read version, below all to come. A commit is visible at
   * a read version if and only if its commit version is not above it, and commit versions only
   * rise; writes of an older epoch are refused, since each looks at the epoch and conflicts with
   * what raises it.
   */
  static Bytes horizon(long epoch, long readVersion) {
    return Bytes.wrap(
        ByteBuffer.allocate(BYTES)
            .putShort((short) epoch)
            .putLong(readVersion)
            .putShort((short) -1)
            .array());
  }

  /**
   * A key or a value for a versionstamped operation, which takes the position of the versionstamp
   * behind it.
   *
   * @param stampAt where the stamp of {@link #unfinished} lies
   */
  static byte[] operand(byte[] bytes, int stampAt) {
    byte[] operand = Arrays.copyOf(bytes, bytes.length + Integer.BYTES);
    ByteBuffer.wrap(operand)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length, stampAt + Short.BYTES);
    return operand;
  }
}
