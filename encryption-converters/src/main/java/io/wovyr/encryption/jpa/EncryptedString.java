/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import jakarta.persistence.Converter;
import java.nio.charset.StandardCharsets;

/**
 * Text, any characters, the empty one too, except unpaired surrogates, which are refused.
 *
 * @since 0.1
 */
@Converter
public class EncryptedString extends EncryptedColumn<String> {
  /** Values are bound to no column. */
  public EncryptedString() {
    this("");
  }

  /** Values open in the column of this name only; for subclasses. */
  protected EncryptedString(String column) {
    super("string", column);
  }

  @Override
  final byte[] encode(String value) {
    byte[] plain = value.getBytes(StandardCharsets.UTF_8);
    if (!decode(plain).equals(value)) {
      throw new InvalidInput("a text to encrypt has an unpaired surrogate");
    }
    return plain;
  }

  @Override
  final String decode(byte[] plain) {
    return new String(plain, StandardCharsets.UTF_8);
  }
}
