/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import java.util.Optional;
import java.util.UUID;

/**
 * Manifests of checkpoints of one tenant and their marks. Thread-safe. It neither makes nor reads
 * the bytes of a checkpoint.
 *
 * @since 0.1
 */
public interface CheckpointRecords {
  /**
   * Stores a manifest as it is told: nothing in it is compared with the execution or with any
   * bytes, and no head points to it. A conflict when the execution has one with this cursor, kind
   * and generation already. Its header is filled in.
   */
  Change add(WorkflowCheckpoint manifest);

  /** The manifest of this checkpoint. */
  Optional<WorkflowCheckpoint> find(UUID checkpointId);

  /**
   * The newest valid one: of the highest cursor, then generation; a full one before others. One
   * whose manifest cannot be read here is passed over with a warning: from an older checkpoint, or
   * none, the same state is replayed from more events.
   */
  Optional<WorkflowCheckpoint> latest(UUID executionId);

  /** The manifests of an execution, highest cursor first. */
  Page<WorkflowCheckpoint> list(UUID executionId, int limit, Optional<String> after);

  /** The mark of a checkpoint; empty: valid and not pinned. */
  Optional<CheckpointMark> mark(UUID executionId, UUID checkpointId);

  /**
   * Why a checkpoint is invalid, of the mark as it was read; empty: it is valid. A reason that was
   * stored in clear, before reasons were sealed, is told as it is.
   *
   * @throws PersistenceException.UnknownKey when its data key is not known here
   * @throws PersistenceException.Corrupt when it is damaged, or was sealed for another record
   */
  Optional<String> reason(CheckpointMark mark);

  /** Why a checkpoint is wanted; empty: it is not pinned. As {@link #reason} otherwise. */
  Optional<String> pinReason(CheckpointMark mark);

  /**
   * Says that recovery must not use it.
   *
   * @param reason for people, a sensitive value: 1 to 511 characters in one line
   */
  CommitResult invalidate(WorkflowCheckpoint manifest, String reason);

  /**
   * Wants it kept whatever the policy says.
   *
   * @param reason as of {@link #invalidate}
   */
  CommitResult pin(WorkflowCheckpoint manifest, String reason);

  /** Does not want it kept any more. */
  CommitResult unpin(WorkflowCheckpoint manifest);
}
