/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.persistence.jpa.entity.RevisionContext;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the history of one store says of batches that change audited records. Thread-safe. */
public final class History {
  private volatile @Nullable SealingProvider sealing;

  /** A history whose revisions are in clear until {@link #sealBy} is called. */
  public History() {}

  /** From now on revisions are sealed by this. */
  public void sealBy(SealingProvider provider) {
    sealing = provider;
  }

  /**
   * Has the tenant's key ready when the batch leaves a revision. To be called before anything is
   * locked: the first value of a tenant makes its data key, by a commit of its own.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is no key now; nothing
   *     was written
   */
  public void prepare(Batch batch) {
    if (sealing != null && isChangedBy(batch)) {
      ColumnEncryption encryption = encryption(batch);
      if (encryption != null) {
        encryption.prepare();
      }
    }
  }

  private @Nullable ColumnEncryption encryption(Batch batch) {
    SealingProvider provider = sealing;
    String tenantId = batch.scope().tenantId();
    return provider == null ? null : ColumnEncryption.with(provider, () -> tenantId);
  }

  /** True when the batch leaves a revision. */
  public static boolean isChangedBy(Batch batch) {
    for (Mutation mutation : batch.mutations()) {
      if (isAudited(mutation)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAudited(Mutation mutation) {
    return Tables.audited(mutation.key().type());
  }

  /**
   * Tells whoever writes the history on this thread about the batch, until the answer is closed.
   *
   * @param number of the revision: no other has it
   */
  public RevisionContext revision(Batch batch, long number) {
    return RevisionContext.writing(
        new RevisionContext.About(
            number, actor(batch), batch.client(), batch.commitId(), correlationId(batch)),
        encryption(batch));
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
