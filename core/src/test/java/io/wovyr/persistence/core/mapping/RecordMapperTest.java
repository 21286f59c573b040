/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.NamedLease;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecordMapperTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");
  private static final UUID EXECUTION_ID = new UUID(0x0195_0000_0000_7000L, 1);

  private static RecordHeader header(UUID id) {
    return new RecordHeader(
        id, "acme", 3, NOW, NOW.plusSeconds(1), "ada", 1, 1, 1, Bytes.utf8("from a newer node"));
  }

  private static StoredPayload payload(String text) {
    return new StoredPayload(
        "text/plain",
        StoredPayload.UNSEALED,
        StoredPayload.UNCOMPRESSED,
        Optional.empty(),
        Bytes.wrap(new byte[32]),
        text.length(),
        new StoredPayload.Body.Inline(Bytes.utf8(text)));
  }

  private static WorkflowExecution execution() {
    return new WorkflowExecution(
        header(EXECUTION_ID),
        "order-17",
        Optional.of("order-17"),
        ExecutionStatus.PAUSED,
        Optional.of(ExecutionStatus.WAITING),
        "order",
        2,
        "",
        Optional.empty(),
        List.of("customer=7", "customer=8"),
        Optional.of(payload("in")),
        Optional.empty(),
        Optional.empty(),
        Instant.parse("2026-01-02T03:04:05.123456Z"));
  }

  private static ExecutionHead head() {
    return new ExecutionHead(
        header(EXECUTION_ID),
        12,
        1,
        false,
        1L << 40,
        Optional.of("worker-1"),
        Optional.of(new UUID(7, 7)),
        Optional.of(NOW),
        Optional.of(Duration.ofSeconds(30)),
        4,
        1,
        false,
        false,
        Optional.of(NOW.plusSeconds(30)),
        Optional.empty());
  }

  private static WorkflowEvent event() {
    return new WorkflowEvent(
        header(new UUID(9, 9)),
        EXECUTION_ID,
        5,
        "StockReserved",
        Optional.of(new UUID(1, 2)),
        Optional.empty(),
        Optional.of("signal-1"),
        0,
        new UUID(3, 4),
        Optional.of(payload("event")),
        List.of(
            new StateChange.Put(Section.VARIABLES, "total", new StateChange.Value.EventPayload()),
            new StateChange.Put(
                Section.WORKFLOW, "step", new StateChange.Value.Own(payload("charge"))),
            new StateChange.Remove(Section.RETRIES, "charge")));
  }

  private static NamedLease namedLease() {
    return new NamedLease(
        header(new UUID(5, 5)),
        "sealer",
        8,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Duration.ofNanos(1_500_000)),
        0);
  }

  private static <T> void roundTrips(Class<T> recordClass, T record, Key key) {
    RecordMapper<T> mapper = RecordMappers.of(recordClass);
    Row row = mapper.toRow(record);
    assertThat(row.key()).isEqualTo(key).isEqualTo(mapper.key(record));
    assertThat(mapper.fromRow(row)).isEqualTo(record);
    assertThat(mapper.toRow(mapper.fromRow(row))).isEqualTo(row);
  }

  @Test
  void everyRecordTypeHasAMapper() {
    for (RecordType type : RecordTypes.all()) {
      RecordMapper<?> mapper = RecordMappers.of(type);
      assertThat(mapper.type()).isSameAs(type);
      assertThat(RecordMappers.of(mapper.recordClass())).isSameAs(mapper);
    }
  }

  @Test
  void everyRecordComesBackFromItsRowAsItWas() {
    roundTrips(WorkflowExecution.class, execution(), Key.of(RecordTypes.EXECUTION, EXECUTION_ID));
    roundTrips(ExecutionHead.class, head(), Key.of(RecordTypes.HEAD, EXECUTION_ID));
    roundTrips(WorkflowEvent.class, event(), Key.of(RecordTypes.EVENT, EXECUTION_ID, 5L));
    roundTrips(NamedLease.class, namedLease(), Key.of(RecordTypes.NAMED_LEASE, "sealer"));
    roundTrips(
        CommitMarker.class,
        new CommitMarker(header(new UUID(6, 6)), new UUID(1, 1), true, NOW),
        Key.of(RecordTypes.COMMIT_MARKER, new UUID(1, 1)));
    roundTrips(
        RegisteredCursor.class,
        new RegisteredCursor(header(new UUID(4, 4)), "follower", 2, "17"),
        Key.of(RecordTypes.FEED_CURSOR, "follower"));
  }

  @Test
  void rowsHoldTheKindsThatStoresKeep() {
    Row row = RecordMappers.of(WorkflowExecution.class).toRow(execution());
    assertThat(row.get("status")).isEqualTo("PAUSED");
    assertThat(row.get("pausedFrom")).isEqualTo("WAITING");
    assertThat(row.get("parentId")).isNull();
    assertThat(row.get("searchAttributes")).isEqualTo(List.of("customer=7", "customer=8"));
    assertThat(row.header().extra()).isEqualTo(Bytes.utf8("from a newer node"));
    assertThat(RecordMappers.of(ExecutionHead.class).toRow(head()).get("leaseTtl"))
        .isEqualTo(30_000_000L);
    assertThat(RecordMappers.of(NamedLease.class).toRow(namedLease()).get("leaseTtl"))
        .isEqualTo(1_500L);
  }

  @Test
  @DisplayName("C051: instants are cut to microseconds on their way into a row, never rounded up")
  void instantsAreCutToMicroseconds() {
    for (String saved :
        List.of("2026-03-01T10:15:30.123456789Z", "2026-03-01T10:15:30.999999999Z")) {
      ExecutionHead exact =
          RecordMappers.of(ExecutionHead.class)
              .fromRow(
                  RecordMappers.of(ExecutionHead.class)
                      .toRow(head())
                      .with("leaseExpiresAt", Instant.parse(saved)));
      Instant stored =
          (Instant) RecordMappers.of(ExecutionHead.class).toRow(exact).get("leaseExpiresAt");
      assertThat(stored).isEqualTo(Instant.parse(saved.substring(0, 26) + "Z"));
    }
  }

  @Test
  void durationsThatNoStoreCanKeepAreRefused() {
    NamedLease lease = namedLease();
    NamedLease tooLong =
        new NamedLease(
            lease.header(),
            lease.name(),
            lease.fencingToken(),
            lease.owner(),
            lease.leaseId(),
            lease.leaseExpiresAt(),
            Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
            0);
    assertThatThrownBy(() -> RecordMappers.of(NamedLease.class).toRow(tooLong))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("named_lease.leaseTtl");
  }

  @Test
  void symbolicTimesHaveNoRecordYet() {
    RecordMapper<ExecutionHead> mapper = RecordMappers.of(ExecutionHead.class);
    Row symbolic = mapper.toRow(head()).with("dueAt", StoreTime.NOW);
    assertThatThrownBy(() -> mapper.fromRow(symbolic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dueAt");
  }

  @Test
  void rowsOfAnotherTypeAreNotTaken() {
    Row row = RecordMappers.of(NamedLease.class).toRow(namedLease());
    assertThatThrownBy(() -> RecordMappers.of(ExecutionHead.class).fromRow(row))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("named_lease");
  }

  @Test
  void aHeadWhoseHeaderNamesAnotherExecutionIsCorrupt() {
    RecordMapper<ExecutionHead> mapper = RecordMappers.of(ExecutionHead.class);
    Row moved = mapper.toRow(head()).with(header(new UUID(8, 8)));
    assertThatThrownBy(() -> mapper.fromRow(moved)).isInstanceOf(Corrupt.class);
  }

  @Test
  void brokenStateChangesNameTheEventTheyBelongTo() {
    RecordMapper<WorkflowEvent> mapper = RecordMappers.of(WorkflowEvent.class);
    Row broken = mapper.toRow(event()).with("changes", Bytes.wrap(new byte[] {1, 0, 0}));
    assertThatThrownBy(() -> mapper.fromRow(broken))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("workflow_event[" + EXECUTION_ID + "/5].changes");
  }

  @Nested
  @DisplayName("C032: what a newer node wrote is refused, and kept as it is")
  class NewerThanThisNode {
    @Test
    void aNewerShapeIsRefused() {
      refuses(new RecordHeader(EXECUTION_ID, "acme", 1, NOW, NOW, "ada", 1, 2, 1, Bytes.EMPTY));
    }

    @Test
    void aNewerEncodingIsRefused() {
      refuses(new RecordHeader(EXECUTION_ID, "acme", 1, NOW, NOW, "ada", 1, 1, 2, Bytes.EMPTY));
    }

    private void refuses(RecordHeader newer) {
      RecordMapper<WorkflowExecution> mapper = RecordMappers.of(WorkflowExecution.class);
      Row row = mapper.toRow(execution()).with(newer);
      assertThatThrownBy(() -> mapper.fromRow(row))
          .isInstanceOf(UnsupportedVersion.class)
          .hasMessageContaining("execution[" + EXECUTION_ID + "]")
          .hasMessageContaining("entity version " + newer.entityVersion())
          .hasMessageContaining("serialization version " + newer.serializationVersion());
    }

    @Test
    void anUnknownStatusIsRefusedByName() {
      RecordMapper<WorkflowExecution> mapper = RecordMappers.of(WorkflowExecution.class);
      Row row = mapper.toRow(execution()).with("status", "AWAITING_REVIEW");
      assertThatThrownBy(() -> mapper.fromRow(row))
          .isInstanceOf(UnsupportedVersion.class)
          .hasMessageContaining("execution.status")
          .hasMessageContaining("AWAITING_REVIEW");
    }

    @Test
    void attributesThisNodeCannotReadAreKeptOnRewrite() {
      RecordMapper<ExecutionHead> mapper = RecordMappers.of(ExecutionHead.class);
      Row read = mapper.toRow(head());
      assertThat(mapper.toRow(mapper.fromRow(read)).header().extra())
          .isEqualTo(Bytes.utf8("from a newer node"));
    }
  }

  @Nested
  @DisplayName("C049: text that a store would not keep exactly is refused before it reaches one")
  class TextAtTheDoor {
    @Test
    void nulIsRefused() {
      refuses("ab\u0000cd");
    }

    @Test
    void halfASurrogatePairIsRefused() {
      refuses("ab\uD800");
    }

    @Test
    void tooLongTextIsRefused() {
      refuses("x".repeat(256));
    }

    private void refuses(String name) {
      NamedLease lease = namedLease();
      NamedLease renamed =
          new NamedLease(
              lease.header(),
              lease.name(),
              1,
              Optional.of(name),
              lease.leaseId(),
              lease.leaseExpiresAt(),
              lease.leaseTtl(),
              0);
      assertThatThrownBy(() -> RecordMappers.of(NamedLease.class).toRow(renamed))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("named_lease.owner")
          .hasMessageNotContaining(name);
    }
  }

  @Nested
  class Upcasting {
    private static final RecordType FIRST =
        RecordType.named("parcel", 900).key("id", Kind.UUID).required("grams", Kind.LONG).build();

    private static final RecordType THIRD =
        RecordType.named("parcel", 900)
            .entityVersion(3)
            .key("id", Kind.UUID)
            .required("grams", Kind.LONG)
            .optionalText("carrier", 40)
            .optional("insured", Kind.BOOLEAN)
            .build();

    record Parcel(RecordHeader header, long grams, String carrier, Optional<Boolean> insured) {}

    private static RecordMapper<Parcel> third() {
      return RecordMapper.of(
          Parcel.class,
          THIRD,
          List.of(
              row -> row.with("carrier", "post"),
              row -> row.with("insured", row.get("carrier").equals("post"))));
    }

    private static Row storedAt(int entityVersion, Object... values) {
      RecordHeader header =
          new RecordHeader(
              EXECUTION_ID, "acme", 4, NOW, NOW, "ada", 1, entityVersion, 1, Bytes.EMPTY);
      return new Row(Key.of(THIRD, EXECUTION_ID), header, java.util.Arrays.asList(values));
    }

    @Test
    void anOldRowIsLedThroughEveryVersionInOrder() {
      Parcel parcel = third().fromRow(storedAt(1, 500L, null, null));
      assertThat(parcel.carrier()).isEqualTo("post");
      assertThat(parcel.insured()).contains(true);
      assertThat(parcel.header().entityVersion()).isEqualTo(3);
      assertThat(parcel.header().version()).isEqualTo(4);
    }

    @Test
    void upcastingBeginsAtTheVersionOfTheRow() {
      Parcel parcel = third().fromRow(storedAt(2, 500L, "courier", null));
      assertThat(parcel.carrier()).isEqualTo("courier");
      assertThat(parcel.insured()).contains(false);
    }

    @Test
    void aPresentRowIsLeftAlone() {
      Parcel parcel = third().fromRow(storedAt(3, 500L, "courier", null));
      assertThat(parcel.insured()).isEmpty();
    }

    @Test
    void aHoleThatNoUpcasterFilledIsCorrupt() {
      assertThatThrownBy(() -> third().fromRow(storedAt(3, 500L, null, null)))
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining("carrier");
    }

    @Test
    void aRowWithoutAVersionIsCorrupt() {
      assertThatThrownBy(() -> third().fromRow(storedAt(0, 500L, "post", null)))
          .isInstanceOf(Corrupt.class);
    }

    @Test
    void aMissingUpcasterIsNoticedWhenTheMapperIsMade() {
      assertThatThrownBy(() -> RecordMapper.of(Parcel.class, THIRD))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs 2 upcasters");
    }

    @Test
    void classAndTypeThatDoNotFitAreNoticedWhenTheMapperIsMade() {
      assertThatThrownBy(() -> RecordMapper.of(Parcel.class, FIRST))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("carrier");
      assertThatThrownBy(() -> RecordMapper.of(NamedLease.class, FIRST))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("parcel.grams");
    }
  }
}
