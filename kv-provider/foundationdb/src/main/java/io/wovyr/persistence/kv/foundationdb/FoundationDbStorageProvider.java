/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

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

/**
 * Storage in a FoundationDB cluster, <strong>experimental</strong>: proven on a fake of the client
 * that keeps its rules, not yet on a cluster. Any number of processes may have a store open.
 * Thread-safe, no state.
 *
 * <p>Settings (under {@code wovyr.storage}): {@code cluster-file}, {@code subspace} and {@code
 * tls-certificate-file}, {@code tls-key-file}, {@code tls-ca-file}, {@code tls-verify-peers}. It
 * needs FoundationDB's client library {@code libfdb_c} on the machine, which is no part of it.
 *
 * @since 0.1
 */
@Dependent
public final class FoundationDbStorageProvider implements StorageProvider {
  static final Duration OPENING = Duration.ofSeconds(30);

  private final Cluster cluster;

  /** For CDI, {@link java.util.ServiceLoader} and whoever names it in code. */
  public FoundationDbStorageProvider() {
    this(NativeCluster::open);
  }

  FoundationDbStorageProvider(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "foundationdb";
  }

  @Override
  public Set<Capability> capabilities() {
    return FoundationDbEngine.CAPABILITIES;
  }

  @Override
  public Storage open(Map<String, String> settings) {
    FoundationDbSettings read = FoundationDbSettings.of(settings);
    Deadline deadline = Deadline.after(OPENING);
    Subspace subspace = Subspace.of(cluster, read);
    try {
      subspace.requireStore(deadline);
    } catch (RuntimeException e) {
      subspace.close();
      throw e;
    }
    return KvStore.open(subspace.engine(), deadline);
  }

  @Override
  public Migrator migrator() {
    return new FoundationDbMigrator(cluster);
  }

  @Override
  public Backups backups() {
    return new FoundationDbBackups(cluster);
  }

  @Override
  public List<Setting> settings() {
    return FoundationDbDeclaredSettings.all();
  }
}
