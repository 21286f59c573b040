/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.payload;

import org.jspecify.annotations.Nullable;

/**
 * Turns Java values into payloads and back, exactly: what comes back is equal to what was written,
 * in value and type, or the call fails. Nothing is ever replaced by null or another type, and
 * nothing in the data names a class to load: only types an application registered are made.
 *
 * <p>Errors name the place in the value and the types, never content; map keys are content and
 * appear by their position. Implementations are thread-safe.
 *
 * @since 0.1
 */
public interface PayloadConverter {
  /**
   * The payload of a value.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when the value, or one within
   *     it, has a type this converter does not keep, text that is not Unicode, a map key that is
   *     not text, or is too large or too deep; names where. Retrying fails the same way
   */
  Payload toPayload(@Nullable Object value);

  /**
   * The value of a payload that {@link #toPayload} wrote, on this node or another.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when the payload has another
   *     content type, or is larger or deeper than this converter takes
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when it holds a type, or a
   *     shape of a type, that is not known here; names the type
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when the bytes are not what this
   *     format allows
   */
  @Nullable Object toValue(Payload payload);

  /**
   * As {@link #toValue(Payload)}, for a value of a known type. An integer that fits is given as the
   * integer type asked for.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput also when the value is null or
   *     of another type
   */
  <T> T toValue(Payload payload, Class<T> type);
}
