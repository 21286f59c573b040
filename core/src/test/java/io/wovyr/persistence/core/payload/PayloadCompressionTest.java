/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCompressionTest {
  private static final Binding HERE =
      new Binding("acme", "workflow_event", "payload", new UUID(1, 2), KeyScope.DATA);

  private final SecureRandom random = PayloadSealer.newRandom();
  private final PayloadSealer sealed = new PayloadSealer(Optional.of(new KeyedSealing(1)), random);
  private final PayloadSealer clear = new PayloadSealer(Optional.empty(), random);

  @ParameterizedTest
  @ValueSource(ints = {1_023, 1_024, 70_000, 1 << 20, (1 << 20) + 1, 5_000_000})
  void contentsFromTheThresholdOnAreCompressedAndComeBackExactly(int length) {
    Payload plain = Payload.of("application/octet-stream", repetitive(length));
    for (PayloadSealer sealer : List.of(sealed, clear)) {
      StoredPayload stored = sealer.seal(plain, HERE);
      assertThat(stored.compression()).isEqualTo(length < 1_024 ? 0 : 1);
      assertThat(stored.length()).isEqualTo(length);
      if (length >= 1_024) {
        assertThat(stored.encode().size()).isLessThan(length / 2);
      }
      assertThat(sealer.open(StoredPayload.decode(stored.encode()), HERE)).isEqualTo(plain);
      assertThat(sealer.sameContent(plain, stored, HERE)).isTrue();
    }
  }

  @Test
  void contentsThatDoNotCompressAreStoredAsTheyAre() {
    byte[] noise = new byte[100_000];
    new Random(5).nextBytes(noise);
    Payload plain = Payload.of("application/octet-stream", noise);
    StoredPayload stored = clear.seal(plain, HERE);
    assertThat(stored.compression()).isEqualTo(StoredPayload.UNCOMPRESSED);
    assertThat(body(stored).size()).isEqualTo(StoredPayload.SALT_BYTES + noise.length);
    assertThat(clear.open(stored, HERE)).isEqualTo(plain);
  }

  @Test
  void secretsAreNeverCompressed() {
    Binding secret = new Binding("acme", "secret", "value", new UUID(1, 2), KeyScope.SECRET);
    Payload plain = Payload.of("application/octet-stream", repetitive(70_000));
    assertThat(sealed.seal(plain, secret).compression()).isEqualTo(StoredPayload.UNCOMPRESSED);
  }

  @Test
  void whoDoesNotCompressReadsWhatWasCompressed() {
    PayloadSealer plainly =
        new PayloadSealer(
            Optional.empty(),
            PayloadCompression.NONE,
            PayloadSealer.Unsealed.ACCEPTED,
            random,
            PayloadSealer.NO_CHUNKS);
    Payload plain = Payload.of("application/octet-stream", repetitive(70_000));
    assertThat(plainly.seal(plain, HERE).compression()).isEqualTo(StoredPayload.UNCOMPRESSED);
    assertThat(plainly.open(clear.seal(plain, HERE), HERE)).isEqualTo(plain);
  }

  @Test
  @DisplayName("C055: a bomb of 800 MB in 26 KB is refused, whatever its envelope declares")
  void aBombIsRefused() throws IOException {
    byte[] bomb = zerosCompressed(800_000_000L);
    assertThat(bomb.length).isLessThan(100_000);
    for (long declared : new long[] {1_000, 1 << 20, 3_000_000, 100 << 20}) {
      assertRefused(Corrupt.class, bomb, declared);
    }
    for (long declared : new long[] {800_000_000L, 1L << 40, Long.MAX_VALUE}) {
      assertRefused(Rejected.class, bomb, declared);
    }
  }

  @Test
  @DisplayName("C055: a header that claims 2^40 bytes takes no memory")
  void aHeaderThatClaimsTooMuchIsRefused() {
    // Frame header: single segment, 8 bytes of content size; then one raw block of one byte.
    byte[] frame = HexFormat.of().parseHex("28b52ffd" + "e0" + "0000000000010000" + "09000041");
    for (long declared : new long[] {1, 1_000, 2_000_000}) {
      assertRefused(Corrupt.class, frame, declared);
    }
  }

  @Test
  @DisplayName("C055: a window of 2^31 bytes takes no memory")
  void aHugeWindowIsRefused() {
    // No content size, window descriptor 2^31; then one raw block of one byte.
    byte[] frame = HexFormat.of().parseHex("28b52ffd" + "00" + "a8" + "09000041");
    for (long declared : new long[] {2, 2_000_000}) {
      assertRefused(Corrupt.class, frame, declared);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {70_000, 3_000_000})
  void cutDamagedAndLongerContentsAreRefused(int length) {
    byte[] content = repetitive(length);
    byte[] frame = Zstd.compress(content);
    byte[] cut = java.util.Arrays.copyOf(frame, frame.length - 1);
    byte[] longer = java.util.Arrays.copyOf(frame, frame.length + 1);
    byte[] two = ByteBuffer.allocate(2 * frame.length).put(frame).put(frame).array();
    for (byte[] wrong : List.of(cut, longer, two, new byte[0])) {
      assertRefused(Corrupt.class, wrong, length);
    }
    assertRefused(Corrupt.class, frame, length - 1);
    assertRefused(Corrupt.class, frame, length + 1);
  }

  @Test
  void anUnknownCodecIsNamed() {
    StoredPayload stored = envelope(240, new byte[10], 10);
    assertThatThrownBy(() -> clear.open(stored, HERE))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("codec 240")
        .hasMessageContaining(HERE.originId().toString());
  }

  @Test
  void aContentLongerThanTheLimitIsNeitherWrittenNorRead() {
    PayloadSealer small =
        new PayloadSealer(
            Optional.empty(),
            new PayloadCompression(100, 3, 1_000),
            PayloadSealer.Unsealed.ACCEPTED,
            random,
            PayloadSealer.NO_CHUNKS);
    Payload tooLong = Payload.of("application/octet-stream", new byte[1_001]);
    assertThatThrownBy(() -> small.seal(tooLong, HERE)).isInstanceOf(Rejected.class);
    assertThatThrownBy(() -> small.open(clear.seal(tooLong, HERE), HERE))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("1001");
    Payload fits = Payload.of("application/octet-stream", new byte[1_000]);
    assertThat(small.open(small.seal(fits, HERE), HERE)).isEqualTo(fits);
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new PayloadCompression(-1, 3, 10)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new PayloadCompression(1, 0, 10)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new PayloadCompression(1, 20, 10)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new PayloadCompression(1, 3, 0)).isInstanceOf(InvalidInput.class);
  }

  @Test
  @DisplayName("C058: a value in the clear, planted among sealed ones, is refused")
  void whereValuesAreSealedAValueInTheClearIsRefused() {
    Payload plain = Payload.text("hello");
    StoredPayload forged = clear.seal(plain, HERE);
    assertThatThrownBy(() -> sealed.open(forged, HERE))
        .isInstanceOf(Corrupt.class)
        .hasMessageContainingAll("not sealed", "wovyr.sealing.unsealed to accept");
    assertThat(sealed.sameContent(plain, forged, HERE)).isFalse();
    assertThat(sealed.open(sealed.seal(plain, HERE), HERE)).isEqualTo(plain);
  }

  @Test
  void whereAStoreIsOlderThanItsSealingAllButSecretsIsReadInTheClear() {
    PayloadSealer older =
        new PayloadSealer(
            Optional.of(new KeyedSealing(1)),
            PayloadCompression.STANDARD,
            PayloadSealer.Unsealed.ACCEPTED,
            random,
            PayloadSealer.NO_CHUNKS);
    Payload plain = Payload.text("hello");
    assertThat(older.open(clear.seal(plain, HERE), HERE)).isEqualTo(plain);
    Binding place = new Binding("acme", "secret", "value", new UUID(1, 2), KeyScope.SECRET);
    StoredPayload secret = clear.seal(plain, place);
    assertThatThrownBy(() -> older.open(secret, place))
        .isInstanceOf(Corrupt.class)
        .hasMessageContainingAll("not sealed", "wovyr.sealing.provider");
    assertThat(clear.open(secret, place)).isEqualTo(plain);
  }

  @Test
  @DisplayName("C112: the native library loads again in another class loader, and beside it")
  void theNativeLibraryLoadsInEveryClassLoader() throws Exception {
    URL[] jar = {Zstd.class.getProtectionDomain().getCodeSource().getLocation()};
    byte[] content = repetitive(5_000);
    for (int deployment = 0; deployment < 2; deployment++) {
      try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
        Class<?> zstd = Class.forName("com.github.luben.zstd.Zstd", true, loader);
        assertThat(zstd).isNotSameAs(Zstd.class);
        byte[] frame = (byte[]) zstd.getMethod("compress", byte[].class).invoke(null, content);
        assertThat(Zstd.decompress(frame, content.length)).isEqualTo(content);
      }
    }
  }

  private void assertRefused(Class<? extends StorageFailure> type, byte[] frame, long declared) {
    StoredPayload stored = envelope(PayloadCompression.ZSTANDARD, frame, declared);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    assertThatThrownBy(() -> clear.open(stored, HERE)).isInstanceOf(type);
    Duration spent = Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    assertThat(spent).isLessThan(Duration.ofSeconds(2));
    Payload next = Payload.of("application/octet-stream", repetitive(5_000));
    assertThat(clear.open(clear.seal(next, HERE), HERE)).isEqualTo(next);
  }

  private static StoredPayload envelope(int compression, byte[] frame, long declared) {
    byte[] part = new byte[StoredPayload.SALT_BYTES + frame.length];
    System.arraycopy(frame, 0, part, StoredPayload.SALT_BYTES, frame.length);
    return new StoredPayload(
        "application/octet-stream",
        StoredPayload.UNSEALED,
        compression,
        Optional.empty(),
        Bytes.wrap(new byte[32]),
        declared,
        new Body.Inline(Bytes.wrap(part)));
  }

  private static Bytes body(StoredPayload stored) {
    return ((Body.Inline) stored.body()).bytes();
  }

  private static byte[] repetitive(int length) {
    byte[] content = new byte[length];
    for (int i = 0; i < length; i++) {
      content[i] = (byte) ("{\"order\":" + i / 50 + "}").charAt(i % 9);
    }
    return content;
  }

  private static byte[] zerosCompressed(long length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(out, 3)) {
      byte[] zeros = new byte[1 << 20];
      for (long left = length; left > 0; left -= zeros.length) {
        zstd.write(zeros, 0, (int) Math.min(left, zeros.length));
      }
    }
    return out.toByteArray();
  }
}
