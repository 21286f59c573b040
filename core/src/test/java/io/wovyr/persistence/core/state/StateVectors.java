/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.core.state.ReferenceForm.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The vectors of canonical form 1 that are committed as {@code vectors/state.json}. They were
 * written once, by {@link #main}, from {@link ReferenceForm}; they are never written again.
 */
final class StateVectors {
  static final String RESOURCE = "/vectors/state.json";

  private static final JsonMapper JSON = new JsonMapper();
  private static final HexFormat HEX = HexFormat.of();

  private StateVectors() {}

  record Vector(
      String name,
      List<Item> items,
      List<String> places,
      List<String> leafHashes,
      String stateHash,
      String contentHash) {}

  static List<Vector> read() {
    try (InputStream in = StateVectors.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new AssertionError(RESOURCE + " is missing: restore it, never write it anew");
      }
      List<Vector> vectors = new ArrayList<>();
      for (JsonNode vector : JSON.readTree(in).get("vectors")) {
        vectors.add(read(vector));
      }
      return vectors;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Vector read(JsonNode vector) {
    List<Item> items = new ArrayList<>();
    List<String> places = new ArrayList<>();
    List<String> leafHashes = new ArrayList<>();
    for (JsonNode entry : vector.get("entries")) {
      items.add(
          new Item(
              entry.get("section").intValue(),
              entry.get("key").stringValue(),
              HEX.parseHex(entry.get("salt").stringValue()),
              entry.get("contentType").stringValue(),
              HEX.parseHex(entry.get("content").stringValue())));
      places.add(entry.get("place").stringValue());
      leafHashes.add(entry.get("leafHash").stringValue());
    }
    return new Vector(
        vector.get("name").stringValue(),
        items,
        places,
        leafHashes,
        vector.get("stateHash").stringValue(),
        vector.get("contentHash").stringValue());
  }

  /** Writes the vectors, once: refuses when the file is there. The argument is its path. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    if (Files.exists(file)) {
      throw new IllegalStateException(file + " is there already and is never written again");
    }
    ObjectNode root = JSON.createObjectNode();
    root.put("canonicalForm", 1);
    root.put("specification", "docs/format/state.md");
    ArrayNode vectors = root.putArray("vectors");
    write(vectors, "empty", List.of());
    write(vectors, "one entry", List.of(item(3, "total", "17")));
    write(vectors, "two sections, same key", List.of(item(1, "a", "1"), item(3, "a", "1")));
    write(vectors, "an empty value is there", List.of(item(3, "total", "")));
    write(vectors, "a key that begins another", List.of(item(3, "ab", "1"), item(3, "abc", "2")));
    write(
        vectors,
        "code points, not UTF-16 units",
        List.of(item(3, "\uD83D\uDE00", "1"), item(3, "\uFF61", "2"), item(3, "\u00E4", "3")));
    write(vectors, "places that share digits", sharingDigits(4));
    write(vectors, "NUL and other bytes in values", List.of(item(3, "raw", "a\u0000b\u00FF")));
    write(
        vectors,
        "a hundred entries with salts of their own",
        IntStream.range(0, 100).mapToObj(StateVectors::numbered).toList());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
  }

  private static void write(ArrayNode vectors, String name, List<Item> items) {
    ObjectNode vector = vectors.addObject();
    vector.put("name", name);
    ArrayNode entries = vector.putArray("entries");
    for (Item item : items) {
      ObjectNode entry = entries.addObject();
      entry.put("section", item.section());
      entry.put("key", item.key());
      entry.put("contentType", item.contentType());
      entry.put("content", HEX.formatHex(item.content()));
      entry.put("salt", HEX.formatHex(item.salt()));
      entry.put("commitment", HEX.formatHex(item.commitment()));
      entry.put("place", HEX.formatHex(item.place()));
      entry.put("leafHash", HEX.formatHex(item.leafHash()));
    }
    vector.put("stateHash", ReferenceForm.stateHash(items));
    vector.put("contentHash", ReferenceForm.contentHash(items));
  }

  /** Two keys whose places share their first digits, and one that does not. */
  private static List<Item> sharingDigits(int digits) {
    String wanted = HEX.formatHex(item(3, "key-0", "0").place()).substring(0, digits);
    Item other =
        IntStream.iterate(1, i -> i + 1)
            .mapToObj(i -> item(3, "key-" + i, "1"))
            .filter(item -> HEX.formatHex(item.place()).startsWith(wanted))
            .findFirst()
            .orElseThrow();
    return List.of(item(3, "key-0", "0"), other, item(3, "elsewhere", "2"));
  }

  private static Item item(int section, String key, String text) {
    return new Item(
        section, key, new byte[32], "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private static Item numbered(int number) {
    byte[] salt = new byte[32];
    java.util.Arrays.fill(salt, (byte) number);
    return new Item(
        1 + number % 7,
        "key-" + number,
        salt,
        number % 2 == 0 ? "application/json" : "text/plain;charset=utf-8",
        "value %d"
            .repeat(number % 5)
            .formatted(number, number, number, number, number)
            .getBytes(StandardCharsets.UTF_8));
  }
}
