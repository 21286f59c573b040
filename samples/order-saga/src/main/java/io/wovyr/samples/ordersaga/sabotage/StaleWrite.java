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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store that lets an older image win, as one does that compares no versions: right after a commit
 * that closes an execution, the head as it was before is written over it. Once per process.
 */
final class StaleWrite extends SingleCommits {
  private final AtomicBoolean done = new AtomicBoolean();

  StaleWrite(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    CommitOutcome outcome = super.commit(batch, deadline);
    Optional<Mutation.Update> head = BatchParts.update(batch, RecordTypes.HEAD);
    if (outcome instanceof CommitOutcome.Committed
        && head.isPresent()
        && BatchParts.isClosing(head.get())
        && done.compareAndSet(false, true)) {
      overwrite(batch, head.get(), deadline);
    }
    return outcome;
  }

  private void overwrite(Batch batch, Mutation.Update head, Deadline deadline) {
    Key key = head.key();
    Row now =
        delegate()
            .read(batch.scope(), List.of(key), ReadOptions.strong(deadline))
            .get(0)
            .orElseThrow(() -> new IllegalStateException(key + " is gone"));
    Mutation stale = new Mutation.Update(now, BatchParts.after(now, head.before()));
    super.commit(
        new Batch(
            UUID.randomUUID(),
            batch.epoch(),
            batch.scope(),
            Optional.empty(),
            List.of(stale),
            List.of()),
        deadline);
  }
}
