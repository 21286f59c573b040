/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.core.Sender.Judge;
import io.wovyr.persistence.core.Sender.Sent;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Writes one row that carries a lease and nothing else. Such a batch has no witness: whether it
 * applied is judged by what the row says about owner and token. Thread-safe.
 */
final class LeaseWriter {
  private final Engine engine;
  private final Scope scope;

  LeaseWriter(Engine engine, Scope scope) {
    this.engine = engine;
    this.scope = scope;
  }

  /** What became of the write. */
  sealed interface Written {
    /** The row as stored. */
    record Yes(Row stored) implements Written {}

    /** Somebody else was first. */
    record No(List<Failed> failed) implements Written {}

    /** The lease ran out before it was sent. */
    record NoAuthority() implements Written {}
  }

  /**
   * A change of such a row.
   *
   * @param after the row to be, symbolic values included
   * @param epoch of the store when the row was read
   * @param isOurs whether a row found later shows that this write applied
   */
  record Change(Mutation mutation, Row after, long epoch, Predicate<Row> isOurs) {}

  /**
   * Writes.
   *
   * @param mayWrite asked before each try
   */
  Written write(Change change, BooleanSupplier mayWrite, Deadline deadline) {
    Row after = change.after();
    Batch batch =
        new Batch(
            Engine.newId(),
            change.epoch(),
            scope,
            Optional.empty(),
            List.of(change.mutation()),
            List.of());
    Judge judge =
        new Judge() {
          @Override
          public boolean mayWrite() {
            return mayWrite.getAsBoolean();
          }

          @Override
          public boolean applied(List<Failed> refused, Deadline until) {
            return engine.read(scope, after.key()).filter(change.isOurs()).isPresent();
          }

          @Override
          public Optional<CommitReference> reference() {
            return Optional.empty();
          }
        };
    Sent sent = engine.sender().send(batch, judge, deadline);
    if (sent instanceof Sent.Applied applied) {
      return applied.recognised()
          ? engine
              .read(scope, after.key())
              .<Written>map(Written.Yes::new)
              .orElseGet(() -> new Written.No(List.of()))
          : new Written.Yes(resolve(after, applied.resolved()));
    }
    return sent instanceof Sent.Refused refused
        ? new Written.No(refused.failed())
        : new Written.NoAuthority();
  }

  /** The row with the instants the store decided. */
  static Row resolve(Row row, Map<Key, Map<String, Instant>> resolved) {
    Map<String, Instant> instants = resolved.get(row.key());
    if (instants == null) {
      return row;
    }
    RowEdit edit = new RowEdit(row);
    instants.forEach(edit::set);
    return edit.build(row.header());
  }
}
