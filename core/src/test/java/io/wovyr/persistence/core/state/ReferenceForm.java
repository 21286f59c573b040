/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Canonical form 1 written down a second time, from {@code docs/format/state.md} and {@code
 * docs/format/payload.md} alone, with nothing but the JDK: slow, plain, and sharing no line with
 * what it checks.
 */
final class ReferenceForm {
  private ReferenceForm() {}

  /** An entry of a state, its value in the clear. */
  @SuppressWarnings("ArrayRecordComponent") // Items are never compared.
  record Item(int section, String key, byte[] salt, String contentType, byte[] content) {
    byte[] keyBytes() {
      return key.getBytes(StandardCharsets.UTF_8);
    }

    byte[] commitment() {
      byte[] type = contentType.getBytes(StandardCharsets.UTF_8);
      return sha(
          out -> {
            out.write(salt);
            out.writeInt(type.length);
            out.write(type);
            out.write(content);
          });
    }

    byte[] place() {
      return Arrays.copyOf(
          sha(
              out -> {
                out.writeBytes("wvstate1P");
                out.writeByte(section);
                out.write(keyBytes());
              }),
          8);
    }

    byte[] leafHash() {
      return sha(
          out -> {
            out.writeBytes("wvstate1L");
            out.writeByte(section);
            out.writeInt(keyBytes().length);
            out.write(keyBytes());
            out.write(commitment());
          });
    }
  }

  /** Which place an item has; {@link Item#place()} in the canonical form. */
  @FunctionalInterface
  interface Places {
    byte[] of(Item item);
  }

  static String stateHash(Collection<Item> items) {
    return stateHash(items, Item::place);
  }

  static String stateHash(Collection<Item> items, Places places) {
    return hex(
        sha(
            out -> {
              out.writeBytes("wvstate1S");
              out.writeLong(items.size());
              out.write(
                  tree(items.stream().map(item -> new Placed(item, places.of(item))).toList(), 0));
            }));
  }

  static String contentHash(Collection<Item> items) {
    return hex(
        sha(
            out -> {
              out.writeBytes("wvstate1C");
              out.writeLong(items.size());
              for (Item item : inOrder(items)) {
                out.writeByte(item.section());
                out.writeInt(item.keyBytes().length);
                out.write(item.keyBytes());
                byte[] type = item.contentType().getBytes(StandardCharsets.UTF_8);
                out.writeInt(type.length);
                out.write(type);
                out.writeLong(item.content().length);
                out.write(item.content());
              }
            }));
  }

  @SuppressWarnings("ArrayRecordComponent") // Nor are these.
  private record Placed(Item item, byte[] place) {}

  private static byte[] tree(List<Placed> entries, int depth) {
    if (entries.isEmpty()) {
      return sha(out -> out.writeBytes("wvstate1E"));
    }
    if (entries.size() == 1) {
      return entries.get(0).item().leafHash();
    }
    if (depth == 16) {
      return sha(
          out -> {
            out.writeBytes("wvstate1X");
            out.writeInt(entries.size());
            for (Item item : inOrder(entries.stream().map(Placed::item).toList())) {
              out.write(item.leafHash());
            }
          });
    }
    return sha(
        out -> {
          out.writeBytes("wvstate1N");
          ByteArrayOutputStream children = new ByteArrayOutputStream();
          int bitmap = 0;
          for (int digit = 0; digit < 16; digit++) {
            int wanted = digit;
            List<Placed> same =
                entries.stream().filter(entry -> digit(entry.place(), depth) == wanted).toList();
            if (!same.isEmpty()) {
              bitmap += 1 << digit;
              children.write(tree(same, depth + 1));
            }
          }
          out.writeShort(bitmap);
          out.write(children.toByteArray());
        });
  }

  private static int digit(byte[] place, int number) {
    int octet = place[number / 2] & 0xff;
    return number % 2 == 0 ? octet / 16 : octet % 16;
  }

  private static List<Item> inOrder(Collection<Item> items) {
    return items.stream()
        .sorted(
            Comparator.comparingInt(Item::section)
                .thenComparing(Item::keyBytes, Arrays::compareUnsigned))
        .toList();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private interface Input {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static byte[] sha(Input input) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      input.writeTo(new DataOutputStream(bytes));
      return MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
