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
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Once leaves the entry of a compensation stack out of a commit, and answers that all was written.
 */
final class DropRecord extends SingleCommits {
  private final AtomicBoolean done = new AtomicBoolean();

  DropRecord(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    Optional<Mutation> pushed =
        batch.mutations().stream()
            .filter(mutation -> mutation.key().type() == RecordTypes.COMPENSATION)
            .filter(Mutation.Insert.class::isInstance)
            .findFirst();
    if (pushed.isEmpty() || !done.compareAndSet(false, true)) {
      return super.commit(batch, deadline);
    }
    List<Mutation> kept = new ArrayList<>(batch.mutations());
    kept.remove(pushed.get());
    CommitOutcome outcome = super.commit(BatchParts.with(batch, kept), deadline);
    if (outcome instanceof CommitOutcome.Conflict) {
      done.set(false);
    }
    return outcome;
  }
}
