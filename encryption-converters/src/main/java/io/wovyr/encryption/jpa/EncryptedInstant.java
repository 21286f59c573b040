/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Converter;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * An instant, to the nanosecond.
 *
 * @since 0.1
 */
@Converter
public class EncryptedInstant extends EncryptedColumn<Instant> {
  private static final int BYTES = Long.BYTES + Integer.BYTES;

  /** Values are bound to no column. */
  public EncryptedInstant() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedInstant(String column) {
    super("instant", column);
  }

  @Override
  final byte[] encode(Instant value) {
    return ByteBuffer.allocate(BYTES)
        .putLong(value.getEpochSecond())
        .putInt(value.getNano())
        .array();
  }

  @Override
  final Instant decode(byte[] plain) {
    requireLength(plain, BYTES);
    ByteBuffer in = ByteBuffer.wrap(plain);
    return Instant.ofEpochSecond(in.getLong(), in.getInt());
  }

  static void requireLength(byte[] plain, int length) {
    if (plain.length != length) {
      throw new IllegalArgumentException(plain.length + " bytes, not " + length);
    }
  }
}
