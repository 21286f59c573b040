/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PayloadSealerTest {
  private static final Binding HERE =
      new Binding("acme", "workflow_event", "payload", new UUID(1, 2), KeyScope.DATA);
  private static final Binding ELSEWHERE =
      new Binding("acme", "workflow_event", "payload", new UUID(1, 3), KeyScope.DATA);
  private static final Payload SECRET = Payload.json("{\"card\":\"4111\"}");

  private final SecureRandom random = PayloadSealer.newRandom();
  private final PayloadSealer clear = new PayloadSealer(Optional.empty(), random);
  private final KeyedSealing key = new KeyedSealing(1);
  private final PayloadSealer sealed = new PayloadSealer(Optional.of(key), random);

  private List<PayloadSealer> both() {
    return List.of(clear, sealed);
  }

  @Test
  @DisplayName("C049: any content comes back exactly, NUL characters too")
  void contentComesBackExactly() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < 256; i++) {
      everyByte[i] = (byte) i;
    }
    for (PayloadSealer sealer : both()) {
      for (Payload plain :
          List.of(
              Payload.text("ab\u0000cd"),
              Payload.text(""),
              Payload.of("application/octet-stream", everyByte),
              Payload.of("application/octet-stream", new byte[100_000]))) {
        StoredPayload stored = sealer.seal(plain, HERE);
        StoredPayload reread = StoredPayload.decode(stored.encode());
        assertThat(reread).isEqualTo(stored);
        assertThat(sealer.open(reread, HERE)).isEqualTo(plain);
        assertThat(stored.length()).isEqualTo(plain.content().size());
      }
    }
  }

  @Test
  void theCommitmentIsTheOneThatTheFormatSpecifies() throws Exception {
    StoredPayload stored = clear.seal(SECRET, HERE);
    byte[] part = ((Body.Inline) stored.body()).bytes().toByteArray();
    byte[] type = "application/json".getBytes(StandardCharsets.UTF_8);
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    sha.update(part, 0, 32);
    sha.update(new byte[] {0, 0, 0, (byte) type.length});
    sha.update(type);
    sha.update(SECRET.content().toByteArray());
    assertThat(stored.commitment()).isEqualTo(Bytes.wrap(sha.digest()));
    assertThat(Bytes.wrap(Arrays.copyOfRange(part, 32, part.length))).isEqualTo(SECRET.content());
  }

  @Test
  void theExampleInTheDocumentHolds() {
    StoredPayload example = StoredPayload.decode(Bytes.wrap(FormatDocuments.example("payload.md")));
    Payload plain = Payload.of("text/plain", new byte[] {'h', 'i'});
    assertThat(clear.open(example, HERE)).isEqualTo(plain);
    assertThat(clear.sameContent(plain, example, HERE)).isTrue();
  }

  @Test
  void theSameValueSealedTwiceCannotBeRecognised() {
    for (PayloadSealer sealer : both()) {
      assertThat(sealer.seal(SECRET, HERE).commitment())
          .isNotEqualTo(sealer.seal(SECRET, HERE).commitment());
    }
  }

  @Test
  void aSealedValueShowsNeitherSaltNorContent() {
    StoredPayload stored = sealed.seal(SECRET, HERE);
    assertThat(stored.sealing()).isEqualTo(KeyedSealing.CODEC);
    assertThat(stored.keyId()).contains("key-1");
    assertThat(new String(stored.encode().toByteArray(), StandardCharsets.ISO_8859_1))
        .doesNotContain("4111");
  }

  @Test
  void aSealedValueOpensOnlyWhereItBelongs() {
    StoredPayload stored = sealed.seal(SECRET, HERE);
    assertThatThrownBy(() -> sealed.open(stored, ELSEWHERE)).isInstanceOf(Corrupt.class);
    PayloadSealer stranger = new PayloadSealer(Optional.of(new KeyedSealing(2)), random);
    assertThatThrownBy(() -> stranger.open(stored, HERE)).isInstanceOf(Corrupt.class);
  }

  @Test
  void everyChangedByteOfTheBodyIsNoticed() {
    for (PayloadSealer sealer : both()) {
      StoredPayload stored = sealer.seal(SECRET, HERE);
      byte[] body = ((Body.Inline) stored.body()).bytes().toByteArray();
      for (int i = 0; i < body.length; i++) {
        byte[] changed = body.clone();
        changed[i] ^= 1;
        StoredPayload tampered = withBody(stored, new Body.Inline(Bytes.wrap(changed)));
        assertThatThrownBy(() -> sealer.open(tampered, HERE))
            .isInstanceOf(Corrupt.class)
            .hasMessageNotContaining("4111");
      }
    }
  }

  @Test
  void aCutBodyAndAWrongLengthAreCorrupt() {
    StoredPayload stored = clear.seal(SECRET, HERE);
    byte[] body = ((Body.Inline) stored.body()).bytes().toByteArray();
    for (int length : new int[] {0, 31, 32, body.length - 1}) {
      StoredPayload cut =
          withBody(stored, new Body.Inline(Bytes.wrap(Arrays.copyOf(body, length))));
      assertThatThrownBy(() -> clear.open(cut, HERE)).isInstanceOf(Corrupt.class);
    }
    // The right bytes under a commitment that fits, but announced as longer than they are.
    StoredPayload longer =
        new StoredPayload(
            stored.contentType(),
            0,
            0,
            Optional.empty(),
            stored.commitment(),
            stored.length() + 1,
            stored.body());
    assertThatThrownBy(() -> clear.open(longer, HERE))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("length");
  }

  @Test
  void anotherContentTypeDoesNotMatchTheCommitment() {
    StoredPayload stored = clear.seal(SECRET, HERE);
    StoredPayload relabelled =
        new StoredPayload(
            "text/html",
            0,
            0,
            Optional.empty(),
            stored.commitment(),
            stored.length(),
            stored.body());
    assertThatThrownBy(() -> clear.open(relabelled, HERE)).isInstanceOf(Corrupt.class);
  }

  @Test
  @DisplayName("C032: codecs that are not known here are refused")
  void unknownCodecsAreRefused() {
    StoredPayload stored = sealed.seal(SECRET, HERE);
    assertThatThrownBy(() -> clear.open(stored, HERE))
        .isInstanceOf(UnknownKey.class)
        .hasMessageContaining("name its keystore");
    StoredPayload compressed =
        new StoredPayload(
            "text/plain", 0, 9, Optional.empty(), stored.commitment(), 1, stored.body());
    assertThatThrownBy(() -> clear.open(compressed, HERE))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("codec 9");
  }

  @Test
  void bodiesOutsideTheRecordAreRefusedByThisVersion() {
    StoredPayload stored = clear.seal(SECRET, HERE);
    for (Body body : List.of(new Body.Chunked(new UUID(1, 1), 3), new Body.External("a/b"))) {
      StoredPayload outside = withBody(stored, body);
      assertThat(StoredPayload.decode(outside.encode())).isEqualTo(outside);
      assertThatThrownBy(() -> clear.open(outside, HERE))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("not supported by this version");
    }
  }

  @Test
  void sameContentIsJudgedByOpening() {
    for (PayloadSealer sealer : both()) {
      StoredPayload stored = sealer.seal(SECRET, HERE);
      assertThat(sealer.sameContent(SECRET, stored, HERE)).isTrue();
      assertThat(sealer.sameContent(Payload.json("{\"card\":\"4112\"}"), stored, HERE)).isFalse();
      assertThat(sealer.sameContent(Payload.text("{\"card\":\"4111\"}"), stored, HERE)).isFalse();
      assertThat(sealer.sameContent(Payload.json(""), stored, HERE)).isFalse();
    }
  }

  @Test
  void aValueThatCannotBeOpenedIsNotTheSame() {
    StoredPayload stored = sealed.seal(SECRET, HERE);
    assertThat(sealed.sameContent(SECRET, stored, ELSEWHERE)).isFalse();
    assertThat(clear.sameContent(SECRET, stored, HERE)).isFalse();
    StoredPayload outside = withBody(stored, new Body.External("a/b"));
    assertThat(sealed.sameContent(SECRET, outside, HERE)).isFalse();
  }

  @Test
  void aKeyThatCannotBeHadNowSaysNothingAboutTheContent() {
    StoredPayload stored = sealed.seal(SECRET, HERE);
    key.loseKey();
    assertThatThrownBy(() -> sealed.sameContent(SECRET, stored, HERE))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void aProviderThatAnswersTheCodecForUnsealedIsAMistakeOfTheProgram() {
    SealingProvider liar =
        new SealingProvider() {
          @Override
          public String name() {
            return "liar";
          }

          @Override
          public Sealed seal(Bytes plain, Binding binding) {
            return new Sealed(StoredPayload.UNSEALED, Optional.empty(), plain);
          }

          @Override
          public Bytes open(Sealed opened, Binding binding) {
            return opened.bytes();
          }
        };
    PayloadSealer sealer = new PayloadSealer(Optional.of(liar), random);
    assertThatThrownBy(() -> sealer.seal(SECRET, HERE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("liar");
  }

  @Test
  void noSaltIsEverGivenTwiceWhateverTheThread() throws Exception {
    int threads = 8;
    int each = 500;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Callable<Set<ByteBuffer>> work =
          () -> {
            Set<ByteBuffer> salts = new HashSet<>();
            for (int i = 0; i < each; i++) {
              byte[] body = ((Body.Inline) clear.seal(SECRET, HERE).body()).bytes().toByteArray();
              salts.add(ByteBuffer.wrap(Arrays.copyOf(body, StoredPayload.SALT_BYTES)));
            }
            return salts;
          };
      Set<ByteBuffer> all = new HashSet<>();
      for (Future<Set<ByteBuffer>> salts :
          pool.invokeAll(java.util.Collections.nCopies(threads, work))) {
        all.addAll(salts.get());
      }
      assertThat(all).hasSize(threads * each);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void nothingPrintsTheContent() {
    StoredPayload stored = clear.seal(SECRET, HERE);
    assertThat(SECRET.toString()).doesNotContain("4111");
    assertThat(stored.toString()).doesNotContain("4111");
    assertThat(stored.body().toString()).doesNotContain("4111");
  }

  private static StoredPayload withBody(StoredPayload stored, Body body) {
    return new StoredPayload(
        stored.contentType(),
        stored.sealing(),
        stored.compression(),
        stored.keyId(),
        stored.commitment(),
        stored.length(),
        body);
  }
}
