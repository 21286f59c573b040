/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** Payloads as the bytes of their envelope, which is kept even where it cannot be read. */
@Converter
@Immutable
public final class StoredPayloadConverter
    implements AttributeConverter<@Nullable StoredPayload, byte @Nullable []> {
  @Override
  public byte @Nullable [] convertToDatabaseColumn(@Nullable StoredPayload payload) {
    return payload == null ? null : payload.encode().unsafeArray();
  }

  @Override
  public @Nullable StoredPayload convertToEntityAttribute(byte @Nullable [] stored) {
    return stored == null ? null : StoredPayload.keep(Bytes.wrap(stored));
  }
}
