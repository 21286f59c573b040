/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One table of the result, for both forms of output. Not thread-safe. */
final class ResultTable {
  private final String name;
  private final String title;
  private final List<Field> fields;
  private final List<List<Object>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param key its name for programs
   * @param heading its name for people
   * @param format of {@link String#format}
   */
  record Field(String key, String heading, String format) {
    static Field text(String key, String heading) {
      return new Field(key, heading, "%s");
    }

    static Field number(String key, String heading, int digits) {
      return new Field(key, heading, "%,." + digits + "f");
    }
  }

  ResultTable(String name, String title, Field... fields) {
    this.name = name;
    this.title = title;
    this.fields = List.of(fields);
  }

  /** One more row: texts and numbers, a value for every field; NaN for what is not known. */
  ResultTable row(Object... values) {
    if (values.length != fields.size()) {
      throw new IllegalArgumentException(values.length + " values for " + fields.size());
    }
    rows.add(List.of(values));
    return this;
  }

  String name() {
    return name;
  }

  List<Field> fields() {
    return fields;
  }

  List<List<Object>> rows() {
    return rows;
  }

  /** The table as lines; numbers to the right. */
  List<String> lines() {
    List<List<String>> cells = new ArrayList<>();
    cells.add(fields.stream().map(Field::heading).toList());
    for (List<Object> row : rows) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < fields.size(); i++) {
        texts.add(text(fields.get(i), row.get(i)));
      }
      cells.add(texts);
    }
    List<String> lines = new ArrayList<>();
    lines.add(title);
    cells.forEach(row -> lines.add(line(cells, row)));
    return lines;
  }

  private static String text(Field field, @Nullable Object value) {
    return value instanceof Double unknown && unknown.isNaN()
        ? "-"
        : String.format(
            Locale.ROOT,
            field.format(),
            value instanceof Number number ? (Object) number.doubleValue() : value);
  }

  private String line(List<List<String>> cells, List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      int column = i;
      int width = cells.stream().mapToInt(other -> other.get(column).length()).max().orElse(0);
      boolean left = fields.get(i).format().equals("%s");
      String padding = " ".repeat(width - row.get(i).length());
      line.append("  ").append(left ? row.get(i) + padding : padding + row.get(i));
    }
    return line.toString().stripTrailing();
  }
}
