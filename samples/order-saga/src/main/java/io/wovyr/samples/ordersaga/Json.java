/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.payload.Payload;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Values to JSON and back. The same value always gives the same bytes, which the content hash
 * needs. Thread-safe.
 */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private static final JsonMapper STRICT =
      MAPPER.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final JsonMapper PRETTY =
      MAPPER.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static String writePretty(Object value) {
    return PRETTY.writeValueAsString(value);
  }

  static <T> T read(String json, Class<T> type) {
    return MAPPER.readValue(json, type);
  }

  /** As {@link #tree}, but an object that names a member twice is refused. */
  static JsonNode strictTree(String json) {
    return STRICT.readTree(json);
  }

  static JsonNode tree(String json) {
    return MAPPER.readTree(json);
  }

  static Payload payload(Object value) {
    return Payload.json(write(value));
  }

  static <T> T read(Payload payload, Class<T> type) {
    return read(payload.content().utf8(), type);
  }
}
