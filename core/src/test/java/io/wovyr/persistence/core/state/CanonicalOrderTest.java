/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.state.WorkflowState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalOrderTest {
  private static final int[] CODE_POINTS = {
    'a', 'b', 0x7e, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xff61, 0xfffd, 0x10000, 0x1f600, 0x10ffff
  };

  @Test
  void sectionsComeFirst() {
    WorkflowState.Key first = new WorkflowState.Key(Section.WORKFLOW, "z");
    WorkflowState.Key second = new WorkflowState.Key(Section.VARIABLES, "a");
    assertThat(CanonicalOrder.INSTANCE.compare(first, second)).isNegative();
    assertThat(CanonicalOrder.INSTANCE.compare(second, first)).isPositive();
  }

  @Test
  void keysFollowTheirUtf8Bytes() {
    Random random = new Random(7);
    List<String> texts = random.ints(400, 0, 4).mapToObj(length -> text(random, length)).toList();
    for (String left : texts) {
      for (String right : texts) {
        int expected =
            Arrays.compareUnsigned(
                left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
        int actual =
            CanonicalOrder.INSTANCE.compare(
                new WorkflowState.Key(Section.VARIABLES, left),
                new WorkflowState.Key(Section.VARIABLES, right));
        assertThat(Integer.signum(actual)).isEqualTo(Integer.signum(expected));
      }
    }
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
    }
    return text.toString();
  }
}
