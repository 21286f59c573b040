/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AttemptsCodecTest {
  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MANY = 1_000;
  private static final int LARGE = 1 << 20;

  private static final List<Attempt> EVERY_KIND =
      List.of(
          failed(7, NEW_YEAR, "Timeout", Optional.of(Duration.ofSeconds(2)), Optional.empty()),
          failed(
              8,
              NEW_YEAR.plusMillis(2_500),
              "Z\u00fcrich \uD83D\uDE00",
              Optional.of(Duration.ZERO),
              Optional.of(Payload.text("ab\u0000cd"))),
          failed(
              9,
              Instant.EPOCH.minusNanos(1_000),
              "E",
              Optional.empty(),
              Optional.of(Payload.of("application/octet-stream", new byte[0]))),
          new Attempt(
              Attempt.End.LEFT,
              9,
              NEW_YEAR.plusMillis(62_500),
              "",
              Optional.empty(),
              Optional.of(Payload.text("by hand"))));

  private static Attempt failed(
      int number, Instant at, String error, Optional<Duration> delay, Optional<Payload> reason) {
    return new Attempt(Attempt.End.FAILED, number, at, error, delay, reason);
  }

  private static Attempt failed(int number, String reason) {
    return failed(
        number, NEW_YEAR, "E", Optional.of(Duration.ZERO), Optional.of(Payload.text(reason)));
  }

  private static Bytes encoded(List<Attempt> attempts) {
    Payload value = AttemptsCodec.encode(attempts, MANY, LARGE);
    assertThat(value.contentType()).isEqualTo("application/vnd.wovyr.attempts");
    return value.content();
  }

  @Test
  void attemptsComeBackInOrder() {
    assertThat(AttemptsCodec.decode(encoded(EVERY_KIND))).isEqualTo(EVERY_KIND);
  }

  @Test
  void whatWasStoredOnceIsReadAndWrittenTheSame() {
    Bytes golden = GoldenFiles.read("attempts-1-every-kind.bin");
    assertThat(AttemptsCodec.decode(golden)).isEqualTo(EVERY_KIND);
    assertThat(encoded(EVERY_KIND)).isEqualTo(golden);
  }

  @Test
  void theExampleInTheDocumentHolds() {
    List<Attempt> attempts =
        List.of(
            failed(1, NEW_YEAR, "Timeout", Optional.of(Duration.ofSeconds(2)), Optional.empty()),
            failed(
                2,
                NEW_YEAR.plusMillis(2_500),
                "Declined",
                Optional.empty(),
                Optional.of(new Payload("text/plain", Bytes.utf8("no")))));
    Bytes example = Bytes.wrap(FormatDocuments.example("attempts.md"));
    assertThat(encoded(attempts)).isEqualTo(example);
    assertThat(AttemptsCodec.decode(example)).isEqualTo(attempts);
  }

  @Test
  void theNewestAreKept() {
    List<Attempt> attempts = IntStream.rangeClosed(1, 9).mapToObj(i -> failed(i, "no")).toList();
    assertThat(AttemptsCodec.decode(AttemptsCodec.encode(attempts, 3, LARGE).content()))
        .isEqualTo(attempts.subList(6, 9));
    assertThat(AttemptsCodec.decode(AttemptsCodec.encode(attempts, 9, LARGE).content()))
        .isEqualTo(attempts);
  }

  @Test
  void whereReasonsDoNotFitTheOldestAreLeftOutFirstAndNoneIsSkipped() {
    List<Attempt> attempts =
        List.of(
            failed(1, "short"),
            failed(2, "x".repeat(900)),
            failed(3, "x".repeat(400)),
            failed(4, "x".repeat(400)));
    Payload value = AttemptsCodec.encode(attempts, MANY, 1_024);
    List<Attempt> kept = AttemptsCodec.decode(value.content());
    assertThat(value.content().size()).isLessThanOrEqualTo(1_024);
    assertThat(kept).extracting(Attempt::number).containsExactly(1, 2, 3, 4);
    assertThat(kept.subList(2, 4)).isEqualTo(attempts.subList(2, 4));
    assertThat(kept.subList(0, 2))
        .as("the short reason is older than one that is not kept")
        .allMatch(attempt -> attempt.reason().isEmpty());
  }

  @Test
  void theNewestIsKeptWholeWhateverItsSize() {
    List<Attempt> attempts = List.of(failed(1, "no"), failed(2, "x".repeat(5_000)));
    assertThat(AttemptsCodec.decode(AttemptsCodec.encode(attempts, MANY, 1_024).content()))
        .isEqualTo(attempts.subList(1, 2));
  }

  @Test
  void everyCutIsNoticed() {
    byte[] whole = encoded(EVERY_KIND).toByteArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> AttemptsCodec.decode(cut)).isInstanceOf(Corrupt.class);
    }
    Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(() -> AttemptsCodec.decode(longer)).isInstanceOf(Corrupt.class);
  }

  @Test
  void noChangedByteLeadsToAnotherException() {
    byte[] whole = encoded(EVERY_KIND).toByteArray();
    Random random = new Random(42);
    for (int round = 0; round < 20_000; round++) {
      byte[] changed = whole.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      Throwable thrown = catchThrowable(() -> AttemptsCodec.decode(Bytes.wrap(changed)));
      if (thrown != null) {
        assertThat(thrown).isInstanceOfAny(Corrupt.class, UnsupportedVersion.class);
      }
    }
  }

  @Test
  @DisplayName("C032: a layout, end or kind of a newer node is refused")
  void whatANewerNodeWroteIsRefused() {
    byte[] whole = encoded(List.of(EVERY_KIND.get(0))).toByteArray();
    refused(whole, 0, "layout 9");
    refused(whole, 5, "end 9");
    refused(whole, whole.length - 1, "kind of reason 9");
  }

  @Test
  void aLayoutBelowTheFirstIsDamageAndNoNewerVersion() {
    for (int length : new int[] {1, 5, 60}) {
      assertThatThrownBy(() -> AttemptsCodec.decode(Bytes.wrap(new byte[length])))
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining("layout 0");
    }
  }

  private static void refused(byte[] whole, int position, String what) {
    byte[] newer = whole.clone();
    newer[position] = 9;
    assertThatThrownBy(() -> AttemptsCodec.decode(Bytes.wrap(newer)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(what);
  }

  @Test
  void hostileLengthsTakeNoMemory() {
    byte[] whole = encoded(EVERY_KIND).toByteArray();
    byte[] count = whole.clone();
    count[1] = 0x7f;
    byte[] negative = whole.clone();
    negative[1] = -1;
    byte[] one = encoded(List.of(failed(1, "no"))).toByteArray();
    one[one.length - 6] = 0x7f; // the length of the reason
    byte[] none = {1, 0, 0, 0, 0};
    for (byte[] hostile : List.of(count, negative, one, none)) {
      assertThatThrownBy(() -> AttemptsCodec.decode(Bytes.wrap(hostile)))
          .isInstanceOf(Corrupt.class);
    }
  }
}
