/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecordTypeTest {
  @Nested
  class Entries {
    private List<IndexEntry> entries(Object... values) {
      return Samples.PARCEL.entries(Samples.parcel("p", 1, values));
    }

    @Test
    void aRowWithEverythingHasOneEntryPerIndexAndElement() {
      assertThat(entries("NEW", "L1", Instant.EPOCH, List.of("red", "big"), null))
          .containsExactly(
              new IndexEntry("label_once", true, List.of("L1", "NEW")),
              new IndexEntry("by_status", false, List.of("NEW", Instant.EPOCH)),
              new IndexEntry("by_tag", false, List.of("red")),
              new IndexEntry("by_tag", false, List.of("big")));
    }

    @Test
    void aNullAttributeMakesNoEntry() {
      assertThat(entries("NEW", null, null, List.of(), null)).isEmpty();
    }

    @Test
    void anElementThatIsThereTwiceMakesOneEntry() {
      assertThat(entries("NEW", null, null, List.of("red", "red"), null))
          .containsExactly(new IndexEntry("by_tag", false, List.of("red")));
    }

    @Test
    void aSymbolicTimeCountsAsItIs() {
      StoreTime later = new StoreTime(Duration.ofSeconds(30), Duration.ZERO);
      assertThat(entries("NEW", null, later, List.of(), null))
          .containsExactly(new IndexEntry("by_status", false, List.of("NEW", later)));
    }

    @Test
    void keyAttributesMayTakePart() {
      assertThat(Samples.SCAN.entries(Samples.scan(4)))
          .containsExactly(new IndexEntry("dedupe", true, List.of(new UUID(2, 2), "key")));
    }
  }

  @Nested
  class Descriptions {
    @Test
    void anAttributeOccursOnce() {
      assertThatThrownBy(
              () ->
                  RecordType.named("x", 1).required("a", Kind.INT).required("a", Kind.LONG).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("x.a");
      assertThatThrownBy(
              () -> RecordType.named("x", 1).key("a", Kind.INT).required("a", Kind.LONG).build())
          .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsSealedCannotBeIndexed() {
      RecordType.Builder builder = RecordType.named("x", 1).key("id", Kind.UUID).payload("secret");
      assertThatThrownBy(() -> builder.unique("u", "secret").build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("x.secret");
    }

    @Test
    void anIndexNamesAttributesThatExist() {
      RecordType.Builder builder = RecordType.named("x", 1).key("id", Kind.UUID);
      assertThatThrownBy(() -> builder.path("p", List.of("nothing"), List.of()).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nothing");
    }

    @Test
    void onlyAppendOnlyRecordsAreInTheFeed() {
      RecordType.Builder builder =
          RecordType.named("x", 1).key("id", Kind.UUID).feed(FeedRole.RECORDS);
      assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attributesAreFoundByName() {
      assertThat(Samples.SCAN.attribute("sequence").kind()).isEqualTo(Kind.LONG);
      assertThat(Samples.SCAN.position("sequence")).isEqualTo(-2);
      assertThat(Samples.SCAN.position("dedupeKey")).isZero();
      assertThat(Samples.SCAN.has("dedupeKey")).isTrue();
      assertThat(Samples.SCAN.has("other")).isFalse();
      assertThatThrownBy(() -> Samples.SCAN.attribute("other"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Samples.PARCEL.path("other"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(Samples.PARCEL.uniqueKey("label_once")).isPresent();
      assertThat(Samples.PARCEL.uniqueKey("other")).isEmpty();
    }
  }

  @Nested
  class TheTypesThereAre {
    @Test
    void numbersAndNamesAreThoseOfStoredFormats() {
      assertThat(RecordTypes.all().stream().map(type -> type.number() + " " + type))
          .startsWith(
              "1 execution",
              "2 execution_head",
              "3 workflow_event",
              "4 named_lease",
              "5 commit_marker",
              "6 feed_cursor");
      assertThat(RecordTypes.all()).extracting(RecordType::number).doesNotHaveDuplicates();
      assertThat(RecordTypes.all()).extracting(RecordType::name).doesNotHaveDuplicates();
    }

    @Test
    void everyTypeIsFoundByItsName() {
      for (RecordType type : RecordTypes.all()) {
        assertThat(RecordTypes.named(type.name())).containsSame(type);
      }
      assertThat(RecordTypes.named("nothing")).isEmpty();
    }

    @Test
    void everyPayloadIsSealedAndNothingElse() {
      for (RecordType type : RecordTypes.all()) {
        for (Attribute attribute : type.attributes()) {
          assertThat(attribute.sensitive())
              .as(type + "." + attribute.name())
              .isEqualTo(attribute.kind() == Kind.PAYLOAD);
        }
      }
    }
  }
}
