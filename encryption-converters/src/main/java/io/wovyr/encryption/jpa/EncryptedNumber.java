/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Converter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A decimal number, exactly: value and scale.
 *
 * @since 0.1
 */
@Converter
public class EncryptedNumber extends EncryptedColumn<BigDecimal> {
  /** Values are bound to no column. */
  public EncryptedNumber() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedNumber(String column) {
    super("number", column);
  }

  @Override
  final byte[] encode(BigDecimal value) {
    byte[] unscaled = value.unscaledValue().toByteArray();
    return ByteBuffer.allocate(Integer.BYTES + unscaled.length)
        .putInt(value.scale())
        .put(unscaled)
        .array();
  }

  @Override
  final BigDecimal decode(byte[] plain) {
    int scale = ByteBuffer.wrap(plain).getInt();
    return new BigDecimal(
        new BigInteger(plain, Integer.BYTES, plain.length - Integer.BYTES), scale);
  }
}
