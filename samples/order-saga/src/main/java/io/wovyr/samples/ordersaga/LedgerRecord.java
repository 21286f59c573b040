/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * One line of the ledger: tab-separated text with a CRC-32 (ISO 3309) of all before it at its end,
 * so that a line cut by a crash is told from a whole one.
 */
sealed interface LedgerRecord {
  /** Which execution it is about. */
  UUID executionId();

  /** The fencing token it was sent under. */
  long token();

  /** A worker said that it acts under this token from now on. */
  record Announced(UUID executionId, long token) implements LedgerRecord {}

  /**
   * An effect happened, or was refused by the business behind the ledger.
   *
   * @param key names the effect within its execution: the same on every repetition
   */
  record Performed(UUID executionId, long token, String key, Answer answer)
      implements LedgerRecord {
    public Performed {
      if (key.isEmpty() || key.chars().anyMatch(c -> c < 0x20)) {
        throw new IllegalArgumentException("an idempotency key is one line of text");
      }
    }
  }

  /** The line, with its line feed. */
  default byte[] encode() {
    String text = "announced\t" + executionId() + "\t" + token() + "\t";
    if (this instanceof Performed performed) {
      text =
          "performed\t%s\t%d\t%s\t%s\t%s\t"
              .formatted(
                  executionId(),
                  token(),
                  performed.key(),
                  performed.answer().kind(),
                  performed.answer().text());
    }
    return (text + checksum(text) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The record in a line without its line feed; empty when the line is damaged. */
  static Optional<LedgerRecord> decode(String line) {
    int end = line.lastIndexOf('\t') + 1;
    if (end == 0 || !line.substring(end).equals(checksum(line.substring(0, end)))) {
      return Optional.empty();
    }
    String[] parts = line.split("\t", -1);
    UUID executionId = UUID.fromString(parts[1]);
    long token = Long.parseLong(parts[2]);
    return Optional.of(
        parts[0].equals("announced")
            ? new Announced(executionId, token)
            : new Performed(
                executionId, token, parts[3], new Answer(Answer.Kind.valueOf(parts[4]), parts[5])));
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }
}
