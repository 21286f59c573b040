/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Root of everything this library throws on purpose. A lost race is never an exception but an
 * answer ({@link CommitResult.Conflict}); what is thrown is bad input, a broken store, or data that
 * must not be used. Messages carry identifiers and what to do next, never payloads or secrets.
 *
 * @since 0.1
 */
public abstract sealed class PersistenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PersistenceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The caller's input is wrong; nothing was written. Retrying the same call fails the same way.
   */
  public static final class InvalidInput extends PersistenceException {
    private static final long serialVersionUID = 1L;

    public InvalidInput(String message) {
      super(message, null);
    }
  }

  /** The lifecycle does not allow this transition; nothing was written. */
  public static final class IllegalTransition extends PersistenceException {
    private static final long serialVersionUID = 1L;

    public IllegalTransition(String message) {
      super(message, null);
    }
  }

  /** The caller's roles do not allow this; nothing was read or written. */
  public static final class AccessDenied extends PersistenceException {
    private static final long serialVersionUID = 1L;

    public AccessDenied(String message) {
      super(message, null);
    }
  }

  /**
   * A stored record, payload or store is newer than this node can read. It was left as it is; a
   * node of the newer version reads it. Retrying on this node fails the same way.
   */
  public static final class UnsupportedVersion extends PersistenceException {
    private static final long serialVersionUID = 1L;

    public UnsupportedVersion(String message) {
      super(message, null);
    }
  }

  /**
   * The history of one execution has a gap or a duplicate. No state is returned, since any would be
   * a guess; other executions stay readable.
   */
  public static final class BrokenHistory extends PersistenceException {
    private static final long serialVersionUID = 1L;
    private final UUID executionId;
    private final long sequence;

    public BrokenHistory(UUID executionId, long sequence, String what) {
      super("history of execution " + executionId + ": " + what + " " + sequence, null);
      this.executionId = executionId;
      this.sequence = sequence;
    }

    /** The execution whose history is broken. */
    public UUID executionId() {
      return executionId;
    }

    /** The first sequence number that is missing or doubled. */
    public long sequence() {
      return sequence;
    }
  }

  /** The events asked for were purged: the execution keeps them from {@link #lowWaterMark()} on. */
  public static final class EventsTruncated extends PersistenceException {
    private static final long serialVersionUID = 1L;
    private final long lowWaterMark;

    public EventsTruncated(UUID executionId, long lowWaterMark) {
      super(
          "events of execution " + executionId + " before " + lowWaterMark + " were purged", null);
      this.lowWaterMark = lowWaterMark;
    }

    /** First sequence the execution still keeps. */
    public long lowWaterMark() {
      return lowWaterMark;
    }
  }

  /** The feed was purged beyond this cursor: begin again from a copy of the data. */
  public static final class FeedTruncated extends PersistenceException {
    private static final long serialVersionUID = 1L;

    public FeedTruncated(String message) {
      super(message, null);
    }
  }

  /** Thrown by {@link CommitResult#orThrow()} for those who treat a lost race as an error. */
  public static final class LostRace extends PersistenceException {
    private static final long serialVersionUID = 1L;
    private final transient CommitResult.Conflict conflict;

    public LostRace(CommitResult.Conflict conflict) {
      super("nothing was written: " + conflict.describe(), null);
      this.conflict = conflict;
    }

    /** What lost. */
    public CommitResult.Conflict conflict() {
      return conflict;
    }
  }

  /**
   * The store failed. The leaf says what is known about the write, which is what a caller needs to
   * act on.
   */
  public abstract static sealed class StorageFailure extends PersistenceException {
    private static final long serialVersionUID = 1L;

    StorageFailure(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Nothing was written: retry is safe. Mostly the cause passes; where it is {@linkplain
   * #isLasting() lasting}, somebody has to change something first.
   */
  public static final class Unavailable extends StorageFailure {
    private static final long serialVersionUID = 1L;
    private final boolean lasting;

    public Unavailable(String message, @Nullable Throwable cause) {
      this(message, cause, false);
    }

    private Unavailable(String message, @Nullable Throwable cause, boolean lasting) {
      super(message, cause);
      this.lasting = lasting;
    }

    /** One that waiting does not help: a setting, a right or the store has to be changed. */
    public static Unavailable lasting(String message, @Nullable Throwable cause) {
      return new Unavailable(message, cause, true);
    }

    /**
     * Whether it stays until a setting, a right or the store is changed, so that nobody should wait
     * and try again by itself; a login that is refused, say.
     */
    public boolean isLasting() {
      return lasting;
    }
  }

  /**
   * The batch may or may not have been written. Between storage and core this asks for a
   * resubmission of the identical batch; a caller sees it only when the deadline came first, and
   * asks {@link Repositories#outcome(CommitReference)} later.
   */
  public static final class OutcomeUnknown extends StorageFailure {
    private static final long serialVersionUID = 1L;
    private final @Nullable String reference;

    public OutcomeUnknown(String message, @Nullable Throwable cause) {
      super(message, cause);
      this.reference = null;
    }

    public OutcomeUnknown(String message, CommitReference reference, @Nullable Throwable cause) {
      super(message, cause);
      this.reference = reference.token();
    }

    /**
     * What to ask about later; empty on the way from the storage to core, and for a lease that was
     * to be acquired, assigned or freed: acquire again, its record tells.
     */
    public Optional<CommitReference> reference() {
      return Optional.ofNullable(reference).map(CommitReference::new);
    }
  }

  /** This input will never be stored (too large, a limit of the store); nothing was written. */
  public static final class Rejected extends StorageFailure {
    private static final long serialVersionUID = 1L;

    public Rejected(String message) {
      super(message, null);
    }

    public Rejected(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Stored bytes fail their checksum, tag or shape. The record is set aside, never deleted. */
  public static final class Corrupt extends StorageFailure {
    private static final long serialVersionUID = 1L;

    public Corrupt(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * A value is sealed under a key that is not here: it was destroyed on purpose, or the keystore
   * does not belong to this store. The stored bytes are left as they are and open again when the
   * key is back; until then a retry fails the same way.
   */
  public static final class UnknownKey extends StorageFailure {
    private static final long serialVersionUID = 1L;
    private final String keyId;

    public UnknownKey(String keyId, String message) {
      super(message, null);
      this.keyId = keyId;
    }

    /** Names the missing key, never contains one. */
    public String keyId() {
      return keyId;
    }
  }
}
