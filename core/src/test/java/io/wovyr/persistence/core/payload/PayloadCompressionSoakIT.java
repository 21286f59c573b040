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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PayloadCompressionSoakIT {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int CYCLES = 200_000;
  private static final int SETTLED = 20_000;
  private static final int LARGE_EVERY = 5_000;
  private static final long MOST_GROWTH_KIB = 100 * 1024;

  @Test
  @DisplayName("C056: 200,000 contents, half of them cut: no native memory stays behind")
  void nativeMemoryDoesNotGrow() throws IOException {
    if (!Files.exists(STATUS)) {
      System.out.println("NOT RUN: growth of native memory: there is no /proc here, run on Linux");
    }
    assumeTrue(Files.exists(STATUS), "resident memory is read from /proc");
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

  /** Without the heap, which the collector makes larger when it likes. */
  private static long nativeKib() throws IOException {
    return residentKib() - Runtime.getRuntime().totalMemory() / 1_024;
  }

  private static long residentKib() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
