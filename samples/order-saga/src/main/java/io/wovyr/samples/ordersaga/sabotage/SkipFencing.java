/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store without a fence: a batch of events that is refused because a newer token has overtaken
 * its own is put on top of whatever is there now, and answered as committed.
 */
final class SkipFencing extends SingleCommits {
  private static final int TRIES = 100;

  SkipFencing(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    CommitOutcome outcome = super.commit(batch, deadline);
    for (int i = 0; i < TRIES && outcome instanceof CommitOutcome.Conflict; i++) {
      Optional<Batch> rebased = rebaseIfStale(batch, deadline);
      if (rebased.isEmpty()) {
        return outcome;
      }
      outcome = super.commit(rebased.get(), deadline);
    }
    return outcome;
  }

  private Optional<Batch> rebaseIfStale(Batch batch, Deadline deadline) {
    Optional<Mutation.Update> update = BatchParts.update(batch, RecordTypes.HEAD);
    List<Row> events = BatchParts.events(batch);
    if (update.isEmpty() || events.isEmpty()) {
      return Optional.empty();
    }
    Row head = read(batch, update.get().key(), deadline);
    if (BatchParts.number(head, "fencingToken")
        <= BatchParts.number(events.get(0), "fencingToken")) {
      return Optional.empty();
    }
    return Optional.of(rebase(batch, head, events, deadline));
  }

  private Batch rebase(Batch batch, Row head, List<Row> events, Deadline deadline) {
    long last = BatchParts.number(head, "lastSequence");
    Row moved = head.with("lastSequence", last + events.size());
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(new Mutation.Update(head, BatchParts.after(head, moved)));
    for (Row event : events) {
      last++;
      mutations.add(new Mutation.Insert(BatchParts.at(event, last)));
    }
    BatchParts.update(batch, RecordTypes.EXECUTION)
        .ifPresent(
            execution -> {
              Row now = read(batch, execution.key(), deadline);
              mutations.add(new Mutation.Update(now, BatchParts.after(now, execution.after())));
            });
    return BatchParts.with(batch, mutations);
  }

  private Row read(Batch batch, Key key, Deadline deadline) {
    return delegate()
        .read(batch.scope(), List.of(key), ReadOptions.strong(deadline))
        .get(0)
        .orElseThrow(() -> new IllegalStateException(key + " is gone"));
  }
}
