/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** {@link Bytes} as they are. */
@Converter
@Immutable
public final class BytesConverter
    implements AttributeConverter<@Nullable Bytes, byte @Nullable []> {
  @Override
  public byte @Nullable [] convertToDatabaseColumn(@Nullable Bytes bytes) {
    return bytes == null ? null : bytes.unsafeArray();
  }

  @Override
  public @Nullable Bytes convertToEntityAttribute(byte @Nullable [] stored) {
    return stored == null ? null : Bytes.wrap(stored);
  }
}
