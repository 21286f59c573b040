/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes {@link JsonObject}s, one document a line. Stateless. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** JSON text to be embedded as it is. */
  record Raw(String json) {}

  /** Prints one document on a line of its own. */
  static void print(PrintStream out, JsonObject document) {
    out.println(text(document));
  }

  /** One document, without line breaks. */
  static String text(JsonObject document) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      write(generator, document);
    }
    return text.toString();
  }

  private static void write(JsonGenerator generator, @Nullable Object value) {
    if (value == null) {
      generator.writeNull();
    } else if (value instanceof JsonObject object) {
      generator.writeStartObject();
      for (Map.Entry<String, @Nullable Object> member : object.members().entrySet()) {
        generator.writeName(member.getKey());
        write(generator, member.getValue());
      }
      generator.writeEndObject();
    } else if (value instanceof List<?> list) {
      generator.writeStartArray();
      for (Object item : list) {
        write(generator, item);
      }
      generator.writeEndArray();
    } else {
      writeScalar(generator, value);
    }
  }

  private static void writeScalar(JsonGenerator generator, Object value) {
    if (value instanceof Boolean flag) {
      generator.writeBoolean(flag);
    } else if (value instanceof Integer || value instanceof Long) {
      generator.writeNumber(((Number) value).longValue());
    } else if (value instanceof Raw raw) {
      generator.writeRawValue(raw.json());
    } else {
      generator.writeString(value.toString());
    }
  }

  /** The text without line breaks, when it is exactly one JSON value; numbers stay as written. */
  static Optional<Raw> compact(String text) {
    StringWriter compact = new StringWriter();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text);
        JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), compact)) {
      if (parser.nextToken() == null) {
        return Optional.empty();
      }
      generator.copyCurrentStructureExact(parser);
      if (parser.nextToken() != null) {
        return Optional.empty();
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return Optional.of(new Raw(compact.toString()));
  }
}
