/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.List;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** Lists of texts as {@link TextList}s. */
@Converter
@Immutable
public final class TextListConverter
    implements AttributeConverter<@Nullable List<String>, @Nullable String> {
  @Override
  public @Nullable String convertToDatabaseColumn(@Nullable List<String> texts) {
    return texts == null ? null : TextList.encode(texts);
  }

  @Override
  public @Nullable List<String> convertToEntityAttribute(@Nullable String stored) {
    return stored == null ? null : TextList.decode(stored);
  }
}
