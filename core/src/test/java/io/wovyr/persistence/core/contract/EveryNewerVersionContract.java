/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of every type that a newer node wrote: refused, left out of lists, left as they are. */
public abstract class EveryNewerVersionContract extends RepositoryContract {
  private static final Instant LONG_AGO = Instant.parse("1999-01-01T00:00:00Z");
  private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");
  private static final Instant MADE = Instant.parse("2026-01-02T03:04:05.123456Z");

  /** The same in all rows of a test, so that one list shows them all. */
  private static final UUID SHARED = UUID.fromString("01890000-0000-7000-8000-0000000000aa");

  /** Values of enums; any other text will do elsewhere. */
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("execution.status", "CREATED"),
          Map.entry("definition.status", "ACTIVE"),
          Map.entry("activity.status", "SCHEDULED"),
          Map.entry("retry.status", "PENDING"),
          Map.entry("compensation.status", "REGISTERED"),
          Map.entry("schedule.misfire", "SKIP"),
          Map.entry("audit_record.outcome", "DONE"),
          Map.entry("checkpoint.kind", "FULL"),
          Map.entry("checkpoint.origin", "AUTOMATIC"),
          Map.entry("checkpoint_mark.validity", "VALID"));

  /** State changes, layout 1: none. */
  private static final Bytes NO_CHANGES = Bytes.copyOf(new byte[] {1, 0, 0, 0, 0});

  /** Attributes that are there when something is held. */
  private static final Set<String> LEASE = Set.of("owner", "leaseId", "leaseExpiresAt", "leaseTtl");

  private static final Map<RecordType, Function<Repositories, Page<?>>> LISTS = lists();

  protected EveryNewerVersionContract(TestStore.Factory stores) {
    super(stores);
  }

  private static final Map<RecordType, Function<Repositories, List<?>>> ALL =
      Map.of(
          RecordTypes.ACTIVITY, all -> all.activities().all(SHARED),
          RecordTypes.RETRY, all -> all.retries().all(SHARED),
          RecordTypes.COMPENSATION, all -> all.compensations().all(SHARED));

  private static Map<RecordType, Function<Repositories, Page<?>>> lists() {
    Optional<String> first = Optional.empty();
    Map<RecordType, Function<Repositories, Page<?>>> lists = new LinkedHashMap<>();
    lists.put(RecordTypes.EXECUTION, all -> all.executions().list(Optional.empty(), 10, first));
    lists.put(RecordTypes.HEAD, all -> all.leases().list(10, first));
    lists.put(RecordTypes.FEED_CURSOR, all -> all.feed().listCursors(10, first));
    lists.put(RecordTypes.DEFINITION, all -> all.definitions().list(Optional.empty(), 10, first));
    lists.put(RecordTypes.ACTIVITY, all -> all.activities().list(SHARED, 10, first));
    lists.put(RecordTypes.RETRY, all -> all.retries().list(SHARED, 10, first));
    lists.put(
        RecordTypes.COMPENSATION,
        all -> all.compensations().list(CompensationStatus.REGISTERED, 10, first));
    lists.put(RecordTypes.AUDIT_RECORD, all -> all.audit().list(LONG_AGO, FAR, 10, first));
    lists.put(RecordTypes.CHECKPOINT, all -> all.checkpoints().list(SHARED, 10, first));
    lists.put(RecordTypes.SECRET, all -> all.secrets().list(10, first));
    return lists;
  }

  static Stream<Arguments> everyType() {
    // Data keys are read together, never one by one; so are large values (LargeValuesContract).
    Set<RecordType> together =
        Set.of(RecordTypes.DATA_KEY, RecordTypes.LARGE_VALUE, RecordTypes.CHUNK);
    return versions(RecordTypes.all().stream().filter(type -> !together.contains(type)).toList());
  }

  static Stream<Arguments> everyListedType() {
    return versions(List.copyOf(LISTS.keySet()));
  }

  private static Stream<Arguments> versions(List<RecordType> types) {
    return types.stream()
        .flatMap(type -> Stream.of(Arguments.of(type, 1, 0), Arguments.of(type, 0, 1)));
  }

  // Rows.

  private static Row row(Scope scope, RecordType type, int number) {
    UUID id = new UUID(SHARED.getMostSignificantBits(), number);
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < type.key().size(); i++) {
      boolean last = i == type.key().size() - 1;
      key.add(keyPart(type, type.key().get(i), last, number));
    }
    UUID headerId = key.get(0).equals(SHARED) && key.size() > 1 ? id : idOf(key, id);
    RecordHeader header =
        new RecordHeader(
            headerId,
            scope.tenantId(),
            1,
            MADE,
            MADE,
            "newer-node",
            1,
            type.entityVersion(),
            1,
            Bytes.EMPTY);
    List<@Nullable Object> values = new ArrayList<>();
    type.attributes().forEach(attribute -> values.add(value(type, attribute, id)));
    return new Row(new Key(type, key), header, values);
  }

  private static UUID idOf(List<Object> key, UUID id) {
    return key.get(0) instanceof UUID keyed ? keyed : id;
  }

  private static Object keyPart(RecordType type, Attribute attribute, boolean last, int number) {
    String enumValue = TEXTS.get(type.name() + "." + attribute.name());
    boolean distinct = last || attribute.name().equals("eventCursor");
    return switch (attribute.kind()) {
      case UUID -> distinct ? new UUID(SHARED.getMostSignificantBits(), number) : SHARED;
      case INT -> distinct ? number : 1;
      case LONG -> distinct ? (long) number : 1L;
      default -> enumValue != null ? enumValue : "name-" + (last ? number : "x");
    };
  }

  private static @Nullable Object value(RecordType type, Attribute attribute, UUID id) {
    if (attribute.nullable() && !LEASE.contains(attribute.name())) {
      return null;
    }
    return switch (attribute.kind()) {
      case INT -> 1;
      case LONG -> 1L;
      case BOOLEAN -> false;
      case TEXT ->
          TEXTS.getOrDefault(
              type.name() + "." + attribute.name(),
              attribute.name() + id.getLeastSignificantBits());
      case UUID -> id;
      case INSTANT -> MADE;
      case BYTES -> type == RecordTypes.EVENT ? NO_CHANGES : Bytes.copyOf(new byte[32]);
      case PAYLOAD -> throw new AssertionError("payloads may be missing");
      case TEXT_LIST -> List.of();
    };
  }

  private static Row newer(Row row, int entityVersions, int serializationVersions) {
    RecordHeader header = row.header();
    return row.with(
        new RecordHeader(
            header.id(),
            header.tenantId(),
            header.version(),
            header.createdAt(),
            header.updatedAt(),
            header.updatedBy(),
            header.schemaVersion(),
            header.entityVersion() + entityVersions,
            header.serializationVersion() + serializationVersions,
            Bytes.utf8("what a newer node knows")));
  }

  private void insert(Scope scope, Row... rows) {
    Storage raw = rawStorage();
    List<Mutation> inserts = Stream.of(rows).<Mutation>map(Mutation.Insert::new).toList();
    Batch batch =
        new Batch(
            UUID.randomUUID(), raw.identity().epoch(), scope, Optional.empty(), inserts, List.of());
    assertThat(raw.commit(batch, Deadline.after(SOON))).isInstanceOf(CommitOutcome.Committed.class);
  }

  private Row stored(Scope scope, Row row) {
    return rawStorage()
        .read(scope, List.of(row.key()), ReadOptions.strong(Deadline.after(SOON)))
        .get(0)
        .orElseThrow();
  }

  private Repositories everyRole() {
    return node().persistence().as(Caller.of(tenant(), "contract", Role.values()));
  }

  // What users see.

  @Test
  @DisplayName("C032: a newer data key is refused with all of its tenant: none is sealed under")
  void aNewerDataKeyIsRefused() {
    Row any = row(scope(), RecordTypes.DATA_KEY, 1);
    Row key = new Row(Key.of(RecordTypes.DATA_KEY, "DATA", 1), any.header(), any.values());
    insert(scope(), newer(key, 1, 0));

    assertThatThrownBy(() -> ((WovyrPersistence) node().persistence()).dataKeys().list(tenant()))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("data_key");
  }

  @ParameterizedTest(name = "{0} +{1} +{2}")
  @MethodSource("everyType")
  @DisplayName("C032: a newer record of any type is refused by its key and left as it is")
  void aNewerRecordIsRefusedAndLeftAsItIs(RecordType type, int entity, int serialization) {
    Row readable = row(scope(), type, 1);
    Row newer = newer(row(scope(), type, 2), entity, serialization);
    insert(scope(), readable, newer);
    Row before = stored(scope(), newer);

    assertThat(find(readable)).isPresent();
    assertThatThrownBy(() -> find(newer))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(type.name())
        .hasMessageContaining("newer version")
        .hasMessageNotContaining("what a newer node knows");

    assertThat(stored(scope(), newer)).isEqualTo(before);
  }

  /** By the repository's own way where there is one. */
  private Optional<?> find(Row row) {
    Repositories all = everyRole();
    List<Object> key = row.key().values();
    Object last = key.get(key.size() - 1);
    return switch (row.type().name()) {
      case "workflow_event" -> all.events().find(SHARED, (Long) last);
      case "named_lease" -> all.leases().findName((String) last);
      case "definition" -> all.definitions().find((String) key.get(0), (Integer) last);
      case "activity" -> all.activities().find(SHARED, (String) last);
      case "retry" -> all.retries().find(SHARED, (String) last);
      case "compensation" -> all.compensations().find(SHARED, (Integer) last);
      case "audit_record" -> all.audit().find((UUID) last);
      case "checkpoint" ->
          all.checkpoints().find((UUID) Objects.requireNonNull(row.get("checkpointId")));
      case "checkpoint_mark" -> all.checkpoints().mark(SHARED, (UUID) last);
      case "secret" -> opened(all, new SecretRef((String) key.get(0), (Integer) last));
      default -> all.unitOfWork().find(RecordMappers.of(row.type()).recordClass(), last);
    };
  }

  /** The secrets here have no value: one that can be read is as good as revoked. */
  private static Optional<?> opened(Repositories all, SecretRef secret) {
    try {
      return Optional.of(all.secrets().open(secret));
    } catch (InvalidInput e) {
      return Optional.of(e);
    }
  }

  @Test
  @DisplayName("C032: what decides by all records of an execution is refused where one is missing")
  void nothingIsLeftOutWhereAllAreAskedFor() {
    ALL.forEach(
        (type, all) -> {
          insert(scope(), row(scope(), type, 1), row(scope(), type, 3));
          assertThat(all.apply(everyRole())).hasSize(2);
          insert(scope(), newer(row(scope(), type, 2), 1, 0));
          assertThatThrownBy(() -> all.apply(everyRole()))
              .isInstanceOf(UnsupportedVersion.class)
              .hasMessageContaining(type.name());
        });
  }

  @ParameterizedTest(name = "{0} +{1} +{2}")
  @MethodSource("everyListedType")
  @DisplayName("C032: lists of every type go on without the record that cannot be read")
  void listsGoOnWithoutIt(RecordType type, int entity, int serialization) {
    Row newer = newer(row(scope(), type, 2), entity, serialization);
    insert(scope(), row(scope(), type, 1), newer, row(scope(), type, 3));
    Row before = stored(scope(), newer);

    Page<?> page = Objects.requireNonNull(LISTS.get(type)).apply(everyRole());

    assertThat(page.items()).hasSize(2);
    assertThat(stored(scope(), newer)).isEqualTo(before);
  }

  @Test
  @DisplayName("C032: the system's own lists and sweeps go on, too")
  void theSystemGoesOnWithoutIt() {
    Scope.System system = new Scope.System("contract");
    String source = "source-" + UUID.randomUUID();
    List<Row> samples = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      Row sample = row(system, RecordTypes.METRICS_SNAPSHOT, number);
      UUID id = UUID.randomUUID();
      RecordHeader header = sample.header();
      Key key = Key.of(RecordTypes.METRICS_SNAPSHOT, id);
      Row own =
          new Row(
                  key,
                  new RecordHeader(
                      id, header.tenantId(), 1, MADE, MADE, "newer-node", 1, 1, 1, Bytes.EMPTY),
                  sample.values())
              .with("source", source);
      samples.add(number == 2 ? newer(own, 1, 0) : own);
    }
    insert(system, samples.toArray(Row[]::new));
    var metrics = node().persistence().system("contract").metrics();

    assertThat(metrics.list(source, LONG_AGO, FAR, 10, Optional.empty()).items()).hasSize(2);
    assertThat(metrics.removeBefore(source, FAR, 10)).isEqualTo(2);
    assertThat(stored(system, samples.get(1)).header().entityVersion()).isEqualTo(2);

    Row marker = newer(row(scope(), RecordTypes.COMMIT_MARKER, 1), 1, 0);
    Row expired = row(scope(), RecordTypes.COMMIT_MARKER, 2);
    insert(scope(), marker, expired);
    while (node().persistence().system("contract").sweepMarkers(1) > 0) {
      // However few at a time: those that cannot be read hide no other.
    }
    assertThat(stored(scope(), marker).header().entityVersion()).isEqualTo(2);
    assertThat(
            rawStorage()
                .read(scope(), List.of(expired.key()), ReadOptions.strong(Deadline.after(SOON)))
                .get(0))
        .isEmpty();
  }

  @Test
  @DisplayName("C032: a newer named lease is neither shown nor taken")
  void aNewerNamedLeaseIsNotTaken() {
    Row newer = newer(row(scope(), RecordTypes.NAMED_LEASE, 1), 1, 0);
    insert(scope(), newer);
    Row before = stored(scope(), newer);
    String name = (String) newer.key().values().get(0);

    assertThatThrownBy(() -> everyRole().leases().findName(name))
        .isInstanceOf(UnsupportedVersion.class);
    assertThatThrownBy(() -> everyRole().leases().acquireName(name, "w", TTL))
        .isInstanceOf(UnsupportedVersion.class);
    assertThat(stored(scope(), newer)).isEqualTo(before);
  }
}
