/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.EventsTruncated;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.LostRace;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import java.util.Map;

/**
 * How the command ends, for scripts. The numbers are documented in {@code docs/cli.md} and never
 * change; this is the only place where a failure of the library becomes one.
 */
enum ExitCode {
  OK(0),
  /** A proof or an operation failed. */
  FAILED(1),
  /** The command line or a setting is wrong. */
  USAGE(2),
  /** The store cannot be reached, or was not migrated. */
  UNAVAILABLE(3),
  /** The store, or something in it, was written by a newer version. */
  NEWER_VERSION(4),
  /** What was asked for is not there. */
  NOT_FOUND(5),
  /** Stored data is damaged. */
  DAMAGED(6),
  /** What was asked for was there once and was purged. */
  PURGED(7),
  /** The caller may not do this. */
  DENIED(8),
  /** A defect of the command itself. */
  DEFECT(70);

  private static final Map<Class<?>, ExitCode> BY_FAILURE =
      Map.ofEntries(
          Map.entry(InvalidInput.class, USAGE),
          Map.entry(IllegalTransition.class, FAILED),
          Map.entry(AccessDenied.class, DENIED),
          Map.entry(UnsupportedVersion.class, NEWER_VERSION),
          Map.entry(BrokenHistory.class, DAMAGED),
          Map.entry(EventsTruncated.class, PURGED),
          Map.entry(FeedTruncated.class, PURGED),
          Map.entry(LostRace.class, FAILED),
          Map.entry(Unavailable.class, UNAVAILABLE),
          Map.entry(UnknownKey.class, UNAVAILABLE),
          Map.entry(OutcomeUnknown.class, FAILED),
          Map.entry(Rejected.class, FAILED),
          Map.entry(Corrupt.class, DAMAGED));

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** What the shell sees. */
  int number() {
    return number;
  }

  /** Every failure of the library that has a code. */
  static Map<Class<?>, ExitCode> mapped() {
    return BY_FAILURE;
  }

  /** The code a failure ends the command with. */
  static ExitCode of(Throwable failure) {
    if (failure instanceof CommandFailure own) {
      return own.exitCode();
    }
    return BY_FAILURE.getOrDefault(failure.getClass(), DEFECT);
  }
}
