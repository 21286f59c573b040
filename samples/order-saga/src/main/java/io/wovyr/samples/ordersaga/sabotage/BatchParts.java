/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.List;
import java.util.Optional;

/** Looks into batches and builds changed ones. */
final class BatchParts {
  private BatchParts() {}

  /** The events a batch inserts, in sequence order. */
  static List<Row> events(Batch batch) {
    return batch.mutations().stream()
        .filter(mutation -> mutation.key().type() == RecordTypes.EVENT)
        .map(mutation -> ((Mutation.Insert) mutation).after())
        .toList();
  }

  /** The one update of a record of this type; empty when there is none. */
  static Optional<Mutation.Update> update(Batch batch, RecordType type) {
    return batch.mutations().stream()
        .filter(mutation -> mutation.key().type() == type)
        .filter(Mutation.Update.class::isInstance)
        .map(Mutation.Update.class::cast)
        .findFirst();
  }

  /** The same batch with other mutations; its witness is its first event. */
  static Batch with(Batch batch, List<Mutation> mutations) {
    Optional<Key> witness =
        mutations.stream()
            .map(Mutation::key)
            .filter(key -> key.type() == RecordTypes.EVENT)
            .findFirst();
    return new Batch(
        batch.commitId(), batch.epoch(), batch.scope(), witness, mutations, batch.checks());
  }

  /** An event row at another place of its execution. */
  static Row at(Row event, long sequence) {
    Key key = Key.of(RecordTypes.EVENT, event.key().values().get(0), sequence);
    return new Row(key, event.header(), event.values());
  }

  /** A row as the next version of another one. */
  static Row after(Row before, Row values) {
    return values.with(before.header().next(values.header().updatedAt(), "sabotage"));
  }

  static long number(Row row, String attribute) {
    Object value = row.get(attribute);
    if (value instanceof Long number) {
      return number;
    }
    throw new IllegalStateException(row + " has no " + attribute);
  }

  static boolean isClosing(Mutation.Update head) {
    return Boolean.TRUE.equals(head.after().get("closed"));
  }
}
