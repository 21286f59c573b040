/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BytesTest {
  @Test
  void laterChangesOfTheArrayAreNotSeen() {
    byte[] array = {1, 2};
    Bytes bytes = Bytes.copyOf(array);
    array[0] = 9;
    bytes.toByteArray()[1] = 9;
    assertThat(bytes).isEqualTo(Bytes.wrap(new byte[] {1, 2}));
    assertThatThrownBy(() -> bytes.asReadOnlyBuffer().put((byte) 9))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void equalContentIsEqual() {
    assertThat(Bytes.utf8("ab")).isEqualTo(Bytes.wrap(new byte[] {'a', 'b'}));
    assertThat(Bytes.utf8("ab")).hasSameHashCodeAs(Bytes.wrap(new byte[] {'a', 'b'}));
    assertThat(Bytes.utf8("ab")).isNotEqualTo(Bytes.utf8("ac"));
  }

  @Test
  void theOrderIsUnsignedAndAPrefixComesFirst() {
    List<Bytes> ordered =
        Stream.of(new byte[0], new byte[] {0}, new byte[] {1}, new byte[] {1, 0}, new byte[] {-1})
            .map(Bytes::copyOf)
            .toList();
    assertThat(ordered).isSorted();
    assertThat(ordered.get(4).at(0)).isEqualTo(255);
  }

  @Test
  void textTellsTheLengthOnly() {
    assertThat(Bytes.utf8("secret")).hasToString("6 bytes");
    assertThat(Bytes.utf8("\u00e4").utf8()).isEqualTo("\u00e4");
  }
}
