/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Failures;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's result codes mean for a caller, and what to do about them. Thread-safe. */
final class SqliteErrors implements Failures {
  private final Path path;

  SqliteErrors(Path path) {
    this.path = path;
  }

  /** SQLite's result code, extended; 0 when the error is the driver's own. */
  private static int code(SQLException e) {
    return e instanceof SQLiteException found ? found.getResultCode().code : e.getErrorCode();
  }

  /** The primary result code: the lower byte of the extended one. */
  private static int primary(SQLException e) {
    return code(e) & 0xff;
  }

  @Override
  public boolean taken(SQLException e) {
    int code = code(e);
    return code == SQLiteErrorCode.SQLITE_CONSTRAINT_PRIMARYKEY.code
        || code == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE.code
        || code == SQLiteErrorCode.SQLITE_CONSTRAINT_ROWID.code;
  }

  /** Another process holds the lock: trying again is worth it. */
  static boolean busy(SQLException e) {
    int primary = primary(e);
    return primary == SQLiteErrorCode.SQLITE_BUSY.code
        || primary == SQLiteErrorCode.SQLITE_LOCKED.code;
  }

  /** What broke a read, or a write before its COMMIT: nothing was written. */
  StorageFailure beforeCommit(SQLException e) {
    return switch (SQLiteErrorCode.getErrorCode(primary(e))) {
      case SQLITE_FULL -> full(e);
      case SQLITE_READONLY ->
          unavailable(
              e,
              "is read-only for this process: check the permissions of the file and its directory,"
                  + " and how the disk is mounted");
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          unavailable(
              e, "cannot be opened: check that the file and its directory may be read and written");
      case SQLITE_IOERR ->
          unavailable(
              e,
              "has an input/output error: check the disk, and that it is not full (a process that"
                  + " opens the store needs some space, even to read), then retry");
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          unavailable(
              e, "was locked by another process until the deadline: retry, or give more time");
      case SQLITE_INTERRUPT, SQLITE_ABORT ->
          unavailable(e, "did not answer by the deadline: retry, or give more time");
      case SQLITE_NOMEM -> unavailable(e, "ran out of memory: give the process more");
      case SQLITE_CORRUPT, SQLITE_FORMAT ->
          new Corrupt(message(e, "is damaged: stop writing, copy it, and restore a backup"), e);
      case SQLITE_NOTADB ->
          new Corrupt(message(e, "is not a SQLite database: check wovyr.storage.path"), e);
      case SQLITE_TOOBIG -> new Rejected(message(e, "cannot hold a value that large"), e);
      case SQLITE_CONSTRAINT -> new Rejected(message(e, "refused the row: a rule of its table"), e);
      default -> unavailable(e, "answered with an error nobody expected: see the cause");
    };
  }

  /** What broke COMMIT itself. Only an input/output error leaves open whether it happened. */
  StorageFailure atCommit(SQLException e) {
    SQLiteErrorCode primary = SQLiteErrorCode.getErrorCode(primary(e));
    return switch (primary) {
      case SQLITE_FULL -> full(e);
      case SQLITE_BUSY, SQLITE_CONSTRAINT, SQLITE_INTERRUPT -> beforeCommit(e);
      default ->
          new OutcomeUnknown(
              message(
                  e, "failed while committing: the outcome is not known; submit the same again"),
              e);
    };
  }

  private Unavailable full(SQLException e) {
    return unavailable(
        e, "cannot grow: the disk is full. Nothing was written; free space, then retry");
  }

  private Unavailable unavailable(SQLException e, String what) {
    return new Unavailable(message(e, what), e);
  }

  private String message(SQLException e, String what) {
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(code(e));
    return "the SQLite store " + path + " " + what + " (" + code.name() + ")";
  }
}
