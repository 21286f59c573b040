/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Produces the application's {@link Persistence}: the {@link StorageProvider} that {@code
 * wovyr.storage.provider} names (or the only one there is), opened with the {@code wovyr.*}
 * settings of MicroProfile Config. It is opened when the application starts, if the application
 * injects it or a repository, otherwise at first use; and closed with the application.
 *
 * <p>A provider that is named but missing, or several without a choice, fails then with the names
 * to choose from.
 *
 * @since 0.1
 */
@ApplicationScoped
public class PersistenceProducer {
  private static final Logger LOG = LoggerFactory.getLogger(PersistenceProducer.class);
  private static final String STORAGE_PROVIDER = "wovyr.storage.provider";
  private static final String SEALING_PROVIDER = "wovyr.sealing.provider";
  private static final String NONE = "none";

  @Inject Plugins plugins;
  @Inject ConfiguredSettings configured;
  @Inject Callers callers;
  @Inject @Any Instance<Object> any;
  @Inject Instance<Persistence> persistence;

  private volatile @Nullable WovyrPersistence opened;

  /** For the container. */
  public PersistenceProducer() {}

  /** The application's persistence. */
  @Produces
  @ApplicationScoped
  public Persistence persistence() {
    Map<String, String> settings = configured.values();
    StorageProvider provider =
        Choice.of(
            "storage provider",
            STORAGE_PROVIDER,
            settings.get(STORAGE_PROVIDER),
            plugins.storage());
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder().provider(provider).settings(settings);
    builder.telemetry(TelemetryBean.find(any));
    String sealing = sealing(settings.get(SEALING_PROVIDER), builder);
    String resolver = callers.resolver().name();
    Optional<ScheduledExecutorService> executor =
        ContainerExecutor.find(settings.get(ContainerSettings.EXECUTOR));
    executor.ifPresent(builder::background);
    LOG.info(
        "WOVYR-0001 opening a {} store of storage providers {}; sealing by {} of {}; tenants of"
            + " requests by {}; background work on {}",
        provider.name(),
        plugins.storage().keySet(),
        sealing,
        plugins.sealingNames(),
        resolver,
        executor.isPresent() ? "the container's executor" : "threads of its own");
    WovyrPersistence persistence = builder.build();
    opened = persistence;
    return persistence;
  }

  /** The wrapped data keys of its store: for encrypted columns of the application's own. */
  @Produces
  @ApplicationScoped
  public DataKeyStore dataKeys(Instance<Persistence> persistence) {
    return opened(persistence).dataKeys();
  }

  /** How its store is, now. */
  Health health() {
    return opened(persistence).health();
  }

  private WovyrPersistence opened(Instance<Persistence> persistence) {
    // Any call: behind the proxy the store is opened.
    String unused = persistence.get().provider();
    return Objects.requireNonNull(opened);
  }

  /** Hands the chosen one to the builder, or what makes it from the settings. */
  private String sealing(@Nullable String wanted, WovyrPersistence.Builder builder) {
    SortedSet<String> names = plugins.sealingNames();
    if (NONE.equals(wanted) || (wanted == null && names.isEmpty())) {
      return NONE;
    }
    String chosen =
        Choice.of(
            "sealing provider",
            SEALING_PROVIDER,
            wanted,
            Choice.byName("sealing provider", names.stream().toList(), name -> name));
    SealingProvider bean = plugins.sealing().get(chosen);
    if (bean != null) {
      builder.sealing(bean);
    } else {
      builder.sealing(Objects.requireNonNull(plugins.sealingFactories().get(chosen)));
    }
    return chosen;
  }

  void close(@Disposes Persistence persistence) {
    persistence.close();
  }
}
