/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.PersistenceException.Corrupt;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of texts as one text: a JSON array of strings without white space (RFC 8259), so that
 * people and SQL functions can read it. Only {@code "}, {@code \} and control characters are
 * escaped; equal lists give equal texts. Thread-safe, no state.
 */
public final class TextList {
  private TextList() {}

  /** The text of a list. */
  public static String encode(List<?> texts) {
    StringBuilder json = new StringBuilder(2 + 24 * texts.size()).append('[');
    for (int i = 0; i < texts.size(); i++) {
      json.append(i == 0 ? "\"" : ",\"");
      append(json, (String) texts.get(i));
      json.append('"');
    }
    return json.append(']').toString();
  }

  private static void append(StringBuilder json, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws Corrupt when the text is anything else
   */
  public static List<String> decode(String json) {
    if (json.length() < 2 || json.charAt(0) != '[' || json.charAt(json.length() - 1) != ']') {
      throw corrupt(json);
    }
    List<String> texts = new ArrayList<>();
    int position = 1;
    while (position < json.length() - 1) {
      if (!texts.isEmpty()) {
        position = expect(json, position, ',');
      }
      position = expect(json, position, '"');
      StringBuilder text = new StringBuilder();
      position = readText(json, position, text);
      texts.add(text.toString());
    }
    return List.copyOf(texts);
  }

  private static int readText(String json, int from, StringBuilder text) {
    for (int i = from; i < json.length() - 1; i++) {
      char c = json.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c != '\\') {
        text.append(c);
      } else if (json.charAt(i + 1) == 'u') {
        text.append(unicode(json, i + 2));
        i += 5;
      } else {
        text.append(json.charAt(++i));
      }
    }
    throw corrupt(json);
  }

  private static char unicode(String json, int at) {
    try {
      return (char) Integer.parseInt(json, at, at + 4, 16);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw corrupt(json);
    }
  }

  private static int expect(String json, int position, char expected) {
    if (json.charAt(position) != expected) {
      throw corrupt(json);
    }
    return position + 1;
  }

  private static Corrupt corrupt(String json) {
    return new Corrupt("a list of texts (" + json.length() + " characters) cannot be read", null);
  }
}
