/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.jpa.entity.EntityMapping;
import io.wovyr.persistence.jpa.internal.SqlQuery.Parameter;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.UniqueKey;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.SessionFactory;
import org.hibernate.StaleStateException;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/**
 * Rows through Hibernate: a {@link StatelessSession} of the tenant on the connection of the running
 * transaction, so that nothing is cached and every statement is sent at once. Closing it leaves the
 * connection open.
 */
public final class HibernateRecords implements Records, AutoCloseable {
  private final StatelessSession session;
  private @Nullable Transaction transaction;
  private final Tables tables;
  private final Failures failures;
  private final String tenantId;

  public HibernateRecords(
      SessionFactory factory,
      Connection connection,
      Tables tables,
      Failures failures,
      String tenantId) {
    session =
        factory
            .withStatelessOptions()
            .connection(connection)
            .tenantIdentifier((Object) tenantId)
            .openStatelessSession();
    this.tables = tables;
    this.failures = failures;
    this.tenantId = tenantId;
  }

  private interface Work<T> {
    T run();
  }

  private static <T> T unwrapped(Work<T> work) throws SQLException {
    try {
      return work.run();
    } catch (PersistenceException e) {
      throw cause(e);
    }
  }

  /** What lies below Hibernate's exception: the database's error, or one of ours. */
  private static SQLException cause(PersistenceException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException found) {
        return found;
      }
      if (cause instanceof io.wovyr.persistence.PersistenceException ours) {
        throw ours;
      }
    }
    throw e;
  }

  @Override
  public Optional<Row> read(Key key) throws SQLException {
    EntityMapping mapping = Entities.of(key.type());
    return unwrapped(
        () ->
            Optional.ofNullable(session.get(mapping.entityClass(), mapping.id(tenantId, key)))
                .map(mapping::row));
  }

  @Override
  public long version(Key key) throws SQLException {
    return read(key).map(Row::version).orElse(-1L);
  }

  @Override
  public Optional<Row> holder(RecordType type, UniqueKey unique, List<Object> values)
      throws SQLException {
    RecordTable table = tables.of(type);
    List<Parameter> parameters = new ArrayList<>();
    parameters.add(new Parameter(Kind.TEXT, tenantId));
    parameters.addAll(table.uniqueParameters(unique, values));
    String text = "SELECT " + table.entitySelectList() + table.whereUnique(unique);
    EntityMapping mapping = Entities.of(type);
    return unwrapped(
        () ->
            query(table, new SqlQuery(text, parameters)).uniqueResultOptional().map(mapping::row));
  }

  private NativeQuery<?> query(RecordTable table, SqlQuery query) {
    NativeQuery<?> created =
        session.createNativeQuery(query.text(), Entities.of(table.type()).entityClass());
    int index = 1;
    for (Parameter parameter : query.parameters()) {
      created.setParameter(index++, table.values().toJdbc(parameter.kind(), parameter.value()));
    }
    return created;
  }

  @Override
  public Page<Row> scan(Scan scan) throws SQLException {
    RecordTable table = tables.of(scan.type());
    ScanQuery scanned = ScanQuery.ofTenant(table, scan, ScanQuery.Select.ENTITIES);
    SqlQuery text = scanned.query(tenantId);
    return unwrapped(() -> page(table, scan, scanned, text));
  }

  private Page<Row> page(RecordTable table, Scan scan, ScanQuery scanned, SqlQuery text) {
    EntityMapping mapping = Entities.of(scan.type());
    List<Row> rows = new ArrayList<>();
    long bytes = 0;
    try (ScrollableResults<?> results = query(table, text).scroll(ScrollMode.FORWARD_ONLY)) {
      while (results.next()) {
        if (rows.size() == scan.limit() || bytes > PAGE_BYTES) {
          return new Page<>(rows, scanned.next(rows.get(rows.size() - 1)));
        }
        Row row = mapping.row(results.get());
        rows.add(row);
        bytes += Records.weight(row);
      }
    }
    return new Page<>(rows, Optional.empty());
  }

  @Override
  public boolean insert(Row row) throws SQLException {
    return applied(() -> session.insert(Entities.of(row.type()).entity(row, row.version())));
  }

  @Override
  public boolean update(Row before, Row after) throws SQLException {
    return applied(() -> session.update(Entities.of(after.type()).entity(after, before.version())));
  }

  @Override
  public boolean delete(Row before) throws SQLException {
    return applied(
        () -> session.delete(Entities.of(before.type()).entity(before, before.version())));
  }

  private boolean applied(Runnable change) throws SQLException {
    try {
      change.run();
      return true;
    } catch (StaleStateException e) {
      return false;
    } catch (PersistenceException e) {
      SQLException cause = cause(e);
      if (failures.taken(cause)) {
        return false;
      }
      throw cause;
    }
  }

  /**
   * Tells Hibernate of the running transaction, which is what history is bound to. Sends nothing.
   */
  public void joinTransaction() {
    transaction = session.beginTransaction();
  }

  /** Writes the revision and the history of what was changed; nothing where there is none. */
  public void writeHistory() throws SQLException {
    unwrapped(
        () -> {
          ((SharedSessionContractImplementor) session).beforeTransactionCompletion();
          return true;
        });
  }

  /** Tells Hibernate that somebody else has committed the transaction. Sends nothing. */
  public void leaveCommitted() {
    Transaction joined = transaction;
    transaction = null;
    if (joined != null) {
      joined.commit();
    }
  }

  /** Rolls a joined transaction back that is still there, and closes the session. */
  @Override
  public void close() {
    Transaction joined = transaction;
    transaction = null;
    try {
      if (joined != null) {
        joined.rollback();
      }
    } catch (PersistenceException e) {
      // The connection is lost: whoever uses it next is told by the driver itself.
    } finally {
      session.close();
    }
  }
}
