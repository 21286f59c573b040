/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The prepared statements of one connection, the least used closed beyond {@value #MOST}. Texts are
 * meant to be constants, so that looking one up costs no comparison. Not thread-safe, as its
 * connection is not.
 */
public final class StatementCache {
  private static final int MOST = 200;

  private final Connection connection;
  private final LinkedHashMap<String, PreparedStatement> statements =
      new LinkedHashMap<>(64, 0.75f, true);

  public StatementCache(Connection connection) {
    this.connection = connection;
  }

  /** The connection. */
  public Connection connection() {
    return connection;
  }

  /** The statement of this text, ready to be bound. */
  public PreparedStatement get(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null || statement.isClosed()) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
      closeTheOldest();
    }
    return statement;
  }

  private void closeTheOldest() throws SQLException {
    if (statements.size() > MOST) {
      Map.Entry<String, PreparedStatement> oldest = statements.entrySet().iterator().next();
      statements.remove(oldest.getKey());
      oldest.getValue().close();
    }
  }

  /** Forgets a statement that failed: some drivers close it then, some leave it half done. */
  public void discard(String sql) {
    PreparedStatement statement = statements.remove(sql);
    if (statement != null) {
      try {
        statement.close();
      } catch (SQLException e) {
        // It is forgotten either way; the error that made it fail is on its way to the caller.
      }
    }
  }
}
