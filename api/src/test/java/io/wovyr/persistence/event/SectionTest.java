/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SectionTest {
  @Test
  void codesAreThoseOfStoredFormats() {
    assertThat(Arrays.stream(Section.values()).map(section -> section.code() + " " + section))
        .containsExactly(
            "1 WORKFLOW",
            "2 ACTIVITIES",
            "3 VARIABLES",
            "4 ACTIVE_NODES",
            "5 RETRIES",
            "6 COMPENSATION",
            "7 SCHEDULER");
  }

  @Test
  void codesLeadBackAndUnknownOnesToNothing() {
    for (Section section : Section.values()) {
      assertThat(Section.ofCode(section.code())).contains(section);
    }
    assertThat(Section.ofCode(0)).isEmpty();
    assertThat(Section.ofCode(200)).isEmpty();
  }
}
