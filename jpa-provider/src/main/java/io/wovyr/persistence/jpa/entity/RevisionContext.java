/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.persistence.PersistenceException.Unavailable;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.envers.RevisionListener;
import org.jspecify.annotations.Nullable;

/**
 * Tells Envers, which asks on the thread that writes, what a revision is about, and its converters
 * which store they work for: all stores of a kind share one session factory. Set for the time of
 * one commit, or one reading, and taken away whatever happens; a revision without it is refused.
 * Thread-safe.
 */
public final class RevisionContext implements RevisionListener, AutoCloseable {
  private static final ThreadLocal<@Nullable About> ABOUT = new ThreadLocal<>();
  private static final ThreadLocal<@Nullable ColumnEncryption> ENCRYPTION = new ThreadLocal<>();

  /** For Envers. */
  public RevisionContext() {}

  /**
   * What a revision says.
   *
   * @param number of the revision: no other has it
   */
  public record About(
      long number,
      String actor,
      Optional<String> client,
      UUID commitId,
      @Nullable UUID correlationId) {}

  /**
   * What the revisions of this thread are about until the answer is closed.
   *
   * @param encryption of the store; null: actor and client are kept in clear
   */
  public static RevisionContext writing(About about, @Nullable ColumnEncryption encryption) {
    ABOUT.set(about);
    ENCRYPTION.set(encryption);
    return new RevisionContext();
  }

  /** What this thread reads revisions with until the answer is closed. */
  public static RevisionContext reading(ColumnEncryption encryption) {
    ENCRYPTION.set(encryption);
    return new RevisionContext();
  }

  /** For the converters. */
  static ColumnEncryption encryption() {
    ColumnEncryption encryption = ENCRYPTION.get();
    if (encryption == null) {
      throw new Unavailable(
          "a sealed revision is read, and this store was not told what seals its values", null);
    }
    return encryption;
  }

  @Override
  public void newRevision(Object revision) {
    About about = ABOUT.get();
    if (about == null) {
      throw new IllegalStateException("audited records are written by commits only");
    }
    RevisionEntity entity = (RevisionEntity) revision;
    entity.rev = about.number;
    entity.commitId = about.commitId;
    entity.correlationId = about.correlationId;
    if (ENCRYPTION.get() == null) {
      entity.actor = about.actor;
      entity.client = about.client.orElse(null);
    } else {
      entity.actor = "";
      entity.sealedActor = about.actor;
      entity.sealedClient = about.client.orElse(null);
    }
  }

  @Override
  public void close() {
    ABOUT.remove();
    ENCRYPTION.remove();
  }
}
