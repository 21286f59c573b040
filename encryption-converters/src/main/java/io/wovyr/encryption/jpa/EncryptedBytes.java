/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Converter;

/**
 * Bytes as they are.
 *
 * @since 0.1
 */
@Converter
public class EncryptedBytes extends EncryptedColumn<byte[]> {
  /** Values are bound to no column. */
  public EncryptedBytes() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedBytes(String column) {
    super("bytes", column);
  }

  @Override
  final byte[] encode(byte[] value) {
    return value.clone();
  }

  @Override
  final byte[] decode(byte[] plain) {
    return plain;
  }
}
