/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.storage.spi.StoreTime;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** Instants as whole microseconds since the epoch: exact, and ordered as numbers. */
@Converter
@Immutable
public final class InstantMicrosConverter
    implements AttributeConverter<@Nullable Instant, @Nullable Long> {
  @Override
  public @Nullable Long convertToDatabaseColumn(@Nullable Instant instant) {
    return instant == null ? null : StoreTime.micros(instant);
  }

  @Override
  public @Nullable Instant convertToEntityAttribute(@Nullable Long micros) {
    return micros == null ? null : StoreTime.ofMicros(micros);
  }
}
