/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Recognises what was committed before: an append at its sequence, a signal by its dedupe key, a
 * creation by its id; each with the same content. Thread-safe.
 */
final class Repeats {
  private final Engine engine;
  private final Scope scope;

  Repeats(Engine engine, Scope scope) {
    this.engine = engine;
    this.scope = scope;
  }

  Optional<Committed> of(ExecutionEdit edit) {
    if (edit.drafts().isEmpty()) {
      return Optional.empty();
    }
    if (edit.mode() instanceof Append.Sequence sequence) {
      return at(edit, sequence.last() + 1, true);
    }
    if (edit.dedupeKey().isEmpty()) {
      return Optional.empty();
    }
    List<Object> entry = List.of(edit.executionId(), edit.dedupeKey().get());
    Optional<Row> first =
        engine.reading(
            options ->
                engine.storage().readUnique(scope, RecordTypes.EVENT, "dedupe", entry, options));
    return first.flatMap(row -> at(edit, (Long) row.key().values().get(1), false));
  }

  private Optional<Committed> at(ExecutionEdit edit, long sequence, boolean idRequired) {
    int count = edit.drafts().size();
    Scan scan =
        Scan.byKey(RecordTypes.EVENT, List.of(edit.executionId()), count)
            .from(sequence)
            .to(sequence + count);
    Page<Row> page = engine.reading(options -> engine.storage().scan(scope, scan, options));
    if (page.items().size() != count) {
      return Optional.empty();
    }
    RecordMapper<WorkflowEvent> mapper = RecordMappers.of(WorkflowEvent.class);
    List<Object> records = new ArrayList<>();
    UUID commitId = null;
    for (int i = 0; i < count; i++) {
      WorkflowEvent stored = mapper.fromRow(page.items().get(i));
      boolean sameCommit = commitId == null || commitId.equals(stored.commitId());
      if (!sameCommit || !edit.drafts().get(i).isSameAs(stored, engine.sealer(), idRequired)) {
        return Optional.empty();
      }
      commitId = stored.commitId();
      records.add(stored);
    }
    if (commitId == null) {
      return Optional.empty();
    }
    addCurrent(edit.executionId(), edit.after().isPresent(), records);
    return Optional.of(new Committed(commitId, records));
  }

  Optional<Committed> of(Creation creation) {
    if (creation.plain().id().isEmpty()) {
      return Optional.empty();
    }
    Optional<WorkflowExecution> stored =
        engine
            .read(scope, Key.of(RecordTypes.EXECUTION, creation.id()))
            .map(RecordMappers.of(WorkflowExecution.class)::fromRow)
            .filter(execution -> creation.isSameAs(execution, engine.sealer()));
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    List<Object> records = new ArrayList<>();
    addCurrent(creation.id(), true, records);
    UUID commitId =
        engine
            .read(scope, Key.of(RecordTypes.EVENT, creation.id(), 1L))
            .map(row -> (UUID) FencedRows.require(row, "commitId"))
            .orElseGet(() -> stored.get().id());
    return Optional.of(new Committed(commitId, records));
  }

  private void addCurrent(UUID executionId, boolean withExecution, List<Object> records) {
    if (withExecution) {
      engine
          .read(scope, Key.of(RecordTypes.EXECUTION, executionId))
          .map(RecordMappers.of(WorkflowExecution.class)::fromRow)
          .ifPresent(records::add);
    }
    engine
        .read(scope, Key.of(RecordTypes.HEAD, executionId))
        .map(RecordMappers.of(ExecutionHead.class)::fromRow)
        .ifPresent(records::add);
  }
}
