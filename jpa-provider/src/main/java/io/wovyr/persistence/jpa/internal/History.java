/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.jpa.entity.RevisionContext;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the history says of a batch that changes audited records. */
public final class History {
  private History() {}

  /** True when the batch leaves a revision. */
  public static boolean isChangedBy(Batch batch) {
    return batch.mutations().stream().anyMatch(History::isAudited);
  }

  private static boolean isAudited(Mutation mutation) {
    return Tables.audited(mutation.key().type());
  }

  /**
   * Tells whoever writes the history on this thread about the batch, until the answer is closed.
   *
   * @param number of the revision: no other has it
   */
  public static RevisionContext revision(Batch batch, long number) {
    return RevisionContext.of(number, actor(batch), batch.commitId(), correlationId(batch));
  }

  private static String actor(Batch batch) {
    Mutation first =
        batch.mutations().stream().filter(History::isAudited).findFirst().orElseThrow();
    Row row =
        first instanceof Mutation.Insert insert
            ? insert.after()
            : first instanceof Mutation.Update update
                ? update.after()
                : ((Mutation.Delete) first).before();
    return row.header().updatedBy();
  }

  /** What the change belongs to, as its first event says. */
  private static @Nullable UUID correlationId(Batch batch) {
    return batch.mutations().stream()
        .filter(mutation -> mutation.key().type() == RecordTypes.EVENT)
        .filter(Mutation.Insert.class::isInstance)
        .map(mutation -> ((Mutation.Insert) mutation).after().get("correlationId"))
        .filter(UUID.class::isInstance)
        .map(UUID.class::cast)
        .findFirst()
        .orElse(null);
  }
}
