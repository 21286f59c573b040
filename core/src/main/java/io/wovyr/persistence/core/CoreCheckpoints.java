/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.checkpoint.CheckpointKind;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.checkpoint.CheckpointValidity;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Manifests of checkpoints of one tenant. Thread-safe. */
final class CoreCheckpoints implements CheckpointRecords {
  private static final int PAGE = 50;
  private static final int MAX_REASON = 511;
  private static final String REASON = "sealedReason";
  private static final String PIN_REASON = "sealedPinReason";

  private final TenantAccess access;

  CoreCheckpoints(TenantAccess access) {
    this.access = access;
  }

  @Override
  public Change add(WorkflowCheckpoint manifest) {
    access.require(Permission.WORK);
    return access.change(unit -> unit.insertRecord(manifest));
  }

  @Override
  public Optional<WorkflowCheckpoint> find(UUID checkpointId) {
    access.require(Permission.READ);
    return access
        .engine()
        .reading(
            options ->
                access
                    .engine()
                    .storage()
                    .readUnique(
                        access.scope(),
                        RecordTypes.CHECKPOINT,
                        "checkpoint_id",
                        List.of(checkpointId),
                        options))
        .map(RecordMappers.of(WorkflowCheckpoint.class)::fromRow);
  }

  @Override
  public Optional<WorkflowCheckpoint> latest(UUID executionId) {
    Optional<WorkflowCheckpoint> best = Optional.empty();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowCheckpoint> page = list(executionId, PAGE, next);
      for (WorkflowCheckpoint candidate : page.items()) {
        if (best.isPresent() && !samePlace(best.get(), candidate)) {
          return best;
        }
        if (isValid(candidate) && (best.isEmpty() || candidate.kind() == CheckpointKind.FULL)) {
          best = Optional.of(candidate);
        }
      }
      next = page.next();
    } while (next.isPresent());
    return best;
  }

  private static boolean samePlace(WorkflowCheckpoint one, WorkflowCheckpoint other) {
    return one.eventCursor() == other.eventCursor() && one.generation() == other.generation();
  }

  private boolean isValid(WorkflowCheckpoint manifest) {
    return mark(manifest.executionId(), manifest.checkpointId())
        .map(mark -> mark.validity() == CheckpointValidity.VALID)
        .orElse(true);
  }

  @Override
  public Page<WorkflowCheckpoint> list(UUID executionId, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        WorkflowCheckpoint.class,
        Scan.byKey(RecordTypes.CHECKPOINT, List.of(executionId), limit).descending().after(after));
  }

  @Override
  public Optional<CheckpointMark> mark(UUID executionId, UUID checkpointId) {
    access.require(Permission.READ);
    return access.find(CheckpointMark.class, executionId, checkpointId);
  }

  @Override
  public Optional<String> reason(CheckpointMark mark) {
    return opened(mark, REASON, mark.sealedReason()).or(mark::reason);
  }

  @Override
  public Optional<String> pinReason(CheckpointMark mark) {
    return opened(mark, PIN_REASON, mark.sealedPinReason()).or(mark::pinReason);
  }

  private Optional<String> opened(
      CheckpointMark mark, String attribute, Optional<StoredPayload> stored) {
    return access
        .open(key(mark), mark.header(), attribute, stored)
        .map(reason -> reason.content().utf8());
  }

  @Override
  public CommitResult invalidate(WorkflowCheckpoint manifest, String reason) {
    access.require(Permission.WORK);
    Inputs.name("reason", reason, MAX_REASON);
    return marked(
        manifest,
        mark ->
            new CheckpointMark(
                mark.header(),
                mark.executionId(),
                mark.checkpointId(),
                CheckpointValidity.INVALID,
                Optional.of(reason),
                mark.pinnedBy(),
                mark.pinReason(),
                Optional.empty(),
                mark.sealedPinReason()));
  }

  @Override
  public CommitResult pin(WorkflowCheckpoint manifest, String reason) {
    access.require(Permission.OPERATE);
    Inputs.name("reason", reason, MAX_REASON);
    return marked(manifest, mark -> pinned(mark, Optional.of(access.actor()), Optional.of(reason)));
  }

  @Override
  public CommitResult unpin(WorkflowCheckpoint manifest) {
    access.require(Permission.OPERATE);
    return marked(manifest, mark -> pinned(mark, Optional.empty(), Optional.empty()));
  }

  private static CheckpointMark pinned(
      CheckpointMark mark, Optional<String> by, Optional<String> reason) {
    return new CheckpointMark(
        mark.header(),
        mark.executionId(),
        mark.checkpointId(),
        mark.validity(),
        mark.reason(),
        by,
        reason,
        mark.sealedReason(),
        Optional.empty());
  }

  /** What a mark says in clear, whether it was just given or is of an older version, is sealed. */
  private CheckpointMark sealed(CheckpointMark mark) {
    return new CheckpointMark(
        mark.header(),
        mark.executionId(),
        mark.checkpointId(),
        mark.validity(),
        Optional.empty(),
        mark.pinnedBy(),
        Optional.empty(),
        sealed(mark, REASON, mark.reason()).or(mark::sealedReason),
        sealed(mark, PIN_REASON, mark.pinReason()).or(mark::sealedPinReason));
  }

  private Optional<StoredPayload> sealed(
      CheckpointMark mark, String attribute, Optional<String> reason) {
    return access.seal(key(mark), mark.header(), attribute, reason.map(Payload::text));
  }

  private static Key key(CheckpointMark mark) {
    return Key.of(RecordTypes.CHECKPOINT_MARK, mark.executionId(), mark.checkpointId());
  }

  private CommitResult marked(
      WorkflowCheckpoint manifest, java.util.function.UnaryOperator<CheckpointMark> change) {
    Optional<CheckpointMark> before = mark(manifest.executionId(), manifest.checkpointId());
    if (before.isPresent()) {
      return access.unit().updateRecord(before.get(), sealed(change.apply(before.get()))).commit();
    }
    CheckpointMark unmarked =
        new CheckpointMark(
            TenantAccess.unsavedHeader(),
            manifest.executionId(),
            manifest.checkpointId(),
            CheckpointValidity.VALID,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return access.unit().insertRecord(sealed(change.apply(unmarked))).commit();
  }
}
