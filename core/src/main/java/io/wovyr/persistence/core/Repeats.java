/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

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

  /** The answer this unit of work got before; empty when any part of it is new. */
  Optional<Committed> of(StagedUnitOfWork work) {
    if (work.edits().isEmpty() && work.creations().isEmpty()) {
      return Optional.empty();
    }
    List<Committed> parts = new ArrayList<>();
    for (Creation creation : work.creations()) {
      Optional<Committed> part = of(creation);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    for (ExecutionEdit edit : work.edits()) {
      Optional<Committed> part = of(edit);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return together(parts).flatMap(found -> withPlain(found, work));
  }

  /**
   * With what is there now of the plain records. They were written with the events that were
   * recognised, or these were told alone before: then this unit of work is a new one.
   */
  private Optional<Committed> withPlain(Committed found, StagedUnitOfWork work) {
    List<Object> records = new ArrayList<>(found.records());
    List<Key> keys = List.copyOf(work.plain().keySet());
    Iterator<Optional<Row>> rows =
        keys.isEmpty() ? Collections.emptyIterator() : engine.read(scope, keys).iterator();
    for (StagedUnitOfWork.Plain change : work.plain().values()) {
      Optional<Row> stored = rows.next();
      if (!isReached(change, stored)) {
        return Optional.empty();
      }
      stored.ifPresent(row -> records.add(RecordMappers.of(row.type()).fromRow(row)));
    }
    return Optional.of(new Committed(found.commitId(), records));
  }

  /** Whether a record is where a change would have led it, or further. */
  private static boolean isReached(StagedUnitOfWork.Plain change, Optional<Row> stored) {
    Row after = change.after();
    return after == null
        ? stored.isEmpty()
        : stored.isPresent() && stored.get().version() >= after.version();
  }

  /** Several parts were committed together, or they are not this unit of work. */
  private static Optional<Committed> together(List<Committed> parts) {
    if (parts.stream().map(Committed::commitId).distinct().count() != 1) {
      return Optional.empty();
    }
    return Optional.of(
        new Committed(
            parts.get(0).commitId(),
            parts.stream().flatMap(part -> part.records().stream()).toList()));
  }

  private Optional<Committed> of(ExecutionEdit edit) {
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

  /** All events of one commit from a sequence on, and no more of it. */
  private Optional<Committed> at(ExecutionEdit edit, long sequence, boolean idRequired) {
    int count = edit.drafts().size();
    List<Key> keys =
        LongStream.rangeClosed(sequence, sequence + count)
            .mapToObj(number -> Key.of(RecordTypes.EVENT, edit.executionId(), number))
            .toList();
    List<Optional<WorkflowEvent>> stored =
        engine.read(scope, keys).stream()
            .map(row -> row.map(RecordMappers.of(WorkflowEvent.class)::fromRow))
            .toList();
    if (stored.get(0).isEmpty()) {
      return Optional.empty();
    }
    UUID commitId = stored.get(0).get().commitId();
    List<Object> records = new ArrayList<>();
    for (int i = 0; i <= count; i++) {
      Optional<WorkflowEvent> event =
          stored.get(i).filter(found -> found.commitId().equals(commitId));
      boolean expected = i < count;
      if (event.isPresent() != expected) {
        return Optional.empty();
      }
      if (expected) {
        if (!edit.drafts().get(i).isSameAs(event.get(), engine.sealer(), idRequired)) {
          return Optional.empty();
        }
        records.add(event.get());
      }
    }
    addCurrent(edit.executionId(), edit.after().isPresent(), records);
    return Optional.of(new Committed(commitId, records));
  }

  private Optional<Committed> of(Creation creation) {
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
