/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Converter;
import java.nio.ByteBuffer;
import java.time.LocalDate;

/**
 * A date without a time.
 *
 * @since 0.1
 */
@Converter
public class EncryptedDate extends EncryptedColumn<LocalDate> {
  /** Values are bound to no column. */
  public EncryptedDate() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedDate(String column) {
    super("date", column);
  }

  @Override
  final byte[] encode(LocalDate value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value.toEpochDay()).array();
  }

  @Override
  final LocalDate decode(byte[] plain) {
    EncryptedInstant.requireLength(plain, Long.BYTES);
    return LocalDate.ofEpochDay(ByteBuffer.wrap(plain).getLong());
  }
}
