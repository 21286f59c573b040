/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ScanTest {
  @Test
  void aPathNeedsAllItsEqualityValues() {
    assertThat(Scan.byPath(Samples.PARCEL, "by_status", List.of("NEW"), 10).path()).isPresent();
    assertThatThrownBy(() -> Scan.byPath(Samples.PARCEL, "by_status", List.of(), 10))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKeyPrefixIsNotLongerThanTheKey() {
    assertThat(Scan.byKey(Samples.SCAN, List.of(), 10).equal()).isEmpty();
    assertThat(Scan.byKey(Samples.SCAN, List.of(new UUID(1, 1)), 10).equal()).hasSize(1);
    assertThatThrownBy(() -> Scan.byKey(Samples.SCAN, List.of(new UUID(1, 1), 1L, "more"), 10))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPageHoldsAtLeastOneItem() {
    assertThatThrownBy(() -> Scan.byKey(Samples.SCAN, List.of(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void boundsOrderAndPlaceAreAddedOneByOne() {
    Scan scan =
        Scan.byPath(Samples.PARCEL, "by_status", List.of("NEW"), 10)
            .from(Instant.EPOCH)
            .to(StoreTime.NOW)
            .descending()
            .after(Optional.of("token"));
    assertThat(scan.fromInclusive()).contains(List.of(Instant.EPOCH));
    assertThat(scan.toExclusive()).contains(List.of(StoreTime.NOW));
    assertThat(scan.ascending()).isFalse();
    assertThat(scan.after()).contains("token");
    assertThat(scan.limit()).isEqualTo(10);
  }
}
