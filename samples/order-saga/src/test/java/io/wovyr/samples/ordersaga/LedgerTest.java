/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.samples.ordersaga.LedgerRecord.Announced;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
  private static final UUID ORDER = new UUID(1, 1);
  private static final UUID OTHER = new UUID(2, 2);
  private static final Answer RECEIPT = new Answer(Answer.Kind.DONE, "receipt");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("ledger.log");
  }

  @Test
  void makesAnEffectHappenOnce() {
    AtomicInteger asked = new AtomicInteger();
    try (Ledger ledger = Ledger.open(file)) {
      for (long token = 5; token <= 7; token++) {
        Ledger.Effect effect =
            ledger.perform(
                ORDER,
                token,
                "charge/1",
                () -> {
                  asked.incrementAndGet();
                  return RECEIPT;
                });
        assertThat(effect).isEqualTo(new Ledger.Effect(RECEIPT, 5, token > 5));
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void refusesATokenBelowTheHighestAnnounced() {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.announce(ORDER, 8);
      assertThatThrownBy(() -> ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT))
          .isInstanceOf(Ledger.StaleToken.class)
          .hasMessageContaining("token 7 is refused, token 8 was seen");
      assertThatThrownBy(() -> ledger.announce(ORDER, 7)).isInstanceOf(Ledger.StaleToken.class);
      assertThat(ledger.records()).containsExactly(new Announced(ORDER, 8));
    }
  }

  @Test
  void refusesAnOldTokenEvenForAnEffectItKnows() {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT);
      ledger.announce(ORDER, 8);
      assertThatThrownBy(() -> ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT))
          .isInstanceOf(Ledger.StaleToken.class);
    }
  }

  @Test
  void fencesEveryExecutionByItself() {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.announce(ORDER, 8);
      assertThat(ledger.perform(OTHER, 1, "charge/1", () -> RECEIPT).repeated()).isFalse();
    }
  }

  @Test
  void announcingTheSameTokenAgainChangesNothing() {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.announce(ORDER, 8);
      ledger.announce(ORDER, 8);
      assertThat(ledger.records()).hasSize(1);
    }
  }

  @Test
  void remembersAcrossProcesses() {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT);
      ledger.announce(OTHER, 9);
    }
    try (Ledger ledger = Ledger.open(file)) {
      assertThat(ledger.perform(ORDER, 8, "charge/1", () -> RECEIPT).token()).isEqualTo(7);
      assertThatThrownBy(() -> ledger.announce(OTHER, 8)).isInstanceOf(Ledger.StaleToken.class);
    }
  }

  @Test
  void cutsALineTornByACrash() throws IOException {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT);
    }
    byte[] next = new Performed(ORDER, 7, "ship/1", RECEIPT).encode();
    long whole = Files.size(file);
    for (int length = 1; length < next.length; length++) {
      append(new String(next, 0, length, StandardCharsets.UTF_8));
      try (Ledger ledger = Ledger.open(file)) {
        assertThat(ledger.records()).hasSize(1);
      }
      assertThat(Files.size(file)).as("cut after %d bytes", length).isEqualTo(whole);
    }
    try (Ledger ledger = Ledger.open(file)) {
      assertThat(ledger.perform(ORDER, 7, "ship/1", () -> RECEIPT).repeated()).isFalse();
    }
  }

  @Test
  void cutsALastLineWhoseChecksumIsWrong() throws IOException {
    append("announced\t" + ORDER + "\t9\t00000000\n");
    try (Ledger ledger = Ledger.open(file)) {
      ledger.announce(ORDER, 8);
      assertThat(ledger.records()).containsExactly(new Announced(ORDER, 8));
    }
  }

  @Test
  void refusesToWorkWhenItIsDamagedInTheMiddle() throws IOException {
    append("announced\t" + ORDER + "\t9\t00000000\n");
    append(new String(new Announced(ORDER, 8).encode(), StandardCharsets.UTF_8));
    try (Ledger ledger = Ledger.open(file)) {
      assertThatThrownBy(() -> ledger.announce(ORDER, 10))
          .isInstanceOf(UncheckedIOException.class)
          .hasRootCauseMessage("it is damaged at byte 0");
    }
  }

  @Test
  void keepsAnyTextOfAnswers() {
    Answer answer = new Answer(Answer.Kind.REFUSED, "größe № 5 — 東京");
    try (Ledger ledger = Ledger.open(file)) {
      ledger.perform(ORDER, 7, "charge/1", () -> answer);
    }
    try (Ledger ledger = Ledger.open(file)) {
      assertThat(ledger.perform(ORDER, 7, "charge/1", () -> RECEIPT).answer()).isEqualTo(answer);
    }
  }

  private void append(String text) throws IOException {
    Files.writeString(
        file, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }
}
