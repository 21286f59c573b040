/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one PostgreSQL store, {@code wovyr.storage.*} without the prefix.
 *
 * @param runtime who reads and writes
 * @param system who looks over all tenants; empty: nobody here
 * @param purge who removes history; empty: nobody here
 * @param migration who owns the schema
 * @param rolePrefix begins the names of the roles that hold the rights
 * @param connections most of the runtime role at the same time
 * @param systemConnections most of the system role at the same time
 * @param connectTimeout how long one try to connect may take
 * @param idleInTransaction how long the server lets a transaction of ours wait for us
 * @param hibernateStart when Hibernate is built
 * @param migrateWait how long a migration waits for another one
 */
record PostgresqlSettings(
    Login runtime,
    Optional<Login> system,
    Optional<Login> purge,
    Login migration,
    String rolePrefix,
    int connections,
    int systemConnections,
    Duration connectTimeout,
    Duration idleInTransaction,
    HibernateStart hibernateStart,
    Duration migrateWait) {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSettings.class);
  private static final String PREFIX = "wovyr.storage.";

  /**
   * {@code jdbc:postgresql://host:5432/database}; several hosts: the primary among them. Required.
   */
  static final String URL = "url";

  /** Login of the runtime role: a member of {@code wovyr_runtime}, of none of the others. */
  static final String USER = "user";

  /** The password, or {@code file:} and a path, or {@code env:} and a variable. */
  static final String PASSWORD = "password";

  /**
   * Begin the same three settings of another role. One that is not given is as for the runtime
   * role; a role of which none is given is not there.
   */
  static final String SYSTEM = "system-";

  /** As {@link #SYSTEM}. */
  static final String PURGE = "purge-";

  /** As {@link #SYSTEM}; but without any of them migrations run as the runtime role is given. */
  static final String MIGRATION = "migration-";

  /** Lower-case letters, digits and {@code _}; default {@code wovyr}. The same on all nodes. */
  static final String ROLE_PREFIX = "role-prefix";

  /** 1 to 500; default 16. */
  static final String CONNECTIONS = "connections";

  /** 1 to 100; default 2. */
  static final String SYSTEM_CONNECTIONS = "system-connections";

  /** ISO-8601 duration, {@code PT0.25S} to {@code PT1M}; default {@code PT5S}. */
  static final String CONNECT_TIMEOUT = "connect-timeout";

  /**
   * ISO-8601 duration; default {@code PT5S}. A process that stalls in the middle of a transaction
   * keeps its locks no longer than this.
   */
  static final String IDLE_IN_TRANSACTION = "idle-in-transaction-timeout";

  /** {@code background} (default) or {@code on-demand}, for short-lived commands. */
  static final String HIBERNATE_START = "hibernate-start";

  /** ISO-8601 duration; default {@code PT30S}. */
  static final String MIGRATE_WAIT = "migrate-wait";

  private static final Set<String> KNOWN =
      Set.of(
          URL,
          USER,
          PASSWORD,
          ROLE_PREFIX,
          CONNECTIONS,
          SYSTEM_CONNECTIONS,
          CONNECT_TIMEOUT,
          IDLE_IN_TRANSACTION,
          HIBERNATE_START,
          MIGRATE_WAIT,
          SYSTEM + URL,
          SYSTEM + USER,
          SYSTEM + PASSWORD,
          PURGE + URL,
          PURGE + USER,
          PURGE + PASSWORD,
          MIGRATION + URL,
          MIGRATION + USER,
          MIGRATION + PASSWORD,
          "provider");

  /** See {@link #HIBERNATE_START}. */
  enum HibernateStart {
    BACKGROUND,
    ON_DEMAND
  }

  /**
   * @throws InvalidInput naming the setting that is missing or wrong
   */
  static PostgresqlSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KNOWN.contains(key)) {
        LOG.warn(
            "unknown setting {}{} is ignored; known are {}", PREFIX, key, new TreeSet<>(KNOWN));
      }
    }
    String url = settings.get(URL);
    if (url == null || url.isBlank()) {
      throw new InvalidInput(
          "wovyr.storage.url is missing: give one like jdbc:postgresql://host:5432/database");
    }
    Login runtime =
        new Login(
            "runtime", url, Optional.ofNullable(settings.get(USER)), secret(settings, PASSWORD));
    return new PostgresqlSettings(
        runtime,
        other(settings, runtime, "system", SYSTEM),
        other(settings, runtime, "purge", PURGE),
        other(settings, runtime, "migration", MIGRATION).orElse(runtime),
        rolePrefix(settings.getOrDefault(ROLE_PREFIX, "wovyr")),
        number(settings, CONNECTIONS, 16, 500),
        number(settings, SYSTEM_CONNECTIONS, 2, 100),
        duration(settings, CONNECT_TIMEOUT, "PT5S", Duration.ofMillis(250), Duration.ofMinutes(1)),
        duration(
            settings, IDLE_IN_TRANSACTION, "PT5S", Duration.ofMillis(100), Duration.ofMinutes(10)),
        hibernateStart(settings.getOrDefault(HIBERNATE_START, "background")),
        duration(settings, MIGRATE_WAIT, "PT30S", Duration.ofMillis(1), Duration.ofHours(1)));
  }

  private static Optional<Secret> secret(Map<String, String> settings, String key) {
    return Optional.ofNullable(settings.get(key)).map(value -> new Secret(PREFIX + key, value));
  }

  private static Optional<Login> other(
      Map<String, String> settings, Login runtime, String role, String prefix) {
    @Nullable String url = settings.get(prefix + URL);
    @Nullable String user = settings.get(prefix + USER);
    Optional<Secret> password = secret(settings, prefix + PASSWORD);
    return url == null && user == null
        ? Optional.empty()
        : Optional.of(runtime.as(role, url, user, password));
  }

  private static String rolePrefix(String value) {
    if (!value.matches("[a-z][a-z0-9_]{0,39}")) {
      throw new InvalidInput(
          "wovyr.storage.role-prefix must be lower-case letters, digits and _, not " + value);
    }
    return value;
  }

  private static Duration duration(
      Map<String, String> settings,
      String key,
      String defaultValue,
      Duration least,
      Duration most) {
    String value = settings.getOrDefault(key, defaultValue);
    try {
      Duration duration = Duration.parse(value);
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // Said below, as for every other wrong value.
    }
    throw new InvalidInput(
        PREFIX + key + " must be a duration of " + least + " to " + most + ", not " + value);
  }

  private static int number(Map<String, String> settings, String key, int defaultValue, int most) {
    @Nullable String value = settings.get(key);
    if (value == null) {
      return defaultValue;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for every other wrong value.
    }
    throw new InvalidInput(PREFIX + key + " must be 1 to " + most + ", not " + value);
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
