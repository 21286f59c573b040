/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store that applies an append twice, as a retry after a lost answer does where nothing
 * recognises it: the first event of the first commit that closes an execution is stored once more,
 * after the last one, and the head is moved along. Once per process.
 */
final class AppendTwice extends SingleCommits {
  private final AtomicBoolean done = new AtomicBoolean();

  AppendTwice(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    Optional<Mutation.Update> head = BatchParts.update(batch, RecordTypes.HEAD);
    List<Row> events = BatchParts.events(batch);
    if (events.isEmpty()
        || head.isEmpty()
        || !BatchParts.isClosing(head.get())
        || !done.compareAndSet(false, true)) {
      return super.commit(batch, deadline);
    }
    CommitOutcome outcome = super.commit(twice(batch, head.get(), events), deadline);
    if (outcome instanceof CommitOutcome.Conflict) {
      done.set(false);
    }
    return outcome;
  }

  private static Batch twice(Batch batch, Mutation.Update head, List<Row> events) {
    long next = BatchParts.number(head.after(), "lastSequence") + 1;
    List<Mutation> mutations = new ArrayList<>();
    for (Mutation mutation : batch.mutations()) {
      mutations.add(
          mutation.equals(head)
              ? new Mutation.Update(
                  head.before(),
                  head.after().with("lastSequence", next),
                  head.notExpired(),
                  head.expired())
              : mutation);
    }
    mutations.add(new Mutation.Insert(BatchParts.at(events.get(0), next)));
    return BatchParts.with(batch, mutations);
  }
}
