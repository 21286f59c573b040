/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "order 17", "\u00e4\u00f6", "\uD83D\uDE00", " x ", "%s", "\u0080"})
  void namesThatStoresKeepAlikePassUnchanged(String name) {
    assertThat(Inputs.name("name", name)).isSameAs(name);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
  void aMissingNameIsRefused(String name) {
    assertThatThrownBy(() -> Inputs.name("worker", name))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("worker is missing");
  }

  @ParameterizedTest
  @ValueSource(chars = {0, 1, '\t', '\n', 0x1f, 0x7f})
  @DisplayName("C049: control characters, NUL among them, are refused in names and search values")
  void controlCharactersAreRefused(char control) {
    String text = "secret" + control + "text";
    assertThatThrownBy(() -> Inputs.name("worker", text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("worker")
        .hasMessageContaining("U+%04X".formatted((int) control))
        .hasMessageContaining("position 6")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> Inputs.searchable("search value", text, 100))
        .isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\uD83D", "\uDE00a", "\uD83Da", "\uDE00\uD83D", "\uD83D\uD83D\uDE00"})
  void halfASurrogatePairIsRefused(String text) {
    assertThatThrownBy(() -> Inputs.name("worker", text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void lengthCountsUtf16UnitsUpToTheLimit() {
    assertThatCode(() -> Inputs.name("worker", "x".repeat(255))).doesNotThrowAnyException();
    assertThatThrownBy(() -> Inputs.name("worker", "x".repeat(256)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("256")
        .hasMessageContaining("255");
    assertThatCode(() -> Inputs.name("worker", "\uD83D\uDE00".repeat(2), 4))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Inputs.name("worker", "\uD83D\uDE00".repeat(2), 3))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aSearchValueMayBeBlank() {
    assertThat(Inputs.searchable("search value", "", 10)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T10:15:30.123456789Z, 2026-03-01T10:15:30.123456Z",
    "2026-03-01T10:15:30.999999999Z, 2026-03-01T10:15:30.999999Z",
    "2026-03-01T10:15:30.123456Z,    2026-03-01T10:15:30.123456Z",
    "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999Z",
  })
  @DisplayName("C051: instants are cut to microseconds, never rounded")
  void instantsAreCutToMicroseconds(Instant given, Instant kept) {
    assertThat(Inputs.micros(given)).isEqualTo(kept);
  }
}
