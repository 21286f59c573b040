/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import org.jspecify.annotations.Nullable;

/** A converter of the application that is given a service by CDI. */
@Converter
@Dependent
public class NoteConverter implements AttributeConverter<String, String> {
  @Inject CardKeys keys;

  @Override
  public @Nullable String convertToDatabaseColumn(@Nullable String attribute) {
    return attribute == null ? null : keys.hide(attribute);
  }

  @Override
  public @Nullable String convertToEntityAttribute(@Nullable String column) {
    return column == null ? null : keys.show(column);
  }
}
