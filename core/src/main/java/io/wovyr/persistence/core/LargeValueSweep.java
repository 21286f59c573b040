/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.core.mapping.LargeValue.Status;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Removes one large value that expired. First it is marked, which the commit that would publish it
 * does not survive; then its chunks go, and at last the value itself: killed anywhere, the next
 * sweep finds it again and goes on. Used once.
 */
final class LargeValueSweep {
  private static final int PAGE = 8;

  private final Engine engine;
  private final Scope scope;
  private final String actor;

  LargeValueSweep(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
  }

  /** False when it was published, or taken by another, in between. */
  boolean remove(Row found) {
    if (LargeValues.isPublished(found)) {
      return false;
    }
    Row value = found;
    if (!Status.REMOVING.name().equals(found.get("status"))) {
      Mutation.Update mark = engine.largeValues().beginRemoval(found, actor);
      if (!committed(List.of(mark))) {
        return false;
      }
      value = mark.after();
    }
    return removeChunks((UUID) value.key().values().get(0))
        && committed(List.of(new Mutation.Delete(value)));
  }

  /** False when another sweep was in between, which then goes on. */
  private boolean removeChunks(UUID valueId) {
    Scan chunks = Scan.byKey(RecordTypes.CHUNK, List.of(valueId), PAGE);
    Page<Row> page = engine.scan(scope, chunks);
    while (!page.items().isEmpty()) {
      List<Mutation> deletes = page.items().stream().<Mutation>map(Mutation.Delete::new).toList();
      if (!committed(deletes)) {
        return false;
      }
      page = engine.scan(scope, chunks);
    }
    return true;
  }

  private boolean committed(List<Mutation> mutations) {
    Batch batch =
        new Batch(Engine.newId(), engine.epoch(), scope, Optional.empty(), mutations, List.of());
    return engine.storage().commit(batch, engine.commitDeadline())
        instanceof CommitOutcome.Committed;
  }
}
