/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.PersistenceException.LostRace;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The answer to a commit. All cases are ordinary: either everything was written at one instant, or
 * nothing was; and inside a JTA transaction of the caller, on a store that can join it, everything
 * is part of that transaction and written with it.
 *
 * @since 0.1
 */
public sealed interface CommitResult {
  /** True when everything was written, for good. Not for {@link Joined}. */
  default boolean isCommitted() {
    return this instanceof Committed;
  }

  /** True when no condition failed: it was written, or is written with the caller's transaction. */
  default boolean isApplied() {
    return this instanceof Applied;
  }

  /**
   * What was written, or will be with the caller's transaction.
   *
   * @throws LostRace when the commit met a conflict; nothing was written
   */
  default Applied orThrow() {
    if (this instanceof Conflict conflict) {
      throw new LostRace(conflict);
    }
    return (Applied) this;
  }

  /** No condition failed. */
  sealed interface Applied extends CommitResult {
    /** The id under which it is written. */
    UUID commitId();

    /** Every record as stored, new versions and sequence numbers filled in. */
    List<Object> records();

    /** The written records of one type, in the order they were added. */
    default <T> List<T> records(Class<T> type) {
      return records().stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  /**
   * Everything was written, once, whatever happened on the way.
   *
   * @param commitId the id under which it was written
   * @param records every record as stored, new versions and sequence numbers filled in
   */
  record Committed(UUID commitId, List<Object> records) implements Applied {
    public Committed {
      records = List.copyOf(records);
    }
  }

  /**
   * Everything is part of the JTA transaction that the caller is in: it is written when that
   * commits and at the same instant, and gone without a trace when it is rolled back. Until then
   * nobody else sees it, and what others do to the same executions waits. Where it is not known how
   * the transaction ended (a crash), ask {@link Repositories#outcome(CommitReference)} afterwards.
   *
   * @param reference what to ask about
   * @param commitId the id under which it is written
   * @param records every record as it will be stored, new versions and sequence numbers filled in:
   *     what the next commit in the same transaction goes on from
   */
  record Joined(CommitReference reference, UUID commitId, List<Object> records) implements Applied {
    public Joined {
      records = List.copyOf(records);
    }
  }

  /**
   * Nothing was written, finally: no try of this commit can still win.
   *
   * @param failures at least one precondition that did not hold, not necessarily all
   */
  record Conflict(List<Failure> failures) implements CommitResult {
    public Conflict {
      failures = List.copyOf(failures);
    }

    /** True if one of the failures has this reason. */
    public boolean has(Reason reason) {
      return failures.stream().anyMatch(failure -> failure.reason() == reason);
    }

    /** For people: every failure in a few words, no payloads. */
    public String describe() {
      return failures.stream().map(Failure::toString).collect(Collectors.joining("; "));
    }
  }

  /**
   * One precondition that did not hold.
   *
   * @param record type and key, for people
   * @param message what was expected and what was found, no payloads
   */
  record Failure(Reason reason, String record, String message) {
    @Override
    public String toString() {
      return reason + " " + record + ": " + message;
    }
  }

  /** Why a precondition did not hold. */
  enum Reason {
    /** Somebody else changed the record: read it again and decide again. */
    STALE_VERSION,
    /** The record is not there (any more). */
    NOT_FOUND,
    /** A record with this key and other content is already there. */
    ALREADY_EXISTS,
    /** Another record holds this unique key. */
    UNIQUE_KEY_TAKEN,
    /** The expected last sequence is not the last one. */
    WRONG_SEQUENCE,
    /** Another acquisition has a newer fencing token: stop working on this execution. */
    LEASE_LOST,
    /** The lease ran out, even if nobody else took it yet: stop, acquire again, load again. */
    LEASE_EXPIRED,
    /** The execution is finished; nothing can be appended. */
    CLOSED
  }
}
