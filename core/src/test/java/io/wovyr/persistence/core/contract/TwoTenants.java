/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tenant that has records, and another one that calls every method there is with all it could
 * know of them: ids, names, even the records themselves.
 */
final class TwoTenants {
  private static final Duration SOON = Duration.ofSeconds(20);

  /**
   * They read nothing of the store: a leaf is a value in the caller's own hands, which opens for no
   * other tenant where it is sealed (SealingContract); what is retried is the caller's own.
   */
  private static final Set<String> ANSWER_WHAT_WAS_GIVEN =
      Set.of("open(Leaf)", "retrying(Duration, Function)");

  private final Persistence persistence;
  private final Storage raw;
  private final String owner = "owner-" + UUID.randomUUID();
  private final String foreigner = "foreigner-" + UUID.randomUUID();

  TwoTenants(Persistence persistence, Storage raw) {
    this.persistence = persistence;
    this.raw = raw;
  }

  private Repositories as(String tenant) {
    return persistence.as(Caller.of(tenant, "somebody", Role.values()));
  }

  /** The foreigner has nothing, and learns nothing. */
  void aForeignerWithoutRecords(RepositoryMethod<?> method) {
    RepositoryMethod.Ready call = method.ready(new RightsScene(as(owner)));
    List<Row> before = rows(owner);

    Optional<Object> answer = called(call);

    assertThat(rows(owner)).isEqualTo(before);
    answer
        .filter(found -> !ANSWER_WHAT_WAS_GIVEN.contains(method.signature()))
        .ifPresent(found -> assertShowsNothing(found, true));
    before.forEach(this::isNotFound);
  }

  /** The foreigner has records of the same ids and names, and sees and changes only these. */
  void aForeignerWithTheSameIds(RepositoryMethod<?> method) {
    RepositoryMethod.Ready call = method.ready(new RightsScene(as(owner)));
    List<Row> before = rows(owner);
    copyToForeigner(before);

    Optional<Object> answer = called(call);

    assertThat(rows(owner)).isEqualTo(before);
    answer
        .filter(found -> !ANSWER_WHAT_WAS_GIVEN.contains(method.signature()))
        .ifPresent(found -> assertShowsNothing(found, false));
  }

  /** What the owner does leaves the foreigner's records of the same ids and names alone. */
  void theOwnerBesideTheSameIds(RepositoryMethod<?> method) {
    RepositoryMethod.Ready call = method.ready(new RightsScene(as(owner)));
    copyToForeigner(rows(owner));
    List<Row> theirs = rows(foreigner);

    call.by(as(owner));

    assertThat(rows(foreigner)).isEqualTo(theirs);
  }

  /** Calls it for the foreigner; empty: it was refused, or told that there is no such thing. */
  private Optional<Object> called(RepositoryMethod.Ready call) {
    try {
      return Optional.ofNullable(call.by(as(foreigner)));
    } catch (NoSuchElementException e) {
      return Optional.empty();
    } catch (AccessDenied | StorageFailure e) {
      return fail("it has all roles, and the store works", e);
    } catch (PersistenceException e) {
      assertThat(e.getMessage()).doesNotContain(owner, RightsScene.VALUE);
      return Optional.empty();
    }
  }

  // Rows, past the repositories.

  private List<Row> rows(String tenant) {
    List<Row> rows = new ArrayList<>();
    for (RecordType type : RecordTypes.all()) {
      Optional<String> next = Optional.empty();
      do {
        Page<Row> page =
            raw.scan(
                Scope.tenant(tenant),
                Scan.byKey(type, List.of(), 100).after(next),
                ReadOptions.strong(Deadline.after(SOON)));
        rows.addAll(page.items());
        next = page.next();
      } while (next.isPresent());
    }
    return rows;
  }

  private void copyToForeigner(List<Row> rows) {
    for (Row row : rows) {
      Mutation insert = new Mutation.Insert(row.with(ofForeigner(row.header())));
      Batch batch =
          new Batch(
              UUID.randomUUID(),
              raw.identity().epoch(),
              Scope.tenant(foreigner),
              Optional.empty(),
              List.of(insert),
              List.of());
      assertThat(raw.commit(batch, Deadline.after(SOON)))
          .isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  private RecordHeader ofForeigner(RecordHeader header) {
    return new RecordHeader(
        header.id(),
        foreigner,
        header.version(),
        header.createdAt(),
        header.updatedAt(),
        "somebody-else",
        header.schemaVersion(),
        header.entityVersion(),
        header.serializationVersion(),
        header.extra());
  }

  private void isNotFound(Row row) {
    List<Object> key = row.key().values();
    if (key.size() == 1) {
      Class<?> recordClass = RecordMappers.of(row.type()).recordClass();
      assertThat(as(foreigner).unitOfWork().find(recordClass, key.get(0)))
          .as("%s", row.key())
          .isEmpty();
    }
  }

  // Answers.

  /** What it answers is of the foreigner, or of nobody; never of the owner. */
  private void assertShowsNothing(@Nullable Object answer, boolean foreignerHasNothing) {
    if (answer == null || answer instanceof CommitResult.Conflict) {
      assertThat(String.valueOf(answer)).doesNotContain(owner, RightsScene.VALUE);
    } else if (answer instanceof RecordHeader header) {
      assertThat(header.tenantId()).isEqualTo(foreigner);
    } else if (answer instanceof Payload payload && foreignerHasNothing) {
      assertThat(payload.content().utf8()).doesNotContain(RightsScene.VALUE);
    } else if (answer instanceof Optional<?> optional) {
      optional.ifPresent(value -> assertShowsNothing(value, foreignerHasNothing));
    } else if (answer instanceof Iterable<?> several) {
      several.forEach(value -> assertShowsNothing(value, foreignerHasNothing));
    } else if (answer instanceof Map<?, ?> map) {
      assertShowsNothing(map.values(), foreignerHasNothing);
    } else if (answer instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        assertShowsNothing(value(record, component), foreignerHasNothing);
      }
    } else {
      assertThat(String.valueOf(answer)).doesNotContain(owner, RightsScene.VALUE);
    }
  }

  private static @Nullable Object value(Record record, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(component + " cannot be read", e);
    }
  }
}
