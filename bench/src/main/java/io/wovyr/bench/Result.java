/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.io.PrintStream;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What a run found: tables as they come, one document at the end. Not thread-safe. */
final class Result {
  private final Map<String, String> about = new LinkedHashMap<>();
  private final Map<String, ResultTable> tables = new LinkedHashMap<>();
  private boolean complete = true;

  /** Something about the run as a whole. */
  Result about(String key, String value) {
    about.put(key, value);
    return this;
  }

  void add(ResultTable table) {
    if (!table.rows().isEmpty()) {
      tables.put(table.name(), table);
    }
  }

  /** The run was ended before its time. */
  void interrupted() {
    complete = false;
  }

  /** For a person. */
  void text(PrintStream out) {
    about.forEach((key, value) -> out.println(key + ": " + value));
    for (ResultTable table : tables.values()) {
      out.println();
      table.lines().forEach(out::println);
    }
    if (!complete) {
      out.println();
      out.println("interrupted: this is what was measured until then");
    }
  }

  /** For a program: members may be added later, none goes or changes its meaning. */
  void json(PrintStream out) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      about.forEach(json::writeStringProperty);
      json.writeBooleanProperty("complete", complete);
      tables.values().forEach(table -> write(json, table));
      json.writeEndObject();
    }
    out.println(text);
  }

  private static void write(JsonGenerator json, ResultTable table) {
    json.writeArrayPropertyStart(table.name());
    for (List<Object> row : table.rows()) {
      json.writeStartObject();
      for (int i = 0; i < row.size(); i++) {
        json.writeName(table.fields().get(i).key());
        write(json, row.get(i));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Object value) {
    if (value instanceof Double number) {
      if (number.isNaN()) {
        json.writeNull();
      } else {
        json.writeNumber(number);
      }
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString(value.toString());
    }
  }
}
