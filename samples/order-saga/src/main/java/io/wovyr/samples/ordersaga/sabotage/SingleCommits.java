/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;

/**
 * A storage in front of another one, for decorators that change single commits: all commits go
 * through {@link #commit(Batch, Deadline)} one by one. As thread-safe as the one behind.
 */
public abstract class SingleCommits extends ForwardingStorage {
  /** In front of this one, which is closed with it. */
  protected SingleCommits(Storage behind) {
    super(behind);
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    return delegate().commit(batch, deadline);
  }

  @Override
  public final List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (Batch batch : batches) {
      outcomes.add(commit(batch, deadline));
    }
    return outcomes;
  }
}
