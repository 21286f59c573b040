/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes and reads the JSON of the reports (RFC 8259: objects, arrays and strings), so that the kit
 * brings no library into the builds of others.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Text of maps, lists and strings, one value of a list per line. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value, 0);
    return out.toString();
  }

  private static void write(StringBuilder out, Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        quote(out, String.valueOf(entry.getKey()));
        out.append(": ");
        write(out, entry.getValue(), depth + 1);
        separator = ", ";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[\n";
      for (Object element : list) {
        out.append(separator).append("  ".repeat(depth));
        write(out, element, depth + 1);
        separator = ",\n";
      }
      out.append(list.isEmpty() ? "[]" : "\n]");
    } else {
      quote(out, String.valueOf(value));
    }
  }

  private static void quote(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || Character.isSurrogate(c)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  /**
   * The maps, lists and strings of a text.
   *
   * @throws IllegalArgumentException when it is not such JSON
   */
  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at != text.length()) {
      throw json.broken("end of text");
    }
    return value;
  }

  private Object value() {
    skipBlanks();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> throw broken("an object, array or string");
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    expect('{');
    skipBlanks();
    while (peek() != '}') {
      skipBlanks();
      String name = string();
      skipBlanks();
      expect(':');
      map.put(name, value());
      comma('}');
    }
    expect('}');
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    expect('[');
    skipBlanks();
    while (peek() != ']') {
      list.add(value());
      comma(']');
    }
    expect(']');
    return list;
  }

  private void comma(char end) {
    skipBlanks();
    if (peek() != end) {
      expect(',');
      skipBlanks();
    }
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    expect('"');
    while (peek() != '"') {
      char c = text.charAt(at++);
      value.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return value.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> c;
    };
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw broken("more text");
    }
    return text.charAt(at);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw broken("'" + c + "'");
    }
    at++;
  }

  private IllegalArgumentException broken(String expected) {
    return new IllegalArgumentException(
        "not a report: expected " + expected + " at character " + at);
  }
}
