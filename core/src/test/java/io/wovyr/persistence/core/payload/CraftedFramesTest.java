/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compressed parts that somebody made by hand, in an envelope that is in order: sealed by whoever
 * has the key, or in a store that does not seal. {@code -Dwovyr.test.frames=1000000} tries so many
 * at random.
 */
class CraftedFramesTest {
  private static final Binding HERE =
      new Binding("acme", "workflow_event", "payload", new UUID(1, 2), KeyScope.DATA);
  private static final String TYPE = "text/plain";
  private static final String MAGIC = "28b52ffd";

  /** Of more than is expanded at once. */
  private static final String LONG = "hi".repeat(600_000);

  /** Beside the part itself: what is taken at once, and what errors and buffers take. */
  private static final long MOST_BYTES = 8L << 20;

  private static final int RANDOM_FRAMES = Integer.getInteger("wovyr.test.frames", 5_000);

  private final KeyedSealing sealing = new KeyedSealing(1);
  private final PayloadSealer sealed =
      new PayloadSealer(Optional.of(sealing), PayloadSealer.newRandom());
  private final PayloadSealer clear =
      new PayloadSealer(Optional.empty(), PayloadSealer.newRandom());

  @ParameterizedTest
  @CsvSource({
    // A raw block of two bytes, and what ends the frame.
    "0.4, 24b52ffd 00 400002 6869 c00000",
    "0.5, 25b52ffd 00 400002 6869 c00000",
    "0.6, 26b52ffd 00 400002 6869 c00000",
    "0.7, 27b52ffd 20 02 400002 6869 c00000",
  })
  @DisplayName("a frame of a Zstandard before RFC 8878 is refused, wherever it stands")
  void framesOfOlderFormatsAreRefused(String version, String hex) {
    byte[] older = HexFormat.of().parseHex(hex.replace(" ", ""));
    byte[] frame = Zstd.compress("hi".getBytes(StandardCharsets.UTF_8));
    byte[] empty = Zstd.compress(new byte[0]);
    for (String content : List.of("hi", LONG)) {
      assertRefused(older, content);
      assertRefused(joined(empty, older), content);
      assertRefused(joined(older, frame), content);
      assertRefused(joined(frame, older), content);
    }
    assertThat(opened(clear, envelope(clear, frame, "hi"))).as(version).isEqualTo(plain("hi"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Header of one segment with 8 bytes of content size; then a raw block.
        "e0 ffffffffffffffff 11 0000 6869",
        "e0 ffffffffffffff7f 11 0000 6869",
        "e0 0000000000010000 11 0000 6869",
        // Window descriptors of 2^31, of the largest there is, and with a content size beside it.
        "00 a8 11 0000 6869",
        "00 ff 11 0000 6869",
        "c0 a8 0200000000000000 11 0000 6869",
        // The reserved bit, the reserved type of block, a block of more than a window may have.
        "28 02 11 0000 6869",
        "20 02 17 0000 6869",
        "20 02 fd ffff 6869",
        // A dictionary by its number: one byte, and four.
        "21 07 02 11 0000 6869",
        "23 07000000 02 11 0000 6869",
        // A compressed block without anything in it, and one that says 64 KiB of literals.
        "20 02 05 0000",
        "20 02 2d 0000 0c ffff 00 00",
        // A content size that is not the content's, smaller and larger.
        "20 01 11 0000 6869",
        "20 03 11 0000 6869",
        // Repeated 128 KiB, again and again.
        "00 58 020010 41 020010 41 020010 41 030010 41",
      })
  void framesThatAreNotInOrderAreRefused(String hex) {
    byte[] frame = HexFormat.of().parseHex(MAGIC + hex.replace(" ", ""));
    for (String content : List.of("hi", "", LONG)) {
      assertRefused(frame, content);
      assertRefused(joined(Zstd.compress(new byte[0]), frame), content);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"502a4d18 ffffffff", "502a4d18 05000000 00", "5f2a4d18", "502a4d"})
  void skippableFramesThatAreCutAreRefused(String hex) {
    byte[] skippable = HexFormat.of().parseHex(hex.replace(" ", ""));
    for (String content : List.of("hi", LONG)) {
      byte[] frame = Zstd.compress(content.getBytes(StandardCharsets.UTF_8));
      assertRefused(joined(skippable, frame), content);
      assertRefused(joined(frame, skippable), content);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 600, 1 << 20, 1_500_000})
  void framesInOrderAreReadHoweverTheyAreDivided(int length) {
    String content = "{\"order\":7}".repeat(length / 11 + 1).substring(0, length);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    byte[] whole = Zstd.compress(bytes);
    byte[] skipped = HexFormat.of().parseHex("532a4d1803000000010203");
    byte[] first = Zstd.compress(Arrays.copyOf(bytes, length / 3));
    byte[] second = compressed(Arrays.copyOfRange(bytes, length / 3, length), false, true);
    for (byte[] part :
        List.of(
            whole,
            compressed(bytes, false, false),
            compressed(bytes, true, true),
            joined(first, second),
            joined(skipped, whole, skipped))) {
      for (PayloadSealer sealer : List.of(clear, sealed)) {
        assertThat(opened(sealer, envelope(sealer, part, content))).isEqualTo(plain(content));
      }
    }
    assertRefused(joined(whole, first, second), content + content + "x");
    assertRefused(joined(first, whole, second), content + "x".repeat(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {600, 1_500_000})
  void wrongChecksumsCutsAndDictionariesAreRefused(int length) {
    String content = "{\"order\":7}".repeat(length / 11 + 1).substring(0, length);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    byte[] checked = compressed(bytes, true, true);
    byte[] wrong = checked.clone();
    wrong[wrong.length - 2] ^= 1;
    assertRefused(wrong, content);
    for (int cut = 1; cut < checked.length; cut += 1 + checked.length / 100) {
      assertRefused(Arrays.copyOf(checked, cut), content);
    }
    byte[] words = "{\"order\":7}".repeat(40).getBytes(StandardCharsets.UTF_8);
    try (ZstdDictCompress dictionary = new ZstdDictCompress(words, 3);
        ZstdCompressCtx context = new ZstdCompressCtx()) {
      context.loadDict(dictionary);
      assertRefused(context.compress(bytes), content);
    }
  }

  @Test
  void manyFramesOfNothingTakeNoMemory() {
    byte[] empty = Zstd.compress(new byte[0]);
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      many.writeBytes(empty);
    }
    byte[] part = many.toByteArray();
    assertRefused(part, "hi");
    assertRefused(part, LONG);
    assertThat(opened(clear, envelope(clear, joined(part, Zstd.compress(new byte[] {65})), "A")))
        .isEqualTo(plain("A"));
  }

  @Test
  void whateverIsChangedOfFramesTheyOpenAsTheyWereOrAreRefused() {
    long seed = Long.getLong("wovyr.test.seed", System.nanoTime());
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < RANDOM_FRAMES; i++) {
      String content = "{\"order\":%d}".formatted(random.nextInt(9)).repeat(random.nextInt(1, 99));
      byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
      byte[] part = compressed(bytes, random.nextBoolean(), random.nextBoolean());
      if (random.nextInt(4) == 0) {
        part = joined(part, compressed(bytes, random.nextBoolean(), random.nextBoolean()));
      }
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        // Headers, most of the time.
        int place = random.nextInt(random.nextBoolean() ? part.length : Math.min(part.length, 20));
        part[place] ^= (byte) (1 << random.nextInt(8));
      }
      int declared = random.nextInt(50) == 0 ? random.nextInt(200 << 20) : bytes.length;
      StoredPayload stored = envelope(clear, part, content, declared);
      Throwable thrown =
          catchThrowable(() -> assertThat(opened(clear, stored)).isEqualTo(plain(content)));
      if (thrown != null) {
        assertThat(thrown).as("seed %d, frame %d", seed, i).isInstanceOf(Corrupt.class);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(RANDOM_FRAMES / 2);
  }

  private void assertRefused(byte[] part, String content) {
    long most = MOST_BYTES + 16L * part.length + 4L * content.length();
    for (PayloadSealer sealer : List.of(clear, sealed)) {
      StoredPayload stored = envelope(sealer, part, content);
      long before = allocated();
      assertThatThrownBy(() -> opened(sealer, stored))
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining(HERE.originId().toString());
      assertThat(allocated() - before)
          .as("bytes taken for %d, as %d", part.length, content.length())
          .isLessThan(most);
    }
    // As one that says a hundred times as much as there is.
    StoredPayload huge = envelope(clear, part, content, 200L << 20);
    long before = allocated();
    assertThatThrownBy(() -> opened(clear, huge)).isInstanceOf(PersistenceException.class);
    assertThat(allocated() - before).as("taken").isLessThan(most);
  }

  private static Payload opened(PayloadSealer sealer, StoredPayload stored) {
    return sealer.open(StoredPayload.decode(stored.encode()), HERE);
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private static Payload plain(String content) {
    return Payload.of(TYPE, content.getBytes(StandardCharsets.UTF_8));
  }

  private StoredPayload envelope(PayloadSealer sealer, byte[] frames, String content) {
    return envelope(sealer, frames, content, content.length());
  }

  /** In good order all around: the commitment is the content's. */
  private StoredPayload envelope(
      PayloadSealer sealer, byte[] frames, String content, long declared) {
    byte[] part = joined(new byte[StoredPayload.SALT_BYTES], frames);
    Optional<Sealed> locked =
        sealer == sealed ? Optional.of(sealing.seal(Bytes.wrap(part), HERE)) : Optional.empty();
    return new StoredPayload(
        TYPE,
        locked.map(Sealed::codec).orElse(StoredPayload.UNSEALED),
        PayloadCompression.ZSTANDARD,
        locked.flatMap(Sealed::keyId),
        commitment(content),
        declared,
        new Body.Inline(locked.map(Sealed::bytes).orElse(Bytes.wrap(part))));
  }

  private static Bytes commitment(String content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(new byte[StoredPayload.SALT_BYTES]);
      digest.update(ByteBuffer.allocate(4).putInt(TYPE.length()).array());
      digest.update(TYPE.getBytes(StandardCharsets.UTF_8));
      return Bytes.wrap(digest.digest(content.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] compressed(byte[] content, boolean checksum, boolean size) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      return context.setChecksum(checksum).setContentSize(size).compress(content);
    }
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
