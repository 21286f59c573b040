/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.quarantine.QuarantineReason;
import io.wovyr.persistence.quarantine.QuarantinedRecord;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What cannot be read is named, and nothing else is. */
public abstract class QuarantineContract extends RepositoryContract {
  protected QuarantineContract(TestStore.Factory stores) {
    super(stores);
  }

  private Quarantine quarantine() {
    return repositories().quarantine();
  }

  private void rewrite(Row row, int entityVersion) {
    RecordHeader old = row.header();
    RecordHeader header =
        new RecordHeader(
            old.id(),
            old.tenantId(),
            old.version() + 1,
            old.createdAt(),
            old.updatedAt(),
            "newer-node",
            old.schemaVersion(),
            entityVersion,
            old.serializationVersion(),
            Bytes.EMPTY);
    rawCommit(new Mutation.Update(rawRow(row.key()), row.with(header)));
  }

  private void makeNewer(Key key) {
    rewrite(rawRow(key), 2);
  }

  private List<QuarantinedRecord> all(Optional<String> type, int limit) {
    List<QuarantinedRecord> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<QuarantinedRecord> page = quarantine().list(type, limit, next);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      found.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return found;
  }

  @Test
  @DisplayName("C032: records of a newer version are listed in the middle of others, of every type")
  void recordsOfANewerVersionAreListed() {
    newExecution();
    UUID execution = newExecution().id();
    newExecution();
    makeNewer(Key.of(RecordTypes.EXECUTION, execution));
    committed(
        repositories()
            .definitions()
            .add(NewDefinition.of("50% a/b", Payload.text("a-body-nobody-shows"))));
    makeNewer(Key.of(RecordTypes.DEFINITION, "50% a/b", 1));

    for (int limit : new int[] {1, 2, 100}) {
      List<QuarantinedRecord> found = all(Optional.empty(), limit);
      assertThat(found)
          .extracting(QuarantinedRecord::type, record -> record.key().orElseThrow())
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("execution", execution.toString()),
              org.assertj.core.groups.Tuple.tuple("definition", "50%25 a%2Fb/1"));
      assertThat(found).allMatch(one -> one.reason() == QuarantineReason.NEWER_VERSION);
      assertThat(found).noneMatch(one -> one.toString().contains("a-body-nobody-shows"));
    }
    assertThat(all(Optional.of("definition"), 10))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.header().orElseThrow().entityVersion()).isEqualTo(2);
              assertThat(one.header().orElseThrow().updatedBy()).isEqualTo("newer-node");
              assertThat(quarantine().find(one.type(), one.key().orElseThrow())).contains(one);
            });
  }

  @Test
  void aDamagedRecordIsListedAsSuch() {
    committed(
        repositories().feed().cursors().insert(RegisteredCursor.of("c", new FeedCursor(1, "1"))));
    rewrite(rawRow(Key.of(RecordTypes.FEED_CURSOR, "c")), 0);

    assertThat(all(Optional.empty(), 10))
        .singleElement()
        .satisfies(one -> assertThat(one.reason()).isEqualTo(QuarantineReason.CORRUPT));
  }

  @Test
  @DisplayName("C032: a torn envelope in the middle of a page stops no other record, and is named")
  void aTornEnvelopeStopsNoOtherRecord() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      UUID id = UUID.randomUUID();
      ids.add(id);
      committed(
          repositories()
              .executions()
              .create(NewExecution.of(ORDER).withId(id).withInput(Payload.text("input " + i))));
    }
    Row whole = rawRow(Key.of(RecordTypes.EXECUTION, ids.get(2)));
    byte[] envelope = ((StoredPayload) whole.get("input")).encode().toByteArray();
    Bytes torn = Bytes.wrap(Arrays.copyOf(envelope, envelope.length - 7));
    rawCommit(
        new Mutation.Update(
            whole,
            whole
                .with(whole.header().next(whole.header().updatedAt(), "nobody"))
                .with("input", StoredPayload.keep(torn))));

    List<WorkflowExecution> listed = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page =
          repositories().executions().find(ExecutionQuery.all(), 2, next);
      listed.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    assertThat(listed)
        .extracting(execution -> execution.header().id())
        .containsExactlyInAnyOrderElementsOf(ids);
    for (WorkflowExecution execution : listed) {
      if (execution.header().id().equals(ids.get(2))) {
        assertThatThrownBy(() -> repositories().executions().input(execution))
            .isInstanceOf(Corrupt.class)
            .hasMessageContainingAll("execution.input", ids.get(2).toString(), "cut")
            .hasMessageNotContaining("input 2");
      } else {
        assertThat(repositories().executions().input(execution)).isPresent();
      }
    }
    assertThat(all(Optional.empty(), 10))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.type()).isEqualTo("execution");
              assertThat(one.key()).contains(ids.get(2).toString());
              assertThat(one.reason()).isEqualTo(QuarantineReason.CORRUPT);
              assertThat(one.header().orElseThrow().updatedBy()).isEqualTo("nobody");
              assertThat(one.detail()).startsWith("input: ").contains("cut");
              assertThat(quarantine().find("execution", ids.get(2).toString())).contains(one);
            });
    WorkflowExecution damaged = repositories().executions().find(ids.get(2)).orElseThrow();
    committed(
        repositories()
            .executions()
            .transition(
                damaged, Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancel")));
    assertThat(((StoredPayload) rawRow(whole.key()).get("input")).encode())
        .as("kept as it is when the record changes")
        .isEqualTo(torn);
  }

  @Test
  void whatTheStoreItselfCannotReadIsNamedAndTheOtherTypesAreLookedAt() {
    newExecution();
    committed(
        repositories().feed().cursors().insert(RegisteredCursor.of("c", new FeedCursor(1, "1"))));
    makeNewer(Key.of(RecordTypes.FEED_CURSOR, "c"));
    node()
        .probe()
        .aroundScan(
            (store, scope, scan, options) -> {
              if (scan.type() == RecordTypes.EXECUTION) {
                throw new Corrupt("an envelope is torn", null);
              }
              return store.scan(scope, scan, options);
            });

    List<QuarantinedRecord> found = all(Optional.empty(), 10);

    assertThat(found)
        .extracting(QuarantinedRecord::type)
        .containsExactly("execution", "feed_cursor");
    assertThat(found.get(0).key()).isEmpty();
    assertThat(found.get(0).detail()).contains("torn");
  }

  @Test
  void whatCanBeReadAndWhatIsOfOthersIsNotInIt() {
    UUID id = newExecution().id();
    UUID other = newExecution(node().as(tenant() + "-other")).id();
    makeNewer(Key.of(RecordTypes.EXECUTION, id));
    makeNewer(Key.of(RecordTypes.HEAD, id));

    Quarantine others = node().as(tenant() + "-other").quarantine();
    assertThat(others.list(Optional.empty(), 10, Optional.empty()).items()).isEmpty();
    assertThat(others.find("execution", id.toString())).isEmpty();
    assertThat(others.find("execution", other.toString())).isEmpty();
    assertThat(quarantine().find("execution", UUID.randomUUID().toString())).isEmpty();
    assertThat(quarantine().find("execution_head", id.toString())).isPresent();
  }

  @Test
  void badNamesAreRefused() {
    assertThatThrownBy(() -> quarantine().list(Optional.of("order"), 1, Optional.empty()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("order", "execution_head");
    assertThatThrownBy(() -> quarantine().find("workflow_event", "1"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("<executionId>/<sequence>");
    assertThatThrownBy(() -> quarantine().find("execution", "x")).isInstanceOf(InvalidInput.class);
    for (String place : List.of("", "order:", "definition:", "execution")) {
      assertThatThrownBy(() -> quarantine().list(Optional.of("execution"), 1, Optional.of(place)))
          .isInstanceOf(InvalidInput.class);
    }
  }
}
