/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.FaultPlan;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What all contracts have in common: a store, processes that use it, and a tenant that no other
 * test has.
 */
public abstract class RepositoryContract {
  /** Long enough never to run out while a test runs; ended by {@link #pass}. */
  protected static final Duration TTL = Duration.ofSeconds(40);

  protected static final DefinitionRef ORDER = DefinitionRef.of("order", 1);
  protected static final Duration SOON = Duration.ofSeconds(20);

  private final TestStore.Factory stores;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private TestTime time = new TestTime();
  private TestStore store;
  private Node node;
  private String tenant;

  protected RepositoryContract(TestStore.Factory stores) {
    this.stores = stores;
  }

  @BeforeEach
  final void openStore() {
    time = new TestTime();
    store = stores.create(time);
    opened.add(store);
    tenant = "tenant-" + UUID.randomUUID();
    node = newNode();
  }

  @AfterEach
  final void closeAll() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    opened.clear();
  }

  /** Another process, with a right clock and short delays between tries. */
  protected final Node newNode() {
    return newNode(Duration.ZERO, Map.of());
  }

  /** Another process, its wall clock wrong by so much. */
  protected final Node newNode(Duration skew, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("wovyr.retry.cap", "PT0.05S"));
    all.putAll(settings);
    return newNode(time.wrongBy(skew), all);
  }

  /** Another process with this wall clock. */
  protected final Node newNode(InstantSource wall) {
    return newNode(wall, Map.of());
  }

  private Node newNode(InstantSource wall, Map<String, String> settings) {
    return newNode(wall, settings, FaultPlan.none());
  }

  /** Another process whose writes fail by this plan. */
  protected final Node newNode(FaultPlan faults) {
    return newNode(faults, Map.of());
  }

  /** As {@link #newNode(FaultPlan)}, with these settings. */
  protected final Node newNode(FaultPlan faults, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("wovyr.retry.cap", "PT0.02S"));
    all.putAll(settings);
    return newNode(time::now, all, faults);
  }

  private Node newNode(InstantSource wall, Map<String, String> settings, FaultPlan faults) {
    Node another = new Node(store.open(), wall, time, settings, faults);
    opened.add(another);
    return another;
  }

  /** A process on another store. */
  protected final Node newNodeOfAnotherStore() {
    TestStore another = stores.create(time);
    opened.add(another);
    Node there = new Node(another.open(), time::now, time, Map.of(), FaultPlan.none());
    opened.add(there);
    return there;
  }

  /** The process most tests need. */
  protected final Node node() {
    return node;
  }

  protected final TestTime time() {
    return time;
  }

  protected final String tenant() {
    return tenant;
  }

  /** The test's tenant, in the first process. */
  protected final Repositories repositories() {
    return node.as(tenant);
  }

  /** Lets time go by, for the store and all processes. */
  protected final void pass(Duration duration) {
    time.jump(duration);
    store.passTime(duration);
  }

  /** A handle past the repositories, to seed what they would never write. */
  protected final Storage rawStorage() {
    Storage raw = store.open();
    opened.add(raw);
    return raw;
  }

  protected final Scope scope() {
    return Scope.tenant(tenant);
  }

  protected final Row rawRow(Key key) {
    return rawStorage()
        .read(scope(), List.of(key), ReadOptions.strong(Deadline.after(SOON)))
        .get(0)
        .orElseThrow();
  }

  protected final void rawCommit(Mutation... mutations) {
    Storage raw = rawStorage();
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            raw.identity().epoch(),
            scope(),
            Optional.empty(),
            List.of(mutations),
            List.of());
    assertThat(raw.commit(batch, Deadline.after(SOON))).isInstanceOf(CommitOutcome.Committed.class);
  }

  /** Puts another sealed value in the place of one, past the repositories. */
  protected final void rawReplace(Key key, String attribute, UnaryOperator<StoredPayload> change) {
    Row row = rawRow(key);
    StoredPayload stored = (StoredPayload) Objects.requireNonNull(row.get(attribute));
    Row changed = row.with(attribute, change.apply(stored));
    rawCommit(
        new Mutation.Update(
            row, changed.with(row.header().next(row.header().updatedAt(), "past the library"))));
  }

  /** What a record is rewritten as, so that it cannot be read here. */
  protected enum Unreadable {
    /** Written by a newer version. */
    NEWER(UnsupportedVersion.class),
    DAMAGED(Corrupt.class);

    private final Class<? extends PersistenceException> problem;

    Unreadable(Class<? extends PersistenceException> problem) {
      this.problem = problem;
    }

    /** Refuses a call, naming the record. */
    final void refuses(ThrowingCallable call, Key key) {
      assertThatThrownBy(call).isInstanceOf(problem).hasMessageContaining(key.toString());
    }

    private int entityVersion(Row row) {
      return this == NEWER ? row.type().entityVersion() + 1 : 0;
    }
  }

  /** Makes a record unreadable, past the repositories. */
  protected final void rawSpoil(Key key, Unreadable how) {
    Row row = rawRow(key);
    rawCommit(new Mutation.Update(row, spoiled(row, how)));
  }

  protected static Row spoiled(Row row, Unreadable how) {
    RecordHeader old = row.header();
    return row.with(
        new RecordHeader(
            old.id(),
            old.tenantId(),
            old.version() + 1,
            old.createdAt(),
            old.updatedAt(),
            "past the library",
            old.schemaVersion(),
            how.entityVersion(row),
            old.serializationVersion(),
            Bytes.EMPTY));
  }

  /** Stores a copy of a record under another key, past the repositories. */
  protected final void rawCopy(Key from, Key to) {
    Row row = rawRow(from);
    RecordHeader old = row.header();
    RecordHeader header =
        new RecordHeader(
            UUID.randomUUID(),
            old.tenantId(),
            1,
            old.createdAt(),
            old.updatedAt(),
            "past the library",
            old.schemaVersion(),
            old.entityVersion(),
            old.serializationVersion(),
            old.extra());
    rawCommit(new Mutation.Insert(new Row(to, header, row.values())));
  }

  /** The same value as if it were sealed under a data key that is nowhere any more. */
  protected static StoredPayload underALostKey(StoredPayload stored) {
    return new StoredPayload(
        stored.contentType(),
        1,
        stored.compression(),
        Optional.of("lost-key"),
        stored.commitment(),
        stored.length(),
        stored.body());
  }

  // What tests do all the time.

  protected static Committed committed(CommitResult result) {
    assertThat(result).isInstanceOf(Committed.class);
    return (Committed) result;
  }

  protected static Conflict conflict(CommitResult result, Reason reason) {
    assertThat(result).isInstanceOf(Conflict.class);
    assertThat(((Conflict) result).has(reason)).as("%s in %s", reason, result).isTrue();
    return (Conflict) result;
  }

  protected final WorkflowExecution newExecution() {
    return newExecution(repositories());
  }

  protected static WorkflowExecution newExecution(Repositories repositories) {
    return only(
        committed(repositories.executions().create(NewExecution.of(ORDER))),
        WorkflowExecution.class);
  }

  protected static <T> T only(Committed committed, Class<T> type) {
    List<T> found = committed.records(type);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  protected final Lease acquire(UUID executionId) {
    return acquire(repositories(), executionId, "worker-1");
  }

  protected static Lease acquire(Repositories repositories, UUID executionId, String worker) {
    AcquireResult result = repositories.leases().acquire(executionId, worker, TTL);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return ((AcquireResult.Acquired) result).lease();
  }

  /**
   * Takes over from a holder that is gone: without a store clock the first look only begins to
   * watch.
   */
  protected final Lease takeOver(Repositories repositories, UUID executionId, String worker) {
    if (repositories.leases().acquire(executionId, worker, TTL)
        instanceof AcquireResult.Acquired acquired) {
      return acquired.lease();
    }
    pass(TTL.plusSeconds(1));
    return acquire(repositories, executionId, worker);
  }

  /** An execution that runs, under a lease. */
  protected final Lease running(UUID executionId) {
    Lease lease = acquire(executionId);
    move(executionId, ExecutionStatus.RUNNING, Append.next(lease));
    return lease;
  }

  protected final WorkflowExecution move(UUID executionId, ExecutionStatus to, Append mode) {
    WorkflowExecution before = execution(executionId);
    return only(
        committed(repositories().executions().transition(before, Transition.to(to), mode)),
        WorkflowExecution.class);
  }

  protected final WorkflowExecution execution(UUID executionId) {
    return repositories().executions().find(executionId).orElseThrow();
  }

  protected final ExecutionHead head(UUID executionId) {
    return repositories().executions().head(executionId).orElseThrow();
  }

  protected static NewEvent event(String type) {
    return NewEvent.of(type);
  }

  protected static NewEvent put(String key, String value) {
    return NewEvent.of("Put").put(Section.VARIABLES, key, Payload.text(value));
  }

  /**
   * An event that fits into no record: so many values that are each too small for a place apart.
   */
  protected final NewEvent tooLarge(String text) {
    NewEvent event = NewEvent.of("TooLarge");
    Random random = new Random(1);
    int count = node.probe().limits().recordBytes() / 1_500 + 1;
    for (int i = 0; i < count; i++) {
      byte[] noise = new byte[1_500]; // Stays as long as it is when it is compressed.
      random.nextBytes(noise);
      String value = text + Base64.getEncoder().encodeToString(noise);
      event = event.put(Section.VARIABLES, "v" + i, Payload.text(value));
    }
    return event;
  }

  /** All events, read page by page; ends at the last one the head knows. */
  protected final List<WorkflowEvent> history(UUID executionId) {
    List<WorkflowEvent> events = new ArrayList<>();
    Optional<String> next = Optional.of("1");
    while (next.isPresent()) {
      Page<WorkflowEvent> page =
          repositories().events().read(executionId, Long.parseLong(next.get()), 50);
      events.addAll(page.items());
      next = page.next();
    }
    assertThat(events).hasSize((int) head(executionId).lastSequence());
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).sequence()).isEqualTo(i + 1);
    }
    return events;
  }

  protected final List<String> types(UUID executionId) {
    return history(executionId).stream().map(WorkflowEvent::type).toList();
  }

  /** The text a state has under a variable. */
  protected final Optional<String> variable(UUID executionId, String key) {
    return repositories()
        .executions()
        .state(executionId)
        .get(Section.VARIABLES, key)
        .map(leaf -> repositories().open(leaf).content().utf8());
  }

  /** Ids of this test's tenant that are due, soonest first. */
  protected final List<UUID> due() {
    List<Due> ofAll = node.persistence().system("contract").due(1_000);
    assertThat(ofAll).as("what other tests left must not hide this one's").hasSizeLessThan(1_000);
    return ofAll.stream()
        .filter(due -> due.tenantId().equals(tenant))
        .map(Due::executionId)
        .toList();
  }

  protected final boolean isDue(UUID id) {
    return due().contains(id);
  }
}
