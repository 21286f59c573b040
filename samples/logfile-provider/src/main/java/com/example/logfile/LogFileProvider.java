/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.logfile;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stores in a directory with a log file, for one process; what is in a store has to fit into
 * memory. Stateless and thread-safe.
 */
public final class LogFileProvider implements StorageProvider {
  private static final System.Logger LOG = System.getLogger(LogFileProvider.class.getName());
  private static final Duration OPENING = Duration.ofSeconds(30);
  private static final String FIRST_STEP = "1-store";

  /** For ServiceLoader, for CDI, and for whoever names it in code. */
  public LogFileProvider() {}

  @Override
  public String name() {
    return "logfile";
  }

  @Override
  public Set<Capability> capabilities() {
    return LogFileEngine.SHAPE.capabilities();
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting(
            "wovyr.storage.path", "required", "directory", "where the store is", "log files"));
  }

  @Override
  public Storage open(Map<String, String> settings) {
    return KvStore.open(LogFileEngine.open(path(settings), false), Deadline.after(OPENING));
  }

  static Path path(Map<String, String> settings) {
    for (String name : settings.keySet()) {
      if (!Set.of("path", "provider").contains(name)) {
        LOG.log(System.Logger.Level.WARNING, "unknown setting wovyr.storage.{0} is ignored", name);
      }
    }
    String path = settings.getOrDefault("path", "");
    if (path.isBlank()) {
      throw new InvalidInput("wovyr.storage.path is missing: name the directory of the store");
    }
    return Path.of(path).toAbsolutePath().normalize();
  }

  static Unavailable absent(Path path) {
    return Unavailable.lasting(
        "there is no store in %s: make one with 'wovyr migrate up --provider logfile --store %s'"
            .formatted(path, path),
        null);
  }

  @Override
  public Migrator migrator() {
    return new Migrator() {
      @Override
      public Status status(Map<String, String> settings) {
        if (!LogFile.exists(path(settings))) {
          return new Status(false, 0, KvStore.SCHEMA_VERSION, List.of(FIRST_STEP));
        }
        try (Engine engine = LogFileEngine.open(path(settings), false)) {
          return statusOf(engine);
        }
      }

      @Override
      public Status migrate(Map<String, String> settings, Consumer<String> progress) {
        try (Engine engine = LogFileEngine.open(path(settings), true)) {
          if (!statusOf(engine).pending().isEmpty()) {
            KvStore.create(engine, Deadline.after(OPENING));
            progress.accept("applied " + FIRST_STEP);
          }
          return statusOf(engine);
        }
      }
    };
  }

  private static Migrator.Status statusOf(Engine engine) {
    Optional<KvStore> found = KvStore.find(engine, Deadline.after(OPENING));
    found.ifPresent(store -> store.refuseNewer(engine.description()));
    return new Migrator.Status(
        found.isPresent(),
        found.map(store -> store.identity().schemaVersion()).orElse(0),
        KvStore.SCHEMA_VERSION,
        found.isPresent() ? List.of() : List.of(FIRST_STEP));
  }
}
