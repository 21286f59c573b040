/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Batch.VersionIs;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One try of a unit of work as a batch, on top of given heads. Rebuilding it on other heads is a
 * new try under a new commit id; what is sealed stays as it is.
 */
final class BatchPlan {
  private static final RecordMapper<ExecutionHead> HEADS = RecordMappers.of(ExecutionHead.class);

  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final StagedUnitOfWork work;
  private final long epoch;
  private final UUID commitId = Engine.newId();
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<Object> records = new ArrayList<>();
  private final Map<UUID, Row> headsAfter = new LinkedHashMap<>();
  private final LargeRows large;
  private final Map<UUID, Key> replaced = new LinkedHashMap<>();
  private final List<Row> published = new ArrayList<>();
  private @Nullable Key witness;

  BatchPlan(
      Engine engine,
      Scope scope,
      String actor,
      StagedUnitOfWork work,
      long epoch,
      Map<UUID, Row> heads) {
    this.engine = engine;
    this.epoch = epoch;
    this.scope = scope;
    this.actor = actor;
    this.work = work;
    this.large = new LargeRows(engine, scope, actor);
    for (ExecutionEdit edit : work.edits()) {
      Row head = heads.get(edit.executionId());
      if (head == null) {
        throw new IllegalStateException("no head of execution " + edit.executionId());
      }
      change(edit, head);
    }
    work.creations().forEach(this::create);
    work.plain().values().forEach(this::plain);
    if (witness == null) {
      witness = Reference.markerKey(commitId);
      mutations.add(
          new Mutation.Insert(engine.outcomes().markerRow(scope, commitId, actor, false)));
    }
  }

  /** Whether values are too large for their records. */
  boolean hasLargeValues() {
    return !large.staged().isEmpty();
  }

  /**
   * Writes the values that are too large for their records. Nobody sees them before the batch is
   * sent, which publishes them; when it never is, they expire.
   *
   * @param joined the JTA transaction that the batch becomes part of
   */
  void writeLargeValues(Optional<JoinedTransaction> joined, Deadline deadline) {
    LargeValues values = engine.largeValues();
    for (LargeValues.Staged value : large.staged()) {
      values.write(scope, actor, value, deadline);
      Mutation.Update publication = values.publish(value, actor);
      mutations.add(publication);
      published.add(publication.after());
    }
    mutations.addAll(
        values.abandon(
            scope, actor, replaced, id -> joined.flatMap(here -> here.published(scope, id))));
  }

  /** Lets go of what was written for a batch that was not applied and never will be. */
  void discardLargeValues() {
    large.staged().forEach(value -> engine.largeValues().discard(scope, actor, value));
  }

  /** The large values that the batch publishes, as they are then. */
  List<Row> published() {
    return published;
  }

  UUID commitId() {
    return commitId;
  }

  Reference reference() {
    return new Reference(
        scope.tenantId(), commitId, java.util.Objects.requireNonNull(witness, "witness"));
  }

  Map<UUID, Row> headsAfter() {
    return headsAfter;
  }

  Batch batch() {
    List<VersionIs> checks = new ArrayList<>(work.checks().size());
    work.checks().forEach((key, version) -> checks.add(new VersionIs(key, version)));
    return new Batch(
        commitId, epoch, scope, Optional.ofNullable(witness), mutations, checks, work.client());
  }

  /** Every record, with the heads as stored. */
  List<Object> records(Collection<Row> heads) {
    List<Object> all = new ArrayList<>(records.size() + heads.size());
    all.addAll(records);
    for (Row head : heads) {
      all.add(HEADS.fromRow(head));
    }
    return all;
  }

  private void create(Creation creation) {
    insert(creation.execution(), WorkflowExecution.class);
    Row head = RecordMappers.of(ExecutionHead.class).toRow(creation.head());
    if (engine.hasStoreClock()) {
      head = HeadRows.dueNow(new RowEdit(head), engine).build(head.header());
    }
    mutations.add(new Mutation.Insert(head));
    headsAfter.put(creation.id(), head);
    insert(
        creation.created().at(engine, scope, actor, creation.id(), 1, 0, commitId),
        WorkflowEvent.class);
  }

