/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.StoredPayload.Body;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoredPayloadTest {
  private static final int BODY_LENGTH_OF_PLAIN = 3 + 2 + 10 + 2 + 32 + 8 + 1;

  private static StoredPayload payload(Optional<String> keyId, Body body) {
    byte[] commitment = new byte[32];
    Arrays.fill(commitment, (byte) 0xab);
    return new StoredPayload("text/plain", 7, 2, keyId, Bytes.wrap(commitment), 5L << 32, body);
  }

  private static final StoredPayload PLAIN =
      payload(Optional.empty(), new Body.Inline(Bytes.utf8("a secret value")));

  private static final List<StoredPayload> EVERY_KIND =
      List.of(
          PLAIN,
          payload(Optional.of("key-\u00e4"), new Body.Inline(Bytes.EMPTY)),
          payload(Optional.of("key"), new Body.Chunked(new UUID(-1, 1), Integer.MAX_VALUE)),
          payload(Optional.of("key"), new Body.External("tenant/\u00e4/1")));

  @Test
  void whatWasEncodedComesBack() {
    for (StoredPayload payload : EVERY_KIND) {
      assertThat(StoredPayload.decode(payload.encode())).isEqualTo(payload);
      assertThat(StoredPayload.decode(payload.encode()).encode()).isEqualTo(payload.encode());
    }
  }

  @Test
  void everyCutIsNoticed() {
    for (StoredPayload payload : EVERY_KIND) {
      byte[] whole = payload.encode().toByteArray();
      for (int length = 0; length < whole.length; length++) {
        Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> StoredPayload.decode(cut)).isInstanceOf(Corrupt.class);
      }
      Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
      assertThatThrownBy(() -> StoredPayload.decode(longer)).isInstanceOf(Corrupt.class);
    }
  }

  @Test
  void noChangedByteLeadsToAnotherException() {
    Random random = new Random(17);
    for (StoredPayload payload : EVERY_KIND) {
      byte[] whole = payload.encode().toByteArray();
      for (int round = 0; round < 20_000; round++) {
        byte[] changed = whole.clone();
        for (int i = 0; i <= random.nextInt(3); i++) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        Throwable thrown = catchThrowable(() -> StoredPayload.decode(Bytes.wrap(changed)));
        if (thrown != null) {
          assertThat(thrown)
              .isInstanceOfAny(Corrupt.class, UnsupportedVersion.class)
              .hasMessageNotContaining("secret");
        }
      }
    }
  }

  @Test
  void randomBytesAreNotAPayload() {
    Random random = new Random(18);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && round % 2 == 0) {
        bytes[0] = StoredPayload.LAYOUT;
      }
      assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(bytes)))
          .isInstanceOfAny(Corrupt.class, UnsupportedVersion.class);
    }
  }

  @Test
  void aHostileLengthTakesNoMemory() {
    byte[] bytes = PLAIN.encode().toByteArray();
    for (int announced : new int[] {Integer.MAX_VALUE, 1 << 30, -1, Integer.MIN_VALUE}) {
      ByteBuffer.wrap(bytes).putInt(BODY_LENGTH_OF_PLAIN, announced);
      // With the announced memory taken, this would end in an OutOfMemoryError after few rounds.
      for (int round = 0; round < 1_000; round++) {
        assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(bytes)))
            .isInstanceOf(Corrupt.class);
      }
    }
  }

  @Test
  void aLayoutBelowTheFirstIsDamageAndNoNewerVersion() {
    for (byte[] zeroed : List.of(new byte[1], new byte[200], zeroedAtFirst(PLAIN))) {
      assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(zeroed)))
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining("layout 0");
    }
  }

  private static byte[] zeroedAtFirst(StoredPayload payload) {
    byte[] bytes = payload.encode().toByteArray();
    bytes[0] = 0;
    return bytes;
  }

  @Test
  @DisplayName("C032: a layout or body kind of a newer node is refused")
  void whatANewerNodeWroteIsRefused() {
    byte[] layout = PLAIN.encode().toByteArray();
    layout[0] = 2;
    assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(layout)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("layout 2");
    byte[] body = PLAIN.encode().toByteArray();
    body[BODY_LENGTH_OF_PLAIN - 1] = 3;
    assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(body)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("body kind 3");
  }

  @Test
  void aTextThatIsNotUtf8IsCorrupt() {
    byte[] bytes = PLAIN.encode().toByteArray();
    bytes[5] = (byte) 0xff;
    assertThatThrownBy(() -> StoredPayload.decode(Bytes.wrap(bytes))).isInstanceOf(Corrupt.class);
  }

  @Test
  void aTextTooLongForTheEnvelopeIsRefusedInsteadOfCut() {
    StoredPayload payload = payload(Optional.empty(), new Body.External("x".repeat(65_536)));
    assertThatThrownBy(payload::encode).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void partsOutOfRangeAreAMistakeOfTheProgram() {
    assertThatThrownBy(
            () ->
                new StoredPayload(
                    "a", 0, 0, Optional.empty(), Bytes.EMPTY, 0, new Body.Inline(Bytes.EMPTY)))
        .isInstanceOf(IllegalArgumentException.class);
    for (int codec : new int[] {-1, 256}) {
      assertThatThrownBy(
              () ->
                  new StoredPayload(
                      "a", codec, 0, Optional.empty(), PLAIN.commitment(), 0, PLAIN.body()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  new StoredPayload(
                      "a", 0, codec, Optional.empty(), PLAIN.commitment(), 0, PLAIN.body()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () ->
                new StoredPayload(
                    "a", 0, 0, Optional.empty(), PLAIN.commitment(), -1, PLAIN.body()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingPrintsTheContent() {
    assertThat(PLAIN.toString()).doesNotContain("secret");
    assertThat(PLAIN.body().toString()).doesNotContain("secret");
  }

  @Test
  void isReadFromAmongOtherBytes() {
    for (StoredPayload payload : EVERY_KIND) {
      byte[] encoded = payload.encode().toByteArray();
      ByteBuffer among = ByteBuffer.allocate(encoded.length + 5).position(3).put(encoded);
      among.limit(among.position()).position(3);
      assertThat(StoredPayload.keep(among)).isEqualTo(payload);
      assertThat(among.hasRemaining()).isFalse();
    }
  }

  @Test
  void keepsWhatCannotBeReadFromAmongOtherBytesAsItWas() {
    byte[] cut = Arrays.copyOf(PLAIN.encode().toByteArray(), PLAIN.encode().size() - 1);
    ByteBuffer among = ByteBuffer.allocate(cut.length + 5).position(3).put(cut);
    among.limit(among.position()).position(3);
    StoredPayload kept = StoredPayload.keep(among);
    among.array()[4] ^= 1;
    assertThat(kept.encode()).isEqualTo(Bytes.wrap(cut));
    assertThatThrownBy(kept::commitment).isInstanceOf(Corrupt.class);
  }
}
