/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.RecordType;
import java.sql.Connection;
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
  private final Supplier<HibernateRecords> open;
  private @Nullable HibernateRecords hibernate;

  public TenantRecords(
      LeanRecords lean,
      Supplier<SessionFactory> factory,
      Connection connection,
      Tables tables,
      Failures failures,
      String tenantId) {
    this.lean = lean;
    this.open = () -> new HibernateRecords(factory.get(), connection, tables, failures, tenantId);
  }

  @Override
  public Records apply(RecordType type) {
    if (Tables.lean(type)) {
      return lean;
    }
    HibernateRecords opened = hibernate;
    if (opened == null) {
      opened = open.get();
      hibernate = opened;
    }
    return opened;
  }

  @Override
  public void close() {
    HibernateRecords opened = hibernate;
    if (opened != null) {
      opened.close();
    }
  }
}
