/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
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
      int depth = 0;
      do {
        JsonToken token = parser.nextToken();
        if (token == null) {
          return Optional.empty();
        }
        copy(token, parser, generator);
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      } while (depth > 0);
      if (parser.nextToken() != null) {
        return Optional.empty();
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return Optional.of(new Raw(wellFormed(compact.toString())));
  }

  private static void copy(JsonToken token, JsonParser parser, JsonGenerator generator) {
    switch (token) {
      case START_OBJECT -> generator.writeStartObject();
      case END_OBJECT -> generator.writeEndObject();
      case START_ARRAY -> generator.writeStartArray();
      case END_ARRAY -> generator.writeEndArray();
      case PROPERTY_NAME -> generator.writeName(parser.currentName());
      case VALUE_STRING -> generator.writeString(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> generator.writeNumber(parser.getString());
      case VALUE_TRUE -> generator.writeBoolean(true);
      case VALUE_FALSE -> generator.writeBoolean(false);
      default -> generator.writeNull();
    }
  }

  /** Half a surrogate pair, which JSON may spell out, spelled out: UTF-8 has nothing for it. */
  private static String wellFormed(String json) {
    StringBuilder text = new StringBuilder(json.length());
    json.codePoints()
        .forEach(
            point -> {
              if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                text.append(String.format(Locale.ROOT, "\\u%04x", point));
              } else {
                text.appendCodePoint(point);
              }
            });
    return text.toString();
  }
}
