/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Converter;
import java.nio.ByteBuffer;

/**
 * A whole number; its size does not show.
 *
 * @since 0.1
 */
@Converter
public class EncryptedLong extends EncryptedColumn<Long> {
  /** Values are bound to no column. */
  public EncryptedLong() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedLong(String column) {
    super("long", column);
  }

  @Override
  final byte[] encode(Long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  @Override
  final Long decode(byte[] plain) {
    EncryptedInstant.requireLength(plain, Long.BYTES);
    return ByteBuffer.wrap(plain).getLong();
  }
}
