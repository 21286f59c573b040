/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that travel together: sent at once, answered at once, one round trip. Outside an
 * explicit transaction they are one implicit one, which ends with the trip. Used once, by one
 * thread.
 */
final class Trip {
  /** A transaction that only reads, all of it at one instant. */
  static final String BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

  static final String COMMIT = "COMMIT";

  private final StringBuilder text = new StringBuilder();
  private final List<Binding> bindings = new ArrayList<>();

  /** Binds the parameters of one statement. */
  interface Binding {
    /**
     * @param from index of the first
     * @return the index after the last
     */
    int bind(PreparedStatement statement, int from) throws SQLException;
  }

  Trip settings(TransactionSettings settings, String tenantId, Deadline deadline) {
    settings.before().forEach(this::add);
    return add(
        settings.text(),
        (statement, from) -> TransactionSettings.bind(statement, from, tenantId, deadline));
  }

  /** The end of what {@link #settings} began: the transaction's, or our part of the caller's. */
  Trip end(TransactionSettings settings) {
    if (!settings.isEnlisted()) {
      return add(COMMIT);
    }
    settings.after().forEach(this::add);
    return this;
  }

  Trip add(String statement) {
    return add(statement, (prepared, from) -> from);
  }

  Trip add(String statement, Binding binding) {
    if (!text.isEmpty()) {
      text.append(';');
    }
    text.append(statement);
    bindings.add(binding);
    return this;
  }

  /** Sends all; the results wait to be read in order. */
  Results run(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text.toString());
    try {
      int index = 1;
      for (Binding binding : bindings) {
        index = binding.bind(statement, index);
      }
      return new Results(statement, statement.execute());
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /** The answers, in the order of the statements. */
  static final class Results implements AutoCloseable {
    private final PreparedStatement statement;
    private boolean rows;
    private boolean first = true;

    Results(PreparedStatement statement, boolean rows) {
      this.statement = statement;
      this.rows = rows;
    }

    /** Passes over answers nobody needs. */
    Results skip(int count) throws SQLException {
      for (int i = 0; i < count; i++) {
        advance();
      }
      return this;
    }

    private void advance() throws SQLException {
      if (!first) {
        rows = statement.getMoreResults();
      }
      first = false;
    }

    /** The rows of the next answer. */
    ResultSet next() throws SQLException {
      advance();
      if (!rows) {
        throw new SQLException("the server answered without rows where some were asked for");
      }
      return statement.getResultSet();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
