/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.samples.ordersaga.Order.Item;
import io.wovyr.samples.ordersaga.Order.Priority;
import io.wovyr.samples.ordersaga.OrderFile.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads orders from CSV (a header line first) or JSON lines, UTF-8, one order a line. A malformed
 * line is named by file, line and reason, and the rest goes on. Not thread-safe; used once.
 *
 * <p>The format follows the name ({@code .csv}, {@code .json}, {@code .jsonl}, {@code .ndjson}), or
 * else the first character: <code>{</code> begins JSON lines.
 */
final class OrderReader {
  private static final List<String> COLUMNS =
      List.of("order_id", "customer", "country", "currency", "amount", "priority", "items");
  private static final int MAX_LINE_BYTES = 100_000;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String fileName;
  private final List<Order> orders = new ArrayList<>();
  private final List<Malformed> malformed = new ArrayList<>();
  private final Map<String, Integer> lineOfOrder = new HashMap<>();

  private OrderReader(String fileName) {
    this.fileName = fileName;
  }

  /**
   * Reads a file.
   *
   * @throws UnusableInput when there is no such file, or not one order in it
   */
  static OrderFile read(Path file) {
    String name = file.toString();
    try {
      return read(name, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UnusableInput("orders cannot be read from " + name + ": " + FileReasons.of(e), e);
    }
  }

  /** Reads the orders that come with this program. */
  static OrderFile readShipped() {
    try (InputStream in = OrderReader.class.getResourceAsStream("orders.csv")) {
      if (in == null) {
        throw new UnusableInput("orders.csv is not in the class path", null);
      }
      return read("orders.csv", in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static OrderFile read(String name, byte[] content) {
    OrderReader reader = new OrderReader(name);
    List<byte[]> lines = split(content);
    if (isJson(name, lines)) {
      reader.readJson(lines);
    } else {
      reader.readCsv(lines);
    }
    if (reader.orders.isEmpty()) {
      String first = reader.malformed.isEmpty() ? "" : "; first: " + reader.malformed.get(0);
      throw new UnusableInput(name + " has no order in it" + first, null);
    }
    return new OrderFile(name, reader.orders, reader.malformed);
  }

  private static boolean isJson(String name, List<byte[]> lines) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".csv")) {
      return false;
    }
    return lower.endsWith(".json")
        || lower.endsWith(".jsonl")
        || lower.endsWith(".ndjson")
        || lines.stream()
            .map(line -> new String(line, StandardCharsets.UTF_8).strip())
            .map(line -> line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line)
            .filter(line -> !line.isEmpty())
            .findFirst()
            .map(line -> line.startsWith("{"))
            .orElse(false);
  }

  private void readJson(List<byte[]> lines) {
    for (int i = 0; i < lines.size(); i++) {
      readLine(i + 1, lines.get(i), OrderReader::orderFromJson);
    }
  }

  private void readCsv(List<byte[]> lines) {
    int headerLine = 0;
    while (headerLine < lines.size() && isBlank(lines.get(headerLine))) {
      headerLine++;
    }
    if (headerLine == lines.size()) {
      return;
    }
    Map<String, Integer> columns = header(headerLine + 1, lines.get(headerLine));
    for (int i = headerLine + 1; i < lines.size(); i++) {
      readLine(i + 1, lines.get(i), text -> orderFromCsv(columns, text));
    }
  }

  private Map<String, Integer> header(int number, byte[] line) {
    List<String> names = new ArrayList<>();
    try {
      cells(decode(line)).forEach(cell -> names.add(cell.strip().toLowerCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw new UnusableInput(fileName + ":" + number + ": " + e.getMessage(), e);
    }
    Map<String, Integer> columns = new HashMap<>();
    for (String column : COLUMNS) {
      if (!names.contains(column)) {
        throw new UnusableInput(
            "%s:%d: the header has no column '%s'; the columns are %s"
                .formatted(fileName, number, column, String.join(",", COLUMNS)),
            null);
      }
      columns.put(column, names.indexOf(column));
    }
    return columns;
  }

  @FunctionalInterface
  private interface LineParser {
    Order parse(String text);
  }

  private void readLine(int number, byte[] line, LineParser parser) {
    if (isBlank(line)) {
      return;
    }
    try {
      Order order = parser.parse(decode(line));
      Integer first = lineOfOrder.putIfAbsent(order.id(), number);
      if (first != null) {
        throw new IllegalArgumentException("order_id is already that of line " + first);
      }
      orders.add(order);
    } catch (IllegalArgumentException e) {
      malformed.add(new Malformed(fileName, number, String.valueOf(e.getMessage())));
    }
  }

  private static Order orderFromCsv(Map<String, Integer> columns, String text) {
    List<String> cells = cells(text);
    int expected = columns.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    if (cells.size() < expected) {
      throw new IllegalArgumentException(
          "has " + cells.size() + " columns, not " + expected + " or more");
    }
    Map<String, String> values = new HashMap<>();
    columns.forEach((column, position) -> values.put(column, cells.get(position).strip()));
    return order(values, items(values.getOrDefault("items", "")));
  }

  private static List<String> cells(String line) {
    try (CSVParser parser = CSVParser.parse(line, CSVFormat.RFC4180)) {
      List<CSVRecord> records = parser.getRecords();
      if (records.size() != 1) {
        throw new IllegalArgumentException("is not one line of CSV");
      }
      return records.get(0).toList();
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException("is not CSV: a quoted value does not end as it should", e);
    }
  }

  private static List<Item> items(String cell) {
    List<Item> items = new ArrayList<>();
    for (String entry : cell.split(";", -1)) {
      int colon = entry.lastIndexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException("items are not written as SKU:quantity;SKU:quantity");
      }
      items.add(
          new Item(
              entry.substring(0, colon).strip(),
              wholeNumber("quantity", entry.substring(colon + 1).strip())));
    }
    return items;
  }

  private static Order orderFromJson(String text) {
    JsonNode node;
    try {
      node = Json.tree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("is not JSON", e);
    }
    if (!node.isObject()) {
      throw new IllegalArgumentException("is not a JSON object");
    }
    refuseDoubles(text);
    Map<String, String> values = new HashMap<>();
    for (String column : COLUMNS) {
      JsonNode value = node.path(column);
      if (value.isMissingNode() || value.isNull()) {
        throw new IllegalArgumentException(column + " is missing");
      }
      values.put(column, value.isNumber() ? value.decimalValue().toString() : text(value));
    }
    if (!node.path("items").isArray()) {
      throw new IllegalArgumentException("items are not an array");
    }
    List<Item> items = new ArrayList<>();
    for (JsonNode item : node.path("items")) {
      if (!item.isObject()) {
        throw new IllegalArgumentException("items are not objects with sku and quantity");
      }
      items.add(
          new Item(
              text(item.path("sku")), wholeNumber("quantity", item.path("quantity").asString(""))));
    }
    return order(values, items);
  }

  /** Which of two values is meant nobody can tell. */
  private static void refuseDoubles(String text) {
    try {
      Json.strictTree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("names a member twice", e);
    }
  }

  private static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : "";
  }

  private static Order order(Map<String, String> values, List<Item> items) {
    return new Order(
        values.getOrDefault("order_id", ""),
        values.getOrDefault("customer", ""),
        values.getOrDefault("country", ""),
        values.getOrDefault("currency", ""),
        amount(values.getOrDefault("amount", "")),
        priority(values.getOrDefault("priority", "")),
        items);
  }

  private static BigDecimal amount(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("amount is not a decimal number", e);
    }
  }

  private static Priority priority(String text) {
    for (Priority priority : Priority.values()) {
      if (priority.name().equalsIgnoreCase(text)) {
        return priority;
      }
    }
    throw new IllegalArgumentException("priority is not low, normal, high or express");
  }

  private static int wholeNumber(String what, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(what + " is not a whole number", e);
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  private static String decode(byte[] line) {
    if (line.length > MAX_LINE_BYTES) {
      throw new IllegalArgumentException("is longer than " + MAX_LINE_BYTES + " bytes");
    }
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString().strip();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("is not UTF-8", e);
    }
  }

  private static List<byte[]> split(byte[] content) {
    List<byte[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= content.length; i++) {
      if (i == content.length || content[i] == '\n') {
        if (i > start || i < content.length) {
          lines.add(java.util.Arrays.copyOfRange(content, start, i));
        }
        start = i + 1;
      }
    }
    return lines;
  }
}
