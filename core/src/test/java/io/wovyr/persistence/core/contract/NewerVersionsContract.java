/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that a newer node wrote. */
public abstract class NewerVersionsContract extends RepositoryContract {
  private static final Bytes EXTRA = Bytes.utf8("what a newer node knows");

  protected NewerVersionsContract(TestStore.Factory stores) {
    super(stores);
  }

  private static RecordHeader header(
      RecordHeader old, int entityVersion, int serializationVersion, Bytes extra) {
    return new RecordHeader(
        old.id(),
        old.tenantId(),
        old.version() + 1,
        old.createdAt(),
        old.updatedAt(),
        "newer-node",
        old.schemaVersion(),
        entityVersion,
        serializationVersion,
        extra);
  }

  /** Rewrites a record as a newer node would. */
  private Row rewrite(Key key, UnaryOperator<Row> change) {
    Row row = rawRow(key);
    rawCommit(new Mutation.Update(row, change.apply(row)));
    return rawRow(key);
  }

  private static UnaryOperator<Row> newer(String what) {
    return row ->
        switch (what) {
          case "entity version" -> row.with(header(row.header(), 2, 1, EXTRA));
          case "serialization version" -> row.with(header(row.header(), 1, 2, Bytes.EMPTY));
          default ->
              row.with("status", "AWAITING_REVIEW").with(header(row.header(), 1, 1, Bytes.EMPTY));
        };
  }

