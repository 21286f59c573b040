/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.core.mapping.CommitMarker;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Tells what became of a commit, for good. When nothing is found a write makes sure that no try
 * still in flight can win: the head's version moves, or the marker is there first, voided.
 * Thread-safe.
 */
final class Outcomes {
  private final Engine engine;

  Outcomes(Engine engine) {
    this.engine = engine;
  }

  /** Looks only: applied for certain, or not seen (yet). */
  boolean witnessed(Scope scope, Reference reference) {
    return engine
        .read(scope, reference.witness())
        .map(row -> carries(row, reference))
        .orElse(false);
  }

  /**
   * Settles a commit.
   *
   * @throws Unavailable the store cannot be asked now
   */
  Resolution settle(Scope scope, Reference reference, String actor, Deadline deadline) {
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      Optional<Resolution> known =
          reference.isMarker()
              ? throughMarker(scope, reference, actor, deadline)
              : throughEvent(scope, reference, actor, deadline);
      if (known.isPresent()) {
        return known.get();
      }
      if (!engine.pause(backoff, deadline)) {
        throw new Unavailable(
            "the outcome of commit " + reference.commitId() + " could not be settled in time",
            null);
      }
    }
  }

  private Optional<Resolution> throughMarker(
      Scope scope, Reference reference, String actor, Deadline deadline) {
    long epoch = engine.epoch();
    Optional<Row> marker = engine.read(scope, reference.witness());
    if (marker.isPresent()) {
      return Optional.of(
          carries(marker.get(), reference) ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
    }
    Instant born = Instant.ofEpochMilli(reference.commitId().getMostSignificantBits() >>> 16);
    if (born.plus(engine.settings().markerTtl().dividedBy(2)).isBefore(engine.now())) {
      return Optional.of(Resolution.UNDECIDED);
    }
    Mutation voided = new Mutation.Insert(markerRow(scope, reference.commitId(), actor, true));
    return committed(scope, voided, epoch, deadline)
        ? Optional.of(Resolution.NEVER_APPLIED)
        : Optional.empty();
  }

  private Optional<Resolution> throughEvent(
      Scope scope, Reference reference, String actor, Deadline deadline) {
    long epoch = engine.epoch();
    Key headKey = Key.of(RecordTypes.HEAD, reference.executionId());
    List<Optional<Row>> rows = engine.read(scope, List.of(headKey, reference.witness()));
    if (rows.get(1).isPresent()) {
      return Optional.of(
          carries(rows.get(1).get(), reference) ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
    }
    if (rows.get(0).isEmpty()) {
      return Optional.of(Resolution.UNDECIDED);
    }
    Row head = rows.get(0).get();
    if ((Long) FencedRows.require(head, "lowWaterMark") > reference.sequence()) {
      return Optional.of(Resolution.UNDECIDED);
    }
    if ((Long) FencedRows.require(head, "lastSequence") >= reference.sequence()) {
      return Optional.empty();
    }
    Row bumped = head.with(head.header().next(engine.now(), actor));
    return committed(scope, new Mutation.Update(head, bumped), epoch, deadline)
        ? Optional.of(Resolution.NEVER_APPLIED)
        : Optional.empty();
  }

  /** False when it did not apply or is not known: look again, which is always safe here. */
  private boolean committed(Scope scope, Mutation mutation, long epoch, Deadline deadline) {
    Batch batch =
        new Batch(Engine.newId(), epoch, scope, Optional.empty(), List.of(mutation), List.of());
    try {
      return engine.storage().commit(batch, deadline) instanceof CommitOutcome.Committed;
    } catch (Unavailable | OutcomeUnknown e) {
      return false;
    }
  }

  private static boolean carries(Row witness, Reference reference) {
    return witness.type() == RecordTypes.COMMIT_MARKER
        ? !Boolean.TRUE.equals(witness.get("voided"))
        : reference.commitId().equals(witness.get("commitId"));
  }

  /** The marker of a commit, or (voided) of one that shall never be. */
  Row markerRow(Scope scope, UUID commitId, String actor, boolean voided) {
    Instant expiresAt = engine.now().plus(engine.settings().markerTtl());
    CommitMarker marker =
        new CommitMarker(
            engine.newHeader(Engine.newId(), scope, actor, RecordTypes.COMMIT_MARKER),
            commitId,
            voided,
            expiresAt);
    Row row = RecordMappers.of(CommitMarker.class).toRow(marker);
    return engine.hasStoreClock()
        ? row.with(
            "expiresAt", new StoreTime(engine.settings().markerTtl(), java.time.Duration.ZERO))
        : row;
  }
}
