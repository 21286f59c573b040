/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RowTest {
  private static StoredPayload payload(Optional<String> keyId, Body body) {
    return new StoredPayload("text/\u00e4", 1, 0, keyId, Bytes.wrap(new byte[32]), 1, body);
  }

  @Test
  void valuesAreFoundByNameOfTheKeyOrNot() {
    Row row = Samples.scan(4);
    assertThat(row.get("sequence")).isEqualTo(4L);
    assertThat(row.get("dedupeKey")).isEqualTo("key");
    assertThatThrownBy(() -> row.get("other")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void valuesAreOfTheirKind() {
    assertThatThrownBy(() -> Samples.parcel("p", 1, 5, null, null, List.of(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("status");
    assertThatThrownBy(() -> Samples.parcel("p", 1, null, null, null, List.of(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("status");
    assertThatThrownBy(() -> Samples.parcel("p", 1, "NEW"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Samples.parcel("p", 1, StoreTime.NOW, null, null, List.of(), null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Samples.parcel("p", 1, "NEW", null, StoreTime.NOW, List.of(), null).get("dueAt"))
        .isEqualTo(StoreTime.NOW);
  }

  @Test
  void changedCopiesLeaveTheOriginalAlone() {
    List<Object> values = new ArrayList<>(Arrays.asList("NEW", null, null, List.of(), null));
    Row row = new Row(Key.of(Samples.PARCEL, "p"), Samples.header("acme", 1), values);
    values.set(0, "CHANGED");
    Row other = row.with("status", "DONE").with(Samples.header("acme", 2));
    assertThat(row.get("status")).isEqualTo("NEW");
    assertThat(other.get("status")).isEqualTo("DONE");
    assertThat(other.version()).isEqualTo(2);
    assertThatThrownBy(() -> row.with("name", "q")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sizeCountsTextsInUtf8AndTheRestAtEight() {
    int empty = Samples.parcel("p", 1).sizeBytes();
    assertThat(empty).isEqualTo(100 + "acme".length() + "ada".length() + 1 + 3 + 8 + 8 + 0 + 8);
    Row row =
        Samples.parcel(
            "p", 1, "NEW", "\u00e4\uD83D\uDE00\uFF61", Instant.EPOCH, List.of("ab"), null);
    assertThat(row.sizeBytes()).isEqualTo(empty - 8 + 2 + 4 + 3 + 2 + 2);
    RecordHeader longer =
        new RecordHeader(
            new UUID(1, 1),
            "t\u00e4",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            "\u00e4da",
            1,
            1,
            1,
            Bytes.wrap(new byte[50]));
    assertThat(Samples.parcel("p", 1).with(longer).sizeBytes())
        .isEqualTo(100 + 3 + 4 + 50 + 1 + 3 + 8 + 8 + 0 + 8);
  }

  @Test
  void aPayloadCountsNoLessThanItsEncodingAndLittleMore() {
    int without = Samples.parcel("p", 1).sizeBytes() - 8;
    String reference = "tenant/\u00e4/" + "x".repeat(300);
    for (StoredPayload payload :
        List.of(
            payload(Optional.empty(), new Body.Inline(Bytes.EMPTY)),
            payload(Optional.of("k".repeat(200)), new Body.Inline(Bytes.wrap(new byte[5_000]))),
            payload(Optional.of("key"), new Body.Chunked(new UUID(1, 1), 7)),
            payload(Optional.of("key"), new Body.External(reference)))) {
      int size =
          Samples.parcel("p", 1, "NEW", null, null, List.of(), payload).sizeBytes() - without;
      assertThat(size).isBetween(payload.encode().size(), payload.encode().size() + 64);
    }
  }

  @Test
  void bytesCountAsTheyAre() {
    Row event = eventWith(Bytes.wrap(new byte[1_000]));
    assertThat(event.sizeBytes() - eventWith(Bytes.EMPTY).sizeBytes()).isEqualTo(1_000);
  }

  private static Row eventWith(Bytes changes) {
    return new Row(
        Key.of(RecordTypes.EVENT, new UUID(1, 1), 1L),
        Samples.header("acme", 1),
        Arrays.asList("Changed", null, null, null, 1L, new UUID(1, 1), null, changes));
  }

  @Test
  void textTellsKeyAndVersionOnly() {
    assertThat(Samples.parcel("p", 3, "NEW", "label", null, List.of("tag"), null).toString())
        .isEqualTo("parcel[p]@3");
  }
}
