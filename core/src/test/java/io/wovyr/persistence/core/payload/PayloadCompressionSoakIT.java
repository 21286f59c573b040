/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.payload.StoredPayload;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PayloadCompressionSoakIT {
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");
  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ ");
  private static final Pattern BRACKETS =
      Pattern.compile("\\[0x([0-9a-f]+)(?:, ?0x[0-9a-f]+)*, ?0x([0-9a-f]+)[)\\]]");
  private static final int CYCLES = 200_000;
  private static final int SETTLED = 20_000;
  private static final int LARGE_EVERY = 5_000;
  private static final long MOST_GROWTH_KIB = 100 * 1024;

  @BeforeEach
  void whereResidentMemoryIsShown() {
    if (!Files.exists(MAPPINGS)) {
      System.out.println("NOT RUN: growth of native memory: there is no /proc here, run on Linux");
    }
    assumeTrue(Files.exists(MAPPINGS), "resident memory is read from /proc");
  }

  @Test
  void nativeMemoryIsToldApartFromTheHeap() throws Exception {
    int bytes = 64 << 20;
    long before = nativeKib();
    byte[] heap = new byte[bytes];
    Arrays.fill(heap, (byte) 1);
    long withHeap = nativeKib() - before;
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes);
    for (int at = 0; at < bytes; at += 1_024) {
      direct.put(at, heap[at]);
    }
    long withBoth = nativeKib() - before;

    assertThat(withHeap).as("KiB, an array more").isLessThan(bytes / 1_024 / 2);
    assertThat(withBoth - withHeap).as("KiB, native memory more").isGreaterThan(bytes / 1_024 / 2);
  }

  @Test
  @DisplayName("C056: 200,000 contents, half of them cut: no native memory stays behind")
  void nativeMemoryDoesNotGrow() throws Exception {
    byte[] small = content(4_096);
    byte[] large = content(1_200_000);
    long settled = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      byte[] content = cycle % LARGE_EVERY < 2 ? large : small;
      byte[] part = PayloadCompression.STANDARD.compressed(content).orElseThrow();
      if (cycle % 2 == 0) {
        expand(part, content.length);
      } else {
        assertCutIsRefused(part, content.length);
      }
      if (cycle == SETTLED) {
        settled = nativeKib();
      }
    }
    assertThat(nativeKib() - settled).isLessThan(MOST_GROWTH_KIB);
  }

  private static void assertCutIsRefused(byte[] part, int length) {
    byte[] cut = Arrays.copyOf(part, part.length / 2 + StoredPayload.SALT_BYTES / 2);
    Corrupt refused = null;
    try {
      expand(cut, length);
    } catch (Corrupt e) {
      refused = e;
    }
    assertThat(refused).isNotNull();
  }

  private static void expand(byte[] part, int length) {
    byte[] whole =
        PayloadCompression.STANDARD.expanded(
            PayloadCompression.ZSTANDARD, part, length, () -> "value");
    assertThat(whole.length).isEqualTo(length + StoredPayload.SALT_BYTES);
  }

  private static byte[] content(int length) {
    byte[] noise = new byte[length];
    Random random = new Random(1);
    for (int i = 0; i < length; i++) {
      noise[i] = (byte) ('a' + random.nextInt(6));
    }
    assertThat(Zstd.compress(noise).length).isLessThan(length);
    return noise;
  }

  /**
   * Resident memory without the heap, of which the collector touches more when it likes; by where
   * it lies, for its size says nothing of how much of it is resident.
   */
  private static long nativeKib() throws Exception {
    List<Range> heap = heap();
    boolean counts = false;
    long kib = 0;
    for (String line : Files.readAllLines(MAPPINGS)) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.lookingAt()) {
        long begin = Long.parseUnsignedLong(mapping.group(1), 16);
        counts = heap.stream().noneMatch(range -> range.contains(begin));
      } else if (counts && line.startsWith("Rss:")) {
        kib += Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return kib;
  }

  /** As the virtual machine tells: each part's addresses in brackets. */
  private static List<Range> heap() throws Exception {
    String told =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcHeapInfo",
                    null,
                    null);
    List<Range> ranges =
        BRACKETS
            .matcher(told)
            .results()
            .map(
                found ->
                    new Range(
                        Long.parseUnsignedLong(found.group(1), 16),
                        Long.parseUnsignedLong(found.group(2), 16)))
            .toList();
    assertThat(ranges).as(told).isNotEmpty();
    return ranges;
  }

  private record Range(long begin, long end) {
    boolean contains(long address) {
      return begin <= address && address < end;
    }
  }
}
