/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import java.util.UUID;
import org.hibernate.envers.RevisionListener;
import org.jspecify.annotations.Nullable;

/**
 * Tells Envers, which asks on the thread that writes, what a revision is about. Set for the time of
 * one commit and taken away whatever happens; a revision without it is refused. Thread-safe.
 */
public final class RevisionContext implements RevisionListener, AutoCloseable {
  private static final ThreadLocal<@Nullable About> ABOUT = new ThreadLocal<>();

  /** For Envers. */
  public RevisionContext() {}

  private record About(long number, String actor, UUID commitId, @Nullable UUID correlationId) {}

  /** What the revisions of this thread are about until the answer is closed. */
  public static RevisionContext of(
      long number, String actor, UUID commitId, @Nullable UUID correlationId) {
    ABOUT.set(new About(number, actor, commitId, correlationId));
    return new RevisionContext();
  }

  @Override
  public void newRevision(Object revision) {
    About about = ABOUT.get();
    if (about == null) {
      throw new IllegalStateException("audited records are written by commits only");
    }
    RevisionEntity entity = (RevisionEntity) revision;
    entity.rev = about.number;
    entity.actor = about.actor;
    entity.commitId = about.commitId;
    entity.correlationId = about.correlationId;
  }

  @Override
  public void close() {
    ABOUT.remove();
  }
}
