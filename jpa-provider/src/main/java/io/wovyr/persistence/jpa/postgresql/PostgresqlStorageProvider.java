/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.Dependent;
import jakarta.transaction.TransactionManager;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Storage in a PostgreSQL database, version 14 or newer: the default for production. A commit of
 * events, heads and leases is one round trip; the tenants are walled off by the database.
 * Thread-safe, no state.
 *
 * <p>Settings (under {@code wovyr.storage}): {@code url}, {@code user} and {@code password} of the
 * runtime role, or {@code datasource}, the name in JNDI of one of the container; the same with
 * {@code system-}, {@code purge-} and {@code migration-} before them for the other roles; {@code
 * connections}, {@code system-connections}, {@code connect-timeout}, {@code
 * idle-in-transaction-timeout}, {@code role-prefix}, {@code hibernate-start}, {@code migrate-wait}.
 * Passwords may be references ({@code file:}, {@code env:}). Beyond loopback the server is reached
 * with TLS and a verified host name only.
 *
 * @since 0.1
 */
@Dependent
public final class PostgresqlStorageProvider implements StorageProvider {
  private final @Nullable TransactionManager transactionManager;

  /**
   * For CDI, {@link java.util.ServiceLoader} and whoever names it in code. In a container its
   * transaction manager is found by itself.
   */
  public PostgresqlStorageProvider() {
    this.transactionManager = null;
  }

  /**
   * With the transaction manager that the DataSources of the settings belong to, for containers
   * whose own is not found by itself.
   */
  public PostgresqlStorageProvider(TransactionManager transactionManager) {
    this.transactionManager = Objects.requireNonNull(transactionManager, "transactionManager");
  }

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public Set<Capability> capabilities() {
    return PostgresqlStorage.CAPABILITIES;
  }

  @Override
  public Storage open(Map<String, String> settings) {
    PostgresqlSettings read = PostgresqlSettings.of(settings);
    SessionFactories hibernate = hibernate();
    Storage opened = PostgresqlStorage.open(read, hibernate, callers(read));
    if (read.hibernateStart() == PostgresqlSettings.HibernateStart.BACKGROUND) {
      hibernate.begin();
    }
    return opened;
  }

  private Optional<JtaTransactions> callers(PostgresqlSettings read) {
    if (!read.inContainer()) {
      return Optional.empty();
    }
    return transactionManager == null
        ? JtaTransactions.found()
        : Optional.of(new JtaTransactions(transactionManager));
  }

  /** Hibernate for PostgreSQL. */
  static SessionFactories hibernate() {
    return new SessionFactories(
        "postgresql",
        Map.of(
            "jakarta.persistence.database-product-name",
            "PostgreSQL",
            "jakarta.persistence.database-major-version",
            14,
            "jakarta.persistence.database-minor-version",
            0));
  }

  @Override
  public Migrator migrator() {
    return new PostgresqlMigrator();
  }

  @Override
  public List<Setting> settings() {
    return PostgresqlDeclaredSettings.all();
  }
}
