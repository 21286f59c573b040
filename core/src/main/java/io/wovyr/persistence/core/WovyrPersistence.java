/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.core.telemetry.ObservedStorage;
import io.wovyr.persistence.core.telemetry.Telemetry;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a {@link Persistence} in plain Java; in CDI it is injected. Thread-safe once built.
 *
 * <pre>{@code
 * try (Persistence persistence =
 *     WovyrPersistence.builder()
 *         .provider(new SqliteStorageProvider())
 *         .setting("wovyr.storage.path", "orders.db")
 *         .build()) { ... }
 * }</pre>
 *
 * @since 0.1
 */
public final class WovyrPersistence implements Persistence {
  private static final Logger LOG = LoggerFactory.getLogger(WovyrPersistence.class);
  private static final String STORAGE_PREFIX = "wovyr.storage.";

  private final Engine engine;
  private final String provider;
  private final Optional<MetricsSampler> sampler;
  private final Optional<Housekeeper> housekeeper;

  private WovyrPersistence(Engine engine, String provider) {
    this.engine = engine;
    this.provider = provider;
    this.sampler = MetricsSampler.start(engine);
    this.housekeeper = Housekeeper.start(engine);
  }

  /** Begins the settings of a persistence. */
  public static Builder builder() {
    return new Builder();
  }

  /** What can be set beside the settings of the providers, for the reference page. */
  public static List<Setting> settings() {
    return DeclaredSettings.all();
  }

  @Override
  public Repositories as(Caller caller) {
    if (caller == null) {
      throw new InvalidInput("the caller is missing: say on whose behalf");
    }
    return new CoreRepositories(engine, caller);
  }

  @Override
  public SystemAccess system(String reason) {
    return new CoreSystemAccess(engine, reason);
  }

  @Override
  public Scheduler scheduler(SchedulerOptions options) {
    return new LeasedScheduler(engine, this, options);
  }

  /** The wrapped data keys of all tenants, for whoever looks after them; no key can be had here. */
  public DataKeyStore dataKeys() {
    return new StoredDataKeys(engine);
  }

  /**
   * How the store is, now; it is asked. Never throws for a store that is broken or gone: then it is
   * not writable, and there is a problem to read.
   */
  public Health health() {
    return engine.storage().health();
  }

  @Override
  public String provider() {
    return provider;
  }

  /** What samples the metrics by itself, where the settings say so. */
  Optional<MetricsSampler> sampler() {
    return sampler;
  }

  @Override
  public void close() {
    sampler.ifPresent(MetricsSampler::close);
    housekeeper.ifPresent(Housekeeper::stop);
    Duration grace = engine.settings().shutdownGrace();
    engine.stop(grace);
    housekeeper.ifPresent(found -> found.close(grace));
    engine.close();
  }

  /** Collects what a persistence is made of. Not thread-safe. */
  public static final class Builder {
    private final Map<String, String> settings = new HashMap<>();
    private @Nullable StorageProvider provider;
    private @Nullable Storage storage;
    private @Nullable SealingProvider sealing;
    private @Nullable SealingFactory sealingFactory;
    private @Nullable ScheduledExecutorService background;
    private Telemetry telemetry = Telemetry.none();
    private InstantSource clock = InstantSource.system();
    private LongSupplier nanoTime = System::nanoTime;

    private Builder() {}

    /**
     * Opens a store of this provider with the {@code wovyr.storage.*} settings. The setting {@code
     * wovyr.storage.provider} chooses nothing here: it may be left out, or name this provider.
     */
    public Builder provider(StorageProvider value) {
      provider = value;
      return this;
    }

    /** Uses a store that is open already; it is closed with the persistence. */
    public Builder storage(Storage value) {
      storage = value;
      return this;
    }

    /**
     * Seals sensitive values. When none is given, the one on the class path does, as {@code
     * wovyr.sealing.provider} says. Where there is none, or it is not told where its keys are,
     * writing them is refused, unless {@code wovyr.sealing.provider} is {@code none}.
     */
    public Builder sealing(SealingProvider value) {
      sealing = value;
      return this;
    }