  private static void unsupported(ThrowingCallable call, UUID id) {
    assertThatThrownBy(call)
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(id.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"entity version", "serialization version", "unknown status"})
  @DisplayName("C032: a newer execution is refused, left as it is, and its lease given back")
  void aNewerExecutionIsRefusedAndLeftAlone(String what) {
    WorkflowExecution before = newExecution();
    UUID id = before.id();
    Row stored = rewrite(Key.of(RecordTypes.EXECUTION, id), newer(what));
    Lease lease = acquire(id);

    unsupported(() -> repositories().executions().find(id), id);
    unsupported(() -> repositories().executions().findLive(id.toString()), id);
    unsupported(() -> repositories().unitOfWork().find(WorkflowExecution.class, id), id);
    conflict(
        repositories()
            .executions()
            .transition(before, Transition.to(ExecutionStatus.RUNNING), Append.next(lease)),
        io.wovyr.persistence.CommitResult.Reason.STALE_VERSION);
    assertThat(repositories().leases().release(lease, Wake.now())).isTrue();

    assertThat(rawRow(stored.key())).isEqualTo(stored);
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).dueAt()).isPresent();
    assertThat(acquire(newNode().as(tenant()), id, "newer-node").isHeld()).isTrue();
  }

  @Test
  @DisplayName("C032: pages go on without the record that cannot be read")
  void pagesGoOnWithoutIt() {
    UUID first = newExecution().id();
    UUID newer = newExecution().id();
    UUID last = newExecution().id();
    rewrite(Key.of(RecordTypes.EXECUTION, newer), newer("entity version"));

    List<UUID> listed = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      var page = repositories().executions().list(Optional.empty(), 1, next);
      page.items().forEach(execution -> listed.add(execution.id()));
      next = page.next();
    } while (next.isPresent());

    assertThat(listed).containsExactly(first, last);
  }

  @Test
  @DisplayName("C032: a newer head is never rewritten")
  void aNewerHeadIsNeverRewritten() {
    WorkflowExecution execution = newExecution();
    UUID id = execution.id();
    Row stored = rewrite(Key.of(RecordTypes.HEAD, id), newer("entity version"));

    unsupported(() -> repositories().executions().head(id), id);
    unsupported(() -> repositories().leases().acquire(id, "w", TTL), id);
    unsupported(() -> repositories().leases().assign(id, "w", TTL), id);
    unsupported(() -> repositories().leases().unpark(id), id);
    unsupported(() -> repositories().events().append(id, Append.signal("s"), event("E")), id);
    unsupported(
        () ->
            repositories()
                .executions()
                .transition(
                    execution, Transition.to(ExecutionStatus.CANCELLED), Append.signal("c")),
        id);
    unsupported(() -> repositories().executions().state(id), id);
    unsupported(() -> repositories().events().purge(id, 2, true), id);

    assertThat(rawRow(stored.key())).isEqualTo(stored);
  }

  @Test
  @DisplayName("C032: a head that became newer under a lease stops its owner")
  void aHeadThatBecameNewerStopsItsOwner() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Row stored = rewrite(Key.of(RecordTypes.HEAD, id), newer("entity version"));

    unsupported(() -> repositories().events().append(id, Append.next(lease), event("E")), id);
    unsupported(() -> repositories().leases().heartbeat(lease), id);

    assertThat(rawRow(stored.key())).isEqualTo(stored);
  }

  @ParameterizedTest
  @ValueSource(strings = {"entity version", "serialization version"})
  @DisplayName("C032: a newer event stops replay and reading, and the feed waits before it")
  void aNewerEventStopsReplay(String what) {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    committed(repositories().events().append(id, Append.next(lease), event("Old")));
    Row last = rawRow(Key.of(RecordTypes.EVENT, id, 2L));
    Row head = rawRow(Key.of(RecordTypes.HEAD, id));
    RecordHeader one = newer(what).apply(last).header();
    RecordHeader asInserted =
        new RecordHeader(
            UUID.randomUUID(),
            one.tenantId(),
            1,
            one.createdAt(),
            one.updatedAt(),
            one.updatedBy(),
            one.schemaVersion(),
            one.entityVersion(),
            one.serializationVersion(),
            one.extra());
    Row newer = new Row(Key.of(RecordTypes.EVENT, id, 3L), asInserted, last.values());
    rawCommit(
        new Mutation.Update(
            head,
            head.with("lastSequence", 3L).with(header(head.header(), 1, 1, head.header().extra()))),
        new Mutation.Insert(newer));

    unsupported(() -> repositories().executions().state(id), id);
    unsupported(() -> repositories().events().read(id, 1, 10), id);
    unsupported(() -> repositories().events().find(id, 3), id);
    assertThat(repositories().executions().state(id, 2).size()).isEqualTo(1);
    assertThat(repositories().events().find(id, 2).map(WorkflowEvent::type)).contains("Old");
    FeedPage page = repositories().feed().read(Optional.empty(), 10);
    assertThat(page.entries()).hasSize(2);
    assertThat(page.next()).contains(page.entries().get(1).cursor());
    unsupported(() -> repositories().feed().read(page.next(), 10), id);
    assertThat(rawRow(newer.key())).isEqualTo(newer);
  }

  @Test
  @DisplayName("C032: an unknown extra field alone is kept when its record is rewritten")
  void extraIsKeptOnRewrite() {
    UUID id = newExecution().id();
    Key execution = Key.of(RecordTypes.EXECUTION, id);
    Key head = Key.of(RecordTypes.HEAD, id);
    rewrite(execution, row -> row.with(header(row.header(), 1, 1, EXTRA)));
    rewrite(head, row -> row.with(header(row.header(), 1, 1, EXTRA)));

    Lease lease = running(id);
    committed(repositories().events().append(id, Append.next(lease), event("E")));
    committed(repositories().events().append(id, Append.signal("s"), event("S")));
    assertThat(repositories().leases().heartbeat(lease)).isTrue();
    assertThat(repositories().leases().release(lease, Wake.now())).isTrue();
    move(id, ExecutionStatus.COMPLETED, Append.signal("done"));
    assertThat(repositories().events().purge(id, 3, true)).isEqualTo(2);

    assertThat(rawRow(execution).header().extra()).isEqualTo(EXTRA);
    assertThat(rawRow(head).header().extra()).isEqualTo(EXTRA);

    committed(
        repositories().feed().cursors().insert(RegisteredCursor.of("c", new FeedCursor(1, "1"))));
    Key key = Key.of(RecordTypes.FEED_CURSOR, "c");
    rewrite(key, row -> row.with(header(row.header(), 1, 1, EXTRA)));
    RegisteredCursor cursor = repositories().feed().cursors().find("c").orElseThrow();
    committed(
        repositories()
            .feed()
            .cursors()
            .update(cursor, RegisteredCursor.of("c", new FeedCursor(1, "2"))));
    assertThat(rawRow(key).header().extra()).isEqualTo(EXTRA);
  }

  @Test
  @DisplayName("C032: a reader's newer cursor holds purging back rather than being overlooked")
  void aNewerCursorHoldsPurgingBack() {
    UUID id = newExecution().id();
    move(id, ExecutionStatus.CANCELLED, Append.signal("c"));
    FeedCursor end = repositories().feed().read(Optional.empty(), 10).next().orElseThrow();
    committed(repositories().feed().cursors().insert(RegisteredCursor.of("c", end)));
    rewrite(Key.of(RecordTypes.FEED_CURSOR, "c"), newer("entity version"));

    assertThatThrownBy(() -> repositories().events().purge(id, 2, false))
        .isInstanceOf(UnsupportedVersion.class);
    assertThat(repositories().events().read(id, 1, 10).items())
        .extracting(WorkflowEvent::sequence)
        .containsExactly(1L, 2L);
  }
}
