/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store that loses an event: of the first commit that holds two or more, the first is left out,
 * and the head counts it all the same. Once per process.
 */
final class DropEvent extends SingleCommits {
  private final AtomicBoolean done = new AtomicBoolean();

  DropEvent(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    List<Row> events = BatchParts.events(batch);
    if (events.size() < 2 || !done.compareAndSet(false, true)) {
      return super.commit(batch, deadline);
    }
    List<Mutation> kept = new ArrayList<>(batch.mutations());
    kept.removeIf(mutation -> mutation.key().equals(events.get(0).key()));
    CommitOutcome outcome = super.commit(BatchParts.with(batch, kept), deadline);
    if (outcome instanceof CommitOutcome.Conflict) {
      done.set(false);
    }
    return outcome;
  }
}
