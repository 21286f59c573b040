/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which store, and whose records in it. Workers get it on their standard input, never on a command
 * line or in a file: it may hold passwords, and is not written to any log.
 *
 * @param provider name of the storage provider
 * @param settings of the provider
 * @param sealing {@code wovyr.*} settings that say where the keys of its values are
 * @param tenant to which all orders belong
 */
record StoreSettings(
    String provider, Map<String, String> settings, Map<String, String> sealing, String tenant) {
  /** Values are stored in clear. */
  static final Map<String, String> UNSEALED = Map.of("wovyr.sealing.provider", "none");

  /** Providers that need Hibernate, and can do without until they do. */
  private static final Set<String> HIBERNATE = Set.of("sqlite", "postgresql");

  StoreSettings {
    settings = Map.copyOf(settings);
    sealing = Map.copyOf(sealing);
  }

  /** The same, its values in clear. */
  StoreSettings unsealed() {
    return sealedBy(UNSEALED);
  }

  /** The same, its values under other keys. */
  StoreSettings sealedBy(Map<String, String> otherSealing) {
    return new StoreSettings(provider, settings, otherSealing, tenant);
  }

  /** Makes the store, or brings it up to date. */
  void migrate() {
    Objects.requireNonNull(provider(provider).migrator()).migrate(settings, step -> {});
  }

  /** For a short look: nothing is built that is not needed. */
  StoreSettings briefly() {
    Map<String, String> brief = new HashMap<>(settings);
    if (HIBERNATE.contains(provider)) {
      brief.put("hibernate-start", "on-demand");
    }
    return new StoreSettings(provider, brief, sealing, tenant);
  }

  /** Opens a store that was migrated. */
  Storage open() {
    return provider(provider).open(settings);
  }

  /** The library over an open store, which is closed with it. */
  Persistence persistence(Storage storage) {
    return WovyrPersistence.builder().storage(storage).settings(sealing).build();
  }

  /** The orders' repositories, for somebody of this name. */
  Repositories repositories(Persistence persistence, String actor) {
    return persistence.as(Caller.of(tenant, actor, Role.READER, Role.WRITER));
  }

  /** The same, for who sets up definitions and schedules. */
  Repositories administration(Persistence persistence) {
    return persistence.as(Caller.of(tenant, "administrator", Role.READER, Role.ADMIN));
  }

  /** Whether one process at a time can have a store of this provider open. */
  static boolean isAlone(String provider) {
    return isAlone(provider(provider));
  }

  private static boolean isAlone(StorageProvider provider) {
    return !provider.capabilities().contains(Capability.MULTI_PROCESS);
  }

  /** Names of the providers whose stores one process at a time can have open. */
  static List<String> aloneProviders() {
    return providers().filter(StoreSettings::isAlone).map(StorageProvider::name).toList();
  }

  private static Stream<StorageProvider> providers() {
    return ServiceLoader.load(StorageProvider.class).stream().map(ServiceLoader.Provider::get);
  }

  private static StorageProvider provider(String name) {
    return providers()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnusableInput("there is no storage provider '" + name + "'", null));
  }

  @Override
  public String toString() {
    return provider + ", tenant " + tenant;
  }
}
