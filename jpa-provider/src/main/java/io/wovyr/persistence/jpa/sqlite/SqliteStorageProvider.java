/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.Dependent;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Storage in one SQLite file: nothing to install, for one machine and any number of processes on
 * it. Every commit is on the disk when it returns. Thread-safe, no state.
 *
 * <p>Settings (under {@code wovyr.storage}): {@code path}, required, the file; {@code busy-timeout}
 * (default {@code PT5S}), {@code read-connections}, {@code hibernate-start}, {@code migrate-wait}.
 * The file's directory must be on a local disk and writable, since SQLite keeps its log beside it.
 *
 * @since 0.1
 */
@Dependent
public final class SqliteStorageProvider implements StorageProvider {
  private static final Duration OPENING = Duration.ofSeconds(30);

  /** For CDI, {@link java.util.ServiceLoader} and whoever names it in code. */
  public SqliteStorageProvider() {}

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public Set<Capability> capabilities() {
    return SqliteStorage.CAPABILITIES;
  }

  @Override
  public Storage open(Map<String, String> settings) {
    return open(settings, SqliteConnection.Source.DRIVER);
  }

  /** Of all SQLite stores of this process; to be closed. */
  static SessionFactories hibernate() {
    return new SessionFactories(
        "sqlite",
        Map.of(
            "hibernate.dialect",
            "org.hibernate.community.dialect.SQLiteDialect",
            "jakarta.persistence.database-product-name",
            "SQLite",
            "jakarta.persistence.database-major-version",
            3,
            "jakarta.persistence.database-minor-version",
            54));
  }

  Storage open(Map<String, String> settings, SqliteConnection.Source source) {
    SqliteSettings read = SqliteSettings.of(settings);
    if (!Files.exists(read.path())) {
      throw StoreCheck.absent(read.path());
    }
    SessionFactories hibernate = hibernate();
    Storage opened = SqliteStorage.open(read, hibernate, source, Deadline.after(OPENING));
    if (read.hibernateStart() == SqliteSettings.HibernateStart.BACKGROUND) {
      hibernate.begin();
    }
    return opened;
  }

  @Override
  public Migrator migrator() {
    return new SqliteMigrator();
  }

  @Override
  public List<Setting> settings() {
    return SqliteDeclaredSettings.all();
  }
}
