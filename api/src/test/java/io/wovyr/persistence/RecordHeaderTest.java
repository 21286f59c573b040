/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordHeaderTest {
  private static final Instant PRECISE = Instant.parse("2026-03-01T10:15:30.999999999Z");
  private static final Instant CUT = Instant.parse("2026-03-01T10:15:30.999999Z");

  private final RecordHeader header =
      new RecordHeader(
          new UUID(1, 2), "acme", 3, PRECISE, PRECISE, "ada", 1, 1, 1, Bytes.utf8("extra"));

  @Test
  @DisplayName("C051: times are cut to microseconds when a header is made")
  void timesAreCutToMicroseconds() {
    assertThat(header.createdAt()).isEqualTo(CUT);
    assertThat(header.updatedAt()).isEqualTo(CUT);
    assertThat(header.next(PRECISE.plusSeconds(1), "eve").updatedAt())
        .isEqualTo(CUT.plusSeconds(1));
  }

  @Test
  void theNextVersionKeepsWhatDoesNotChange() {
    RecordHeader next = header.next(CUT.plusSeconds(1), "eve");
    assertThat(next.version()).isEqualTo(4);
    assertThat(next.updatedBy()).isEqualTo("eve");
    assertThat(next.createdAt()).isEqualTo(header.createdAt());
    assertThat(next.id()).isEqualTo(header.id());
    assertThat(next.extra()).isEqualTo(Bytes.utf8("extra"));
  }

  @Test
  void anUnsavedHeaderHasAVersionThatNoStoredRecordHas() {
    assertThat(RecordHeader.unsaved().version()).isZero();
  }
}
