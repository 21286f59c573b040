/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the repositories of one caller share: its rights, its tenant's rows, and the sealing of
 * their values. Thread-safe.
 */
record TenantAccess(
    Engine engine, Scope scope, String actor, Set<Role> roles, Optional<String> client) {
  private static final UUID NO_ID = new UUID(0, 0);

  /** Refuses a caller whose roles do not allow it. */
  void require(Permission permission) {
    if (!permission.isAllowedBy(roles)) {
      throw new AccessDenied(
          "%s may not %s: one of the roles %s is needed"
              .formatted(actor, permission, permission.roles().stream().sorted().toList()));
    }
  }

  Instant now() {
    return engine.now();
  }

  StagedUnitOfWork unit() {
    return new StagedUnitOfWork(this);
  }

  /** A change that is staged in units of work of this tenant only. */
  Change change(Consumer<StagedUnitOfWork> change) {
    return unit -> change.accept(StagedUnitOfWork.of(unit, engine, scope));
  }

  /** The header of a record that is not stored yet, but has its id: values are sealed to it. */
  static RecordHeader unsavedHeader() {
    return unsavedHeader(Engine.newId());
  }

  /** The header of a record that is to be stored under this id. */
  static RecordHeader unsavedHeader(UUID id) {
    RecordHeader empty = RecordHeader.unsaved();
    return new RecordHeader(
        id,
        empty.tenantId(),
        empty.version(),
        empty.createdAt(),
        empty.updatedAt(),
        empty.updatedBy(),
        empty.schemaVersion(),
        empty.entityVersion(),
        empty.serializationVersion(),
        Bytes.EMPTY);
  }

  /** The id a record is to be stored with, or a new one. */
  static UUID idOf(RecordHeader header) {
    return header.id().equals(NO_ID) ? Engine.newId() : header.id();
  }

  <T> Optional<T> find(Class<T> recordClass, Object... key) {
    RecordMapper<T> mapper = RecordMappers.of(recordClass);
    return engine.read(scope, Key.of(mapper.type(), key)).map(mapper::fromRow);
  }

  /**
   * Changes a record as it is stored: of the one that was seen, only its key, its id and its
   * version count, so that a caller changes nothing but what it asks for. A conflict when it is not
   * there, or has another version.
   */
  <T> CommitResult changeStored(T seen, Function<T, CommitResult> change) {
    @SuppressWarnings("unchecked") // The mapper of an object's own class maps that object.
    RecordMapper<T> mapper = (RecordMapper<T>) RecordMappers.of(seen.getClass());
    Key key = mapper.key(seen);
    RecordHeader header = mapper.header(seen);
    checkOwn(header);
    Optional<T> stored =
        engine
            .read(scope, key)
            .filter(row -> row.header().id().equals(header.id()))
            .map(mapper::fromRow);
    if (stored.isEmpty()) {
      return lost(Reason.NOT_FOUND, key, "it is not there");
    }
    long version = mapper.header(stored.get()).version();
    return version == header.version()
        ? change.apply(stored.get())
        : lost(
            Reason.STALE_VERSION,
            key,
            "it has version %d, not %d: read it again and decide again"
                .formatted(version, header.version()));
  }

  private static CommitResult lost(Reason reason, Key key, String what) {
    return new Conflict(List.of(new Failure(reason, key.toString(), what)));
  }

  /**
   * A page of a range, for people; records that cannot be read are reported and left out. What
   * decides by records asks for {@link #all}.
   */
  <T> Page<T> page(Class<T> recordClass, Scan scan) {
    return Pages.readable(engine.scan(scope, scan), RecordMappers.of(recordClass));
  }

  /**
   * The records of a range one after the other, for what decides by them: none is passed over, one
   * that cannot be read throws what finding it by its key would. Read page by page, and no further
   * than they are asked for.
   */
  <T> Stream<T> all(Class<T> recordClass, Scan scan) {
    return Stream.iterate(
            Optional.of(engine.scan(scope, scan)),
            Optional::isPresent,
            page ->
                page.flatMap(Page::next)
                    .map(next -> engine.scan(scope, scan.after(Optional.of(next)))))
        .flatMap(page -> page.orElseThrow().items().stream())
        .map(RecordMappers.of(recordClass)::fromRow);
  }

  /**
   * The highest number with which keys of a range end; 0 when it is empty. A key can be read even
   * where its record, written by a newer node, cannot.
   */
  int highestNumber(Scan scan) {
    Scan descending = scan.descending();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page = engine.scan(scope, descending.after(next));
      if (!page.items().isEmpty()) {
        List<Object> key = page.items().get(0).key().values();
        return (Integer) key.get(key.size() - 1);
      }
      next = page.next();
    } while (next.isPresent());
    return 0;
  }

  /**
   * The number after one.
   *
   * @throws InvalidInput when there is none
   */
  static int after(int number, String what) {
    if (number == Integer.MAX_VALUE) {
      throw new InvalidInput("%s: there is no number after %d".formatted(what, number));
    }
    return number + 1;
  }

  /** Seals a value of a record to its place. */
  StoredPayload seal(Key key, RecordHeader header, String attribute, Payload value) {
    return engine.sealer().seal(value, binding(key, header, attribute));
  }

  Optional<StoredPayload> seal(
      Key key, RecordHeader header, String attribute, Optional<Payload> value) {
    return value.map(plain -> seal(key, header, attribute, plain));
  }

  /** Opens a value of a record, for callers that may read. */
  Optional<Payload> open(
      Key key, RecordHeader header, String attribute, Optional<StoredPayload> stored) {
    require(Permission.READ);
    checkOwn(header);
    return stored.map(value -> engine.sealer().open(value, binding(key, header, attribute)));
  }

  /** What was read for one tenant is neither written nor opened for another. */
  void checkOwn(RecordHeader read) {
    if (!read.tenantId().equals(scope.tenantId())) {
      throw new InvalidInput("the record was not read for this tenant: read it for this one");
    }
  }

  Binding binding(Key key, RecordHeader header, String attribute) {
    return Bindings.of(scope.tenantId(), key, attribute, header.id(), KeyScope.DATA);
  }
}