  private <T> void insert(T entity, Class<T> type) {
    RecordMapper<T> mapper = RecordMappers.of(type);
    Row row = mapper.toRow(entity);
    Optional<Row> smaller = large.smaller(row);
    mutations.add(new Mutation.Insert(smaller.orElse(row)));
    records.add(smaller.map(mapper::fromRow).orElse(entity));
  }

  private void plain(StagedUnitOfWork.Plain change) {
    Row before = change.before();
    Row whole = change.after();
    Row after = whole == null ? null : large.smaller(whole).orElse(whole);
    Mutation mutation = new StagedUnitOfWork.Plain(before, after).mutation();
    mutations.add(mutation);
    LargeRows.replaced(before, after).forEach(id -> replaced.put(id, mutation.key()));
    if (after != null) {
      records.add(java.util.Objects.requireNonNull(RecordMappers.of(after.type()).fromRow(after)));
    }
  }

  private void change(ExecutionEdit edit, Row before) {
    Row after = head(edit, before).build(before.header().next(engine.now(), actor));
    List<String> guards = edit.lease().isPresent() ? FencedRows.ownerGuards(engine) : List.of();
    mutations.add(new Mutation.Update(before, after, guards, List.of()));
    headsAfter.put(edit.executionId(), after);
    long sequence = lastSequence(before);
    long token = edit.lease().map(HeldLease::token).orElse(0L);
    for (EventDraft draft : edit.drafts()) {
      sequence++;
      WorkflowEvent event =
          draft.at(engine, scope, actor, edit.executionId(), sequence, token, commitId);
      insert(event, WorkflowEvent.class);
      if (witness == null) {
        witness = Key.of(RecordTypes.EVENT, edit.executionId(), sequence);
      }
    }
    if (edit.after().isPresent()) {
      RecordMapper<WorkflowExecution> mapper = RecordMappers.of(WorkflowExecution.class);
      Row row = mapper.toRow(edit.after().get());
      Optional<Row> smaller = large.smaller(row);
      mutations.add(
          new Mutation.Update(mapper.toRow(edit.before().orElseThrow()), smaller.orElse(row)));
      records.add(smaller.map(mapper::fromRow).orElse(edit.after().get()));
    }
  }

  private RowEdit head(ExecutionEdit edit, Row before) {
    RowEdit head = new RowEdit(before);
    head.set("lastSequence", lastSequence(before) + edit.drafts().size());
    edit.after()
        .ifPresent(
            after ->
                head.set("paused", after.pausedFrom().isPresent())
                    .set("closed", after.status().isFinal()));
    edit.lease().ifPresent(lease -> renew(edit, head, lease));
    if (edit.closes() || edit.release().isPresent()) {
      FencedRows.free(head);
    }
    if (edit.release().isPresent()) {
      HeadRows.dueAt(head, engine, wake(edit, edit.release().get()));
    } else if (edit.lease().isPresent() && !edit.closes()) {
      HeadRows.dueAfterExpiry(head, engine, edit.lease().get().ttl());
    } else if (head.get("owner") == null || before.get("dueAt") == null) {
      HeadRows.dueNow(head, engine);
    } else if (HeadRows.isHidden(head)) {
      head.set("dueAt", null);
    }
    return head;
  }

  /** Who names the last event knows all of them; any other may have missed a signal. */
  private static Wake wake(ExecutionEdit edit, Wake wanted) {
    return edit.mode() instanceof Append.Sequence
        ? wanted
        : edit.lease().map(lease -> lease.wakeAfter(wanted)).orElse(wanted);
  }

  private void renew(ExecutionEdit edit, RowEdit head, HeldLease lease) {
    FencedRows.renew(head, engine, lease.ttl());
    if (!edit.drafts().isEmpty()) {
      head.set("acquisitionsWithoutProgress", 0);
    }
  }

  static long lastSequence(Row head) {
    return (Long) FencedRows.require(head, "lastSequence");
  }
}
