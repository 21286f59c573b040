/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.jpa.entity.RevisionContext;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * One tenant's rows in one transaction: the lean path for the types it serves, a Hibernate session,
 * opened when the first other type is asked for, for the rest. Not thread-safe.
 */
public final class TenantRecords implements Function<RecordType, Records>, AutoCloseable {
  private final LeanRecords lean;
  private final History history;
  private final Supplier<HibernateRecords> open;
  private @Nullable HibernateRecords hibernate;

  public TenantRecords(
      LeanRecords lean,
      History history,
      Supplier<SessionFactory> factory,
      Connection connection,
      Failures failures,
      String tenantId) {
    this.lean = lean;
    this.history = history;
    this.open =
        () ->
            new HibernateRecords(
                factory.get(), BorrowedConnection.of(connection), failures, tenantId);
  }

  @Override
  public Records apply(RecordType type) {
    return Tables.lean(type) ? lean : new Audited();
  }

  /**
   * Hibernate writes, for the sake of the history; it does not read: it would throw a whole page
   * away for one value that is damaged.
   */
  private final class Audited implements Records {
    @Override
    public Optional<Row> read(Key key) throws SQLException {
      return lean.read(key);
    }

    @Override
    public long version(Key key) throws SQLException {
      return lean.version(key);
    }

    @Override
    public Optional<Row> holder(RecordType type, RecordType.UniqueKey unique, List<Object> values)
        throws SQLException {
      return lean.holder(type, unique, values);
    }

    @Override
    public Page<Row> scan(Scan scan) throws SQLException {
      return lean.scan(scan);
    }

    @Override
    public boolean insert(Row row) throws SQLException {
      return hibernate().insert(row);
    }

    @Override
    public boolean update(Row before, Row after) throws SQLException {
      return hibernate().update(before, after);
    }

    @Override
    public boolean delete(Row before) throws SQLException {
      return hibernate().delete(before);
    }
  }

  private HibernateRecords hibernate() {
    HibernateRecords opened = hibernate;
    if (opened == null) {
      opened = open.get();
      hibernate = opened;
    }
    return opened;
  }

  /**
   * Writes a batch, and the history of what it changes if there is such: a revision of its own.
   *
   * @param revision number of the revision, asked for when there is one
   */
  public CommitOutcome write(Batch batch, RevisionNumbers revision) throws SQLException {
    if (!History.isChangedBy(batch)) {
      return new BatchWriter(this, batch).write();
    }
    HibernateRecords session = hibernate();
    try (RevisionContext about = history.revision(batch, revision.next())) {
      session.joinTransaction();
      CommitOutcome outcome = new BatchWriter(this, batch).write();
      if (outcome instanceof CommitOutcome.Committed) {
        session.writeHistory();
        session.leaveCommitted();
      }
      return outcome;
    }
  }

  /** Numbers revisions. */
  public interface RevisionNumbers {
    /** A number above all that were given out. */
    long next() throws SQLException;
  }

  @Override
  public void close() {
    HibernateRecords opened = hibernate;
    if (opened != null) {
      opened.close();
    }
  }
}
