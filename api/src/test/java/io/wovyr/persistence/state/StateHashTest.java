/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import org.junit.jupiter.api.Test;

class StateHashTest {
  @Test
  void textIsFormAndLowerCaseHex() {
    assertThat(new StateHash(1, Bytes.wrap(new byte[] {0, (byte) 0xab, 15})))
        .hasToString("1:00ab0f");
  }

  @Test
  void hashesOfDifferentFormsAreNeverEqual() {
    Bytes sha256 = Bytes.wrap(new byte[32]);
    assertThat(new StateHash(1, sha256)).isNotEqualTo(new StateHash(2, sha256));
  }
}
