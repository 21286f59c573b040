/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.Lease;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * A store behind a DataSource of a container, with a table of an application's own beside it: every
 * transaction writes a row of that table and takes a durable step. Thread-safe; each work is used
 * by one thread.
 */
final class EnlistGround implements AutoCloseable {
  private static final String ORDERS =
      "CREATE TABLE bench_order (id uuid PRIMARY KEY, execution_id uuid NOT NULL)";
  private static final String ORDER = "INSERT INTO bench_order (id, execution_id) VALUES (?, ?)";

  private static final String HEAD =
      "SELECT version, last_sequence, renewals FROM execution_head WHERE execution_id = ?";

  private final Container container;
  private final DataSource dataSource;
  private final TransactionManager transactions;
  private final PostgresqlGround ground;
  private final long epoch;
  private final String step;

  /** Who takes the step, and in which words. */
  enum Way {
    FLOOR("floor (JDBC by hand)"),
    ENLISTED("repositories, enlisted");

    private final String column;

    Way(String column) {
      this.column = column;
    }

    String column() {
      return column;
    }
  }

  private EnlistGround(Container container, DataSource dataSource, PostgresqlGround ground)
      throws SQLException {
    this.container = container;
    this.dataSource = dataSource;
    this.transactions = container.transactions();
    this.ground = ground;
    Ground.Identity identity = ground.identity();
    this.epoch = identity.epoch();
    this.step = PostgresqlFloor.step(identity);
  }

  /** In a new database. */
  static EnlistGround of(PostgresqlStore store, Path directory)
      throws SQLException, NamingException {
    Container container = new Container(directory);
    boolean made = false;
    try {
      PostgresqlGround ground = store.newGround(container, ORDERS);
      EnlistGround opened =
          new EnlistGround(container, container.bound(PostgresqlStore.RUNTIME_NAME), ground);
      made = true;
      return opened;
    } finally {
      if (!made) {
        container.close();
      }
    }
  }

  PostgresqlGround ground() {
    return ground;
  }

  /** An execution of its own, and what is done with it again and again. */
  Session.Work work(Way way) throws SQLException {
    return work(way, ground.create());
  }

  Session.Work work(Way way, Ground.Held held) throws SQLException {
    Inside step = way == Way.FLOOR ? byHand(held) : enlisted(held);
    return () -> {
      transactions.begin();
      boolean done = false;
      try {
        order(held.id());
        step.take();
        done = true;
      } finally {
        if (done) {
          transactions.commit();
        } else {
          transactions.rollback();
        }
      }
    };
  }

  /** A step inside of a transaction that somebody else began and ends. */
  private interface Inside {
    void take() throws SQLException;
  }

  private Inside enlisted(Ground.Held held) {
    UUID id = held.id();
    Lease lease = held.lease();
    return () ->
        ground.repositories().events().append(id, Append.next(lease), Step.event(id)).orThrow();
  }

  private Inside byHand(Ground.Held held) throws SQLException {
    FloorHead head;
    try (Connection connection = ground.administrator();
        PreparedStatement statement = connection.prepareStatement(HEAD)) {
      statement.setObject(1, held.id());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        head = new FloorHead(held.id(), held.lease().token(), row);
      }
    }
    return () -> {
      try (Connection connection = dataSource.getConnection();
          PreparedStatement statement = connection.prepareStatement(step)) {
        head.bindStep(statement, epoch);
        head.done(PostgresqlFloor.written(statement), 1);
      }
    };
  }

  private void order(UUID execution) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(ORDER)) {
      statement.setObject(1, UUID.randomUUID());
      statement.setObject(2, execution);
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    try {
      ground.close();
    } finally {
      container.close();
    }
  }
}