    /**
     * As {@link #sealing(SealingProvider)}, by what this makes from the settings; what it reads of
     * them is known, so that others are warned about. Where it is not told where its keys are,
     * writing sensitive values is refused.
     */
    public Builder sealing(SealingFactory value) {
      sealingFactory = value;
      return this;
    }

    /** Who is told how long calls take, how many fail, how large the store is; nobody else. */
    public Builder telemetry(Telemetry value) {
      telemetry = value;
      return this;
    }

    /** One {@code wovyr.*} setting. */
    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** Several settings. */
    public Builder settings(Map<String, String> values) {
      settings.putAll(values);
      return this;
    }

    /**
     * The wall clock for times that are information, and for hints where the store has no clock. No
     * decision about a lease is made by it.
     */
    public Builder clock(InstantSource value) {
      clock = value;
      return this;
    }

    /**
     * Runs background work: heartbeats of kept leases, started schedulers, sampling of metrics. A
     * container's managed executor, say; it is not shut down here. Give it four threads or more: of
     * each keeper two may wait for the store. Where others hold all of its threads, heartbeats, and
     * telling a body that its lease is over, are done by daemon threads of our own; all else waits.
     * Without an executor such threads do everything.
     */
    public Builder background(ScheduledExecutorService value) {
      background = value;
      return this;
    }

    /** The monotonic clock of leases, on the scale of {@link System#nanoTime()}; for tests. */
    Builder nanoTime(LongSupplier value) {
      nanoTime = value;
      return this;
    }

    /**
     * Opens it.
     *
     * @throws InvalidInput for a missing store, a bad setting, or one that names another provider
     *     than was given
     * @throws io.wovyr.persistence.PersistenceException.Unavailable when the store cannot be opened
     * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion for a store from a newer
     *     version
     */
    public WovyrPersistence build() {
      CoreSettings core = CoreSettings.from(settings);
      DeclaredSettings.unknown(settings, sealing == null, Optional.ofNullable(sealingFactory))
          .forEach(key -> LOG.warn("WOVYR-0102 the setting {} is not known: ignored", key));
      // Before the store is opened: refused, it leaves none open.
      Optional<SealingProvider> seals = sealing();
      Storage opened = storage;
      String name = "custom";
      if (provider != null && opened == null) {
        name = provider.name();
        checkNamed(STORAGE_PREFIX + "provider", name);
        opened = provider.open(storageSettings());
      }
      if (opened == null) {
        throw new InvalidInput("no store: give the builder a provider or an open storage");
      }
      ObservedStorage observed = new ObservedStorage(opened, telemetry);
      Background threads = new Background(Optional.ofNullable(background));
      return new WovyrPersistence(
          new Engine(observed, seals, clock, nanoTime, core, threads), name);
    }

    /** What was given; else what the settings and the class path say. */
    private Optional<SealingProvider> sealing() {
      if (sealing != null) {
        checkNamed(SealingChoice.PROVIDER, sealing.name());
        return Optional.of(sealing);
      }
      if (sealingFactory != null) {
        checkNamed(SealingChoice.PROVIDER, sealingFactory.name());
        return Optional.of(SealingChoice.madeBy(sealingFactory, settings));
      }
      return SealingChoice.of(settings);
    }

    /** Whoever named another one would have their values elsewhere than they think. */
    private void checkNamed(String setting, String given) {
      String named = settings.getOrDefault(setting, given);
      if (!named.equals(given)) {
        throw new InvalidInput(
            "%s is '%s', and the builder was given the provider '%s': leave the setting out, or give the provider it names"
                .formatted(setting, named, given));
      }
    }

    private Map<String, String> storageSettings() {
      Map<String, String> found = new HashMap<>();
      settings.forEach(
          (key, value) -> {
            if (key.startsWith(STORAGE_PREFIX)) {
              found.put(key.substring(STORAGE_PREFIX.length()), value);
            }
          });
      return found;
    }
  }
}
