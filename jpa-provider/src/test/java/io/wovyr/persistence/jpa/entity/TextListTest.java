/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextListTest {
  @Test
  void isAJsonArrayOfStrings() {
    assertThat(TextList.encode(List.of())).isEqualTo("[]");
    assertThat(TextList.encode(List.of("a=b", "say \"hi\"", "back\\slash", "tab\t")))
        .isEqualTo("[\"a=b\",\"say \\\"hi\\\"\",\"back\\\\slash\",\"tab\\u0009\"]");
  }

  @Test
  void comesBackAsItWas() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      List<String> texts =
          random
              .ints(random.nextInt(5))
              .mapToObj(
                  i ->
                      random
                          .ints(random.nextInt(8), 0, 0xd800)
                          .mapToObj(c -> c % 5 == 0 ? "\"\\,[]\u0000".charAt(c % 6) : (char) c)
                          .map(String::valueOf)
                          .reduce("", String::concat))
              .toList();
      assertThat(TextList.decode(TextList.encode(texts))).isEqualTo(texts);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "]",
        "x",
        "[\"a]",
        "[\"a\"\"b\"]",
        "[a]",
        "[\"\\u12\"]",
        "[\"a\",]",
        "[\"\\"
      })
  void whatIsNoListIsCorrupt(String text) {
    assertThatThrownBy(() -> TextList.decode(text)).isInstanceOf(Corrupt.class);
  }
}
