/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Failures;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL's SQLSTATEs mean for a caller, and what to do about them. Thread-safe. */
final class PostgresqlErrors implements Failures {
  private static final String READ_ONLY = "25006";
  private static final String RIGHT_MISSING = "42501";

  private static final Set<String> SCHEMA_MISSING = Set.of("42P01", "42883", "42703", "3F000");

  private final String role;
  private final String place;
  private final boolean passwordMissing;
  private final boolean userMissing;
  private final String limit;
  private final String readOnlyAdvice;
  private final String unreachable;

  /**
   * @param access whose connections fail, for messages
   */
  PostgresqlErrors(Access access) {
    this.role = access.role();
    this.place = access.place();
    this.passwordMissing = access.hasNoPassword();
    this.userMissing = access.hasNoUser();
    this.limit = access.limit();
    this.readOnlyAdvice =
        "is read-only: nothing was written. If it is a standby, name the primary, or all servers,"
            + " in "
            + access.toCheck()
            + "; else turn default_transaction_read_only off";
    this.unreachable =
        "cannot be reached: check "
            + access.toCheck()
            + ", the server, its certificate and the network";
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }

  @Override
  public boolean taken(SQLException e) {
    return state(e).equals("23505");
  }

  /** Told while connecting, and nothing that passes while one waits. */
  boolean refused(SQLException e) {
    return e instanceof SetupFailure || lasting(state(e));
  }

  /** Whether somebody has to change something before the server answers otherwise. */
  private boolean lasting(String state) {
    return state.startsWith("28")
        || state.equals("3D000")
        || state.equals(RIGHT_MISSING)
        || SCHEMA_MISSING.contains(state)
        || (state.equals("08004") && passwordMissing);
  }

  /** Driver or server said it, and not what stands before them. */
  static boolean isAnswered(SQLException e) {
    return ServerAnswer.isOfDriver(e);
  }

  /** The role may not do this. */
  static boolean rightMissing(SQLException e) {
    return state(e).equals(RIGHT_MISSING);
  }

  /** No schema, or none that the role may see: to migrate it would have to. */
  static boolean schemaMissing(SQLException e) {
    return SCHEMA_MISSING.contains(state(e));
  }

  /** Said of a server that would refuse to write. */
  String readOnly() {
    return "the PostgreSQL server " + place + " " + readOnlyAdvice;
  }

  /** Lost against another transaction in a way that the same try may win next time. */
  static boolean transientConflict(SQLException e) {
    return state(e).equals("40001") || state(e).equals("40P01");
  }

  /**
   * True when the connection broke or the server went away, so that what was sent may have been
   * done: everything that is not an answer of the server to a statement.
   */
  static boolean connectionLost(SQLException e) {
    Optional<ServerAnswer> answer = ServerAnswer.of(e);
    if (answer.isEmpty()) {
      return !state(e).startsWith("22") && !state(e).startsWith("42");
    }
    String state = state(e);
    return state.startsWith("08")
        || state.equals("40003")
        || state.startsWith("57P")
        || state.equals("25P03")
        || state.equals("25P04")
        || "FATAL".equals(answer.get().severity())
        || "PANIC".equals(answer.get().severity());
  }

  /** What broke a read, or a write before anything could be committed: nothing was written. */
  PersistenceException beforeCommit(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SetupFailure setup) {
        return setup.failure();
      }
    }
    String state = state(e);
    if (state.startsWith("XX")) {
      return new Corrupt(
          message(e, "reports damaged data: stop writing, copy it, and restore a backup"), e);
    }
    if (state.startsWith("22") || state.startsWith("23") || state.equals("54000")) {
      return new Rejected(message(e, "refused the row: a rule of its table"), e);
    }
    String message = message(e, what(state));
    return lasting(state) ? Unavailable.lasting(message, e) : new Unavailable(message, e);
  }

  private String what(String state) {
    return switch (state) {
      case "55P03" -> "keeps a row locked for another transaction until the deadline: retry";
      case "57014" -> "did not answer by the deadline: retry, or give more time";
      case READ_ONLY -> readOnlyAdvice;
      case "28P01", "28000" ->
          "refused the login of the %s role: check its user and password%s"
              .formatted(role, beside() ? " (%suser, %spassword)".formatted(own(), own()) : "");
      case "3D000" -> "has no such database: create it, then run " + Access.migrateAt(place);
      case "08004" ->
          passwordMissing
              ? "asks for the password of the %s role, and no password was given: give %s%s"
                  .formatted(
                      role,
                      beside() ? own() + "password" : "wovyr.storage.password (--password)",
                      userMissing ? "; no user was named either (--user)" : "")
              : unreachable;
      case "42P01", "42883", "42703", "3F000" ->
          "lacks the store's schema, or this role may not see it: run " + Access.migrateAt(place);
      case RIGHT_MISSING ->
          "refused the login of the %s role a right it needs: run %s under the migration role, make the login a member of its role, and let it CONNECT to the database"
              .formatted(role, Access.migrateAt(place));
      case "25P02" ->
          "answers nothing more in this transaction, in which an earlier statement failed: roll it"
              + " back";
      case "53300" -> "has no connection left: lower " + limit + " or raise its limit";
      case "53100" -> "has a full disk: nothing was written; free space, then retry";
      case "57P01", "57P02", "57P03" -> "is starting or shutting down: retry";
      default ->
          state.startsWith("08") || state.isEmpty()
              ? unreachable
              : state.startsWith("40")
                  ? "could not order this transaction among others until the deadline: retry"
                  : "answered with an error: see the cause";
    };
  }

  /** Whether it has a login of its own beside the one that the command line names. */
  private boolean beside() {
    return role.equals("system") || role.equals("purge");
  }

  /** How the settings of such a login begin. */
  private String own() {
    return "wovyr.storage." + role + "-";
  }

  /** What broke the trip that also commits. */
  PersistenceException atCommit(SQLException e) {
    return connectionLost(e)
        ? new OutcomeUnknown(
            message(
                e, "went away while committing: the outcome is not known; submit the same again"),
            e)
        : beforeCommit(e);
  }

  private String message(SQLException e, String what) {
    String state = state(e);
    // What the driver says of a connection names certificates and addresses, what the server says
    // of a right names a table or function: never values.
    boolean harmless = state.startsWith("08") || rightMissing(e);
    String detail = harmless ? ": " + said(e) : "";
    return "the PostgreSQL server "
        + place
        + " "
        + what
        + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")")
        + detail;
  }

  /** The server's or driver's own words, where they cannot hold values. */
  static @Nullable String said(SQLException e) {
    if (e.getCause() instanceof UnknownHostException unknown) {
      return "unknown host " + unknown.getMessage();
    }
    return ServerAnswer.of(e).map(ServerAnswer::message).orElseGet(e::getMessage);
  }
}
