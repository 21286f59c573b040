/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one SQLite store, {@code wovyr.storage.*} without the prefix.
 *
 * @param path of the store's file; its directory also holds {@code -wal} and {@code -shm}
 * @param busyTimeout how long one try waits for another process; tries go on until the call's
 *     deadline
 * @param readConnections most calls that read at the same time
 * @param hibernateStart when Hibernate is built
 * @param migrateWait how long a migration waits for another one
 */
record SqliteSettings(
    Path path,
    Duration busyTimeout,
    int readConnections,
    HibernateStart hibernateStart,
    Duration migrateWait) {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteSettings.class);

  /** File of the store. Required. All processes that share a store name the same file. */
  static final String PATH = "path";

  /** ISO-8601 duration, {@code PT0.001S} to {@code PT10M}; default {@code PT5S}. */
  static final String BUSY_TIMEOUT = "busy-timeout";

  /** 1 to 64; default: the number of processors, at least 2 and at most 8. */
  static final String READ_CONNECTIONS = "read-connections";

  /**
   * {@code background} (default): Hibernate is built beside the first calls; {@code on-demand}:
   * only when a call needs it, for short-lived commands that may not.
   */
  static final String HIBERNATE_START = "hibernate-start";

  /** ISO-8601 duration; default {@code PT30S}. */
  static final String MIGRATE_WAIT = "migrate-wait";

  /** Chosen by whoever looks the provider up; not ours, and no reason to warn. */
  private static final String PROVIDER = "provider";

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  static final Set<String> KNOWN =
      Set.of(PATH, BUSY_TIMEOUT, READ_CONNECTIONS, HIBERNATE_START, MIGRATE_WAIT, PROVIDER);

  /** See {@link #HIBERNATE_START}. */
  enum HibernateStart {
    BACKGROUND,
    ON_DEMAND
  }

  /**
   * @throws InvalidInput naming the setting that is missing or wrong
   */
  static SqliteSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KNOWN.contains(key)) {
        LOG.warn("unknown setting wovyr.storage.{} is ignored; known are {}", key, KNOWN);
      }
    }
    return new SqliteSettings(
        path(settings.get(PATH)),
        duration(settings, BUSY_TIMEOUT, "PT5S"),
        readConnections(settings.get(READ_CONNECTIONS)),
        hibernateStart(settings.getOrDefault(HIBERNATE_START, "background")),
        duration(settings, MIGRATE_WAIT, "PT30S"));
  }

  private static Path path(@org.jspecify.annotations.Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidInput("wovyr.storage.path is missing: name the file of the SQLite store");
    }
    if (value.contains("?") || value.startsWith(":") || value.startsWith("file:")) {
      throw new InvalidInput("wovyr.storage.path must be a plain file name, not a URI: " + value);
    }
    try {
      Path path = Path.of(value).toAbsolutePath().normalize();
      if (Files.isDirectory(path)) {
        throw new InvalidInput(
            "%s is a directory, and a SQLite store is a file: name the file".formatted(path));
      }
      return path;
    } catch (InvalidPathException e) {
      throw new InvalidInput("wovyr.storage.path is not a file name: " + e.getReason());
    }
  }

  private static Duration duration(Map<String, String> settings, String key, String defaultValue) {
    String value = settings.getOrDefault(key, defaultValue);
    try {
      Duration duration = Duration.parse(value);
      if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
        throw new InvalidInput("wovyr.storage." + key + " must be PT0.001S to PT10M, not " + value);
      }
      return duration;
    } catch (DateTimeParseException e) {
      throw new InvalidInput(
          "wovyr.storage." + key + " must be a duration such as PT5S, not " + value);
    }
  }

  private static int readConnections(@org.jspecify.annotations.Nullable String value) {
    if (value == null) {
      return Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
    }
    try {
      int count = Integer.parseInt(value);
      if (count >= 1 && count <= 64) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Said below, as for every other wrong value.
    }
    throw new InvalidInput("wovyr.storage.read-connections must be 1 to 64, not " + value);
  }

  private static HibernateStart hibernateStart(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "background" -> HibernateStart.BACKGROUND;
      case "on-demand" -> HibernateStart.ON_DEMAND;
      default ->
          throw new InvalidInput(
              "wovyr.storage.hibernate-start must be background or on-demand, not " + value);
    };
  }
}
