/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.Dependent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Storage in one table of DynamoDB, for any number of processes. Every commit is one transaction of
 * the table, with no read before it; every read that is answered is strongly consistent.
 * Thread-safe, no state.
 *
 * <p>Settings (under {@code wovyr.storage}): {@code table}, {@code region}, {@code endpoint},
 * {@code access-key-id}, {@code secret-access-key}, {@code shards}, {@code connections}, {@code
 * point-in-time-recovery}.
 *
 * @since 0.1
 */
@Dependent
public final class DynamoDbStorageProvider implements StorageProvider {
  static final Duration OPENING = Duration.ofSeconds(30);

  /** For CDI, {@link java.util.ServiceLoader} and whoever names it in code. */
  public DynamoDbStorageProvider() {}

  @Override
  public String name() {
    return "dynamodb";
  }

  @Override
  public Set<Capability> capabilities() {
    return DynamoDbEngine.CAPABILITIES;
  }

  @Override
  public Storage open(Map<String, String> settings) {
    return open(settings, List.of());
  }

  /** As {@link #open(Map)}, with somebody who sees the requests. */
  static Storage open(Map<String, String> settings, List<ExecutionInterceptor> interceptors) {
    DynamoDbSettings read = DynamoDbSettings.of(settings);
    DynamoDbEngine engine = new DynamoDbEngine(Tables.open(read, interceptors), read.shards());
    try {
      if (!engine.control().exists(Deadline.after(OPENING))) {
        throw Unavailable.lasting(
            "there is no store in the DynamoDB table "
                + read.table()
                + ": make it with 'wovyr migrate up --provider dynamodb'",
            null);
      }
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
    return KvStore.open(engine, Deadline.after(OPENING));
  }

  @Override
  public Migrator migrator() {
    return new DynamoDbMigrator();
  }

  @Override
  public Backups backups() {
    return new DynamoDbBackups();
  }

  @Override
  public List<Setting> settings() {
    return DynamoDbDeclaredSettings.all();
  }
}
