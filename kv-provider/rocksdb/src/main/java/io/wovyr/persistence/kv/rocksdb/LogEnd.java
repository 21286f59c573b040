/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Tells the torn end of a log, which a crash leaves, from damage. RocksDB writes one record, syncs
 * it, and only then the next: so what a crash tore is the last record, and nothing of it was
 * acknowledged. Where a whole record begins behind one that cannot be read, or behind a gap,
 * something that was acknowledged is damaged, and must not be dropped in silence; RocksDB itself
 * passes over some of it without a word.
 *
 * <p>Format: blocks of 32 KiB; in them records of checksum (CRC-32C over type and content, masked),
 * length (2 bytes), type (1 whole, 2 first, 3 middle, 4 last) and content; all little-endian. See
 * "Write Ahead Log File Format" in RocksDB's documentation.
 */
final class LogEnd {
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int MASK = 0xa282ead8;

  /** What the logs of a store are like. */
  enum State {
    /** They can be read to their end. */
    WHOLE,
    /** All that cannot be read of them lies at their very end. */
    TORN,
    /** Something goes on behind what cannot be read. */
    DAMAGED
  }

  /** Something cannot be read, or is not all there. */
  private boolean broken;

  /** A record begins behind it. */
  private boolean goesOn;

  /** A record has begun, and its last part has not been read yet. */
  private boolean open;

  /** Nothing was written at this place of the file. */
  private boolean empty;

  private LogEnd() {}

  /** Reads all logs of a store, which nobody has open. */
  static State of(Path store) throws IOException {
    LogEnd end = new LogEnd();
    for (Path log : logs(store)) {
      end.read(Files.readAllBytes(log));
    }
    end.broken |= end.open;
    return end.broken ? (end.goesOn ? State.DAMAGED : State.TORN) : State.WHOLE;
  }

  private static List<Path> logs(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d{1,18}\\.log"))
          .sorted(Comparator.comparingLong(LogEnd::number))
          .toList();
    }
  }

  private static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private void read(byte[] log) {
    empty = false;
    for (int start = 0; start < log.length; start += BLOCK) {
      readBlock(ByteBuffer.wrap(log, start, Math.min(BLOCK, log.length - start)).slice());
    }
  }

  private void readBlock(ByteBuffer block) {
    block.order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (block.limit() - at >= HEADER) {
      int length = wholeAt(block, at);
      if (length >= 0) {
        found(block.get(at + HEADER - 1));
        at += HEADER + length;
        continue;
      }
      int written = nextWritten(block, at);
      if (written == block.limit()) {
        // Space that was set aside says nothing, unless a record was to go on there.
        empty = true;
        broken |= open;
        open = false;
        return;
      }
      broken = true;
      open = false;
      at = Math.max(at + 1, written - HEADER + 1);
    }
    broken |= nextWritten(block, at) < block.limit();
  }

  private void found(int type) {
    boolean begins = type == WHOLE || type == FIRST;
    broken |= empty || (begins ? open : !open);
    goesOn |= begins && broken;
    empty = false;
    open = type != WHOLE && type != LAST;
  }

  /** Length of the content of the record at this place, -1 when there is none. */
  private static int wholeAt(ByteBuffer block, int at) {
    int length = block.getShort(at + 4) & 0xffff;
    int type = block.get(at + HEADER - 1);
    if (type < WHOLE || type > LAST || at + HEADER + length > block.limit()) {
      return -1;
    }
    CRC32C checksum = new CRC32C();
    checksum.update(block.slice(at + HEADER - 1, length + 1));
    int value = (int) checksum.getValue();
    return ((value >>> 15) | (value << 17)) + MASK == block.getInt(at) ? length : -1;
  }

  /** The first byte from here on that is not zero. */
  private static int nextWritten(ByteBuffer block, int from) {
    int at = from;
    while (at < block.limit() && block.get(at) == 0) {
      at++;
    }
    return at;
  }
}
