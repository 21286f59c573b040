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
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Tells the torn end of a log, which a crash leaves, from damage. RocksDB writes one record, syncs
 * it, and only then the next: so what a crash tore is the last record, and nothing of it was
 * acknowledged. Where a whole record begins behind one that cannot be read, something that was
 * acknowledged is damaged, and must not be dropped in silence.
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
  private static final int HIGHEST_TYPE = 4;
  private static final int MASK = 0xa282ead8;

  private boolean broken;
  private boolean goesOn;

  private LogEnd() {}

  /** Whether all that cannot be read of the logs lies at their very end. */
  static boolean isTorn(Path store) throws IOException {
    LogEnd end = new LogEnd();
    for (Path log : logs(store)) {
      end.read(Files.readAllBytes(log));
    }
    return end.broken && !end.goesOn;
  }

  private static List<Path> logs(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .sorted()
          .toList();
    }
  }

  private void read(byte[] log) {
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
        int type = block.get(at + HEADER - 1);
        goesOn |= broken && (type == WHOLE || type == FIRST);
        at += HEADER + length;
      } else {
        // Space that was set aside and never written says nothing.
        broken |= !isEmpty(block, at);
        at++;
      }
    }
    broken |= !isEmpty(block, at);
  }

  /** Length of the content of the record at this place, -1 when there is none. */
  private static int wholeAt(ByteBuffer block, int at) {
    int length = block.getShort(at + 4) & 0xffff;
    int type = block.get(at + HEADER - 1);
    if (type < WHOLE || type > HIGHEST_TYPE || at + HEADER + length > block.limit()) {
      return -1;
    }
    CRC32C checksum = new CRC32C();
    checksum.update(block.slice(at + HEADER - 1, length + 1));
    int value = (int) checksum.getValue();
    return ((value >>> 15) | (value << 17)) + MASK == block.getInt(at) ? length : -1;
  }

  private static boolean isEmpty(ByteBuffer block, int from) {
    for (int i = from; i < block.limit(); i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
