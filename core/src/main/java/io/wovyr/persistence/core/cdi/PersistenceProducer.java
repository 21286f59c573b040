/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Produces the application's {@link Persistence}: the {@link StorageProvider} bean that {@code
 * wovyr.storage.provider} names (or the only one there is), opened with the {@code wovyr.*}
 * settings of MicroProfile Config. It is opened at first use and closed with the application.
 *
 * <p>A provider that is named but missing, or several without a choice, fails at first use with the
 * names to choose from.
 *
 * @since 0.1
 */
@ApplicationScoped
public class PersistenceProducer {
  private static final Logger LOG = LoggerFactory.getLogger(PersistenceProducer.class);
  private static final String PREFIX = "wovyr.";
  private static final String STORAGE_PROVIDER = "wovyr.storage.provider";
  private static final String SEALING_PROVIDER = "wovyr.sealing.provider";

  private final Instance<StorageProvider> storageProviders;
  private final Instance<SealingProvider> sealingProviders;
  private final Instance<Object> any;
  private final Config config;

  /** For the container's proxies. */
  @SuppressWarnings("NullAway") // CDI requires this constructor for a proxy that never uses fields.
  protected PersistenceProducer() {
    this(null, null, null, null);
  }

  /** For the container. */
  @Inject
  public PersistenceProducer(
      @Any Instance<StorageProvider> storageProviders,
      @Any Instance<SealingProvider> sealingProviders,
      @Any Instance<Object> any,
      Config config) {
    this.storageProviders = storageProviders;
    this.sealingProviders = sealingProviders;
    this.any = any;
    this.config = config;
  }

  /** The application's persistence. */
  @Produces
  @ApplicationScoped
  public Persistence persistence() {
    Map<String, String> settings = settings();
    StorageProvider provider =
        choose(
            "storage provider",
            STORAGE_PROVIDER,
            settings,
            storageProviders.stream().toList(),
            StorageProvider::name);
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder().provider(provider).settings(settings);
    List<SealingProvider> sealing = sealingProviders.stream().toList();
    if (!sealing.isEmpty()) {
      builder.sealing(
          choose("sealing provider", SEALING_PROVIDER, settings, sealing, SealingProvider::name));
    }
    builder.telemetry(TelemetryBean.find(any));
    LOG.info("WOVYR-0001 opening a {} store", provider.name());
    return builder.build();
  }

  void close(@Disposes Persistence persistence) {
    persistence.close();
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    for (String name : config.getPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        config.getOptionalValue(name, String.class).ifPresent(value -> settings.put(name, value));
      }
    }
    // A setting given only by environment variable has no property name of this form.
    for (String name : List.of(STORAGE_PROVIDER, SEALING_PROVIDER)) {
      config.getOptionalValue(name, String.class).ifPresent(value -> settings.put(name, value));
    }
    return settings;
  }

  private static <T> T choose(
      String what,
      String key,
      Map<String, String> settings,
      List<T> found,
      Function<T, String> nameOf) {
    Map<String, T> byName = new TreeMap<>();
    for (T one : found) {
      if (byName.put(nameOf.apply(one), one) != null) {
        throw new InvalidInput("two beans are the " + what + " '" + nameOf.apply(one) + "'");
      }
    }
    String wanted = settings.get(key);
    if (wanted == null && byName.size() == 1) {
      return byName.values().iterator().next();
    }
    T chosen = wanted == null ? null : byName.get(wanted);
    if (chosen == null) {
      throw new InvalidInput(
          wanted == null
              ? "set " + key + " to one " + what + " of " + byName.keySet()
              : "no " + what + " is called '" + wanted + "'; found: " + byName.keySet());
    }
    return chosen;
  }
}
