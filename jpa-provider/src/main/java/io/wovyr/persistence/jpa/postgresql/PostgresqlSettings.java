/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
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
 * @param jta over which transactions of callers are joined; empty: the runtime role's
 * @param migration who owns the schema; empty: nobody who could be told here
 * @param rolePrefix begins the names of the roles that hold the rights
 * @param connections most of the runtime role at the same time
 * @param systemConnections most of the system role at the same time
 * @param connectTimeout how long one try to connect may take
 * @param idleInTransaction how long the server lets a transaction of ours wait for us
 * @param hibernateStart when Hibernate is built
 * @param migrateWait how long a migration waits for another one
 */
record PostgresqlSettings(
    Access runtime,
    Optional<Access> system,
    Optional<Access> purge,
    Optional<ContainerSource> jta,
    Optional<Login> migration,
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
   * Name in JNDI of a DataSource of the container, instead of URL, user and password. Its pool is
   * the container's to configure.
   */
  static final String DATASOURCE = "datasource";

  /**
   * Begin the same settings of another role. One that is not given is as for the runtime role; a
   * role of which none is given is not there.
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

  /**
   * Name in JNDI of the DataSource over which JTA transactions of callers are joined, with a login
   * as the runtime role's; default {@link #DATASOURCE}.
   */
  static final String JTA_DATASOURCE = "jta-datasource";

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

  static final Set<String> KNOWN =
      Set.of(
          URL,
          DATASOURCE,
          JTA_DATASOURCE,
          USER,
          PASSWORD,
          ROLE_PREFIX,
          CONNECTIONS,
          SYSTEM_CONNECTIONS,
          CONNECT_TIMEOUT,
          IDLE_IN_TRANSACTION,
          HIBERNATE_START,
          MIGRATE_WAIT,
          SYSTEM + DATASOURCE,
          PURGE + DATASOURCE,
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
    Optional<ContainerSource> datasource = datasource(settings, "runtime", "");
    Optional<Login> login =
        datasource.isPresent() ? Optional.empty() : Optional.of(login(settings));
    Optional<Login> migration = other(settings, login, "migration", MIGRATION);
    return new PostgresqlSettings(
        datasource.<Access>map(found -> found).or(() -> login).orElseThrow(),
        access(settings, login, "system", SYSTEM),
        access(settings, login, "purge", PURGE),
        Optional.ofNullable(settings.get(JTA_DATASOURCE))
            .map(name -> new ContainerSource("runtime", PREFIX + JTA_DATASOURCE, name)),
        migration.or(() -> login),
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

  private static Login login(Map<String, String> settings) {
    String url = settings.get(URL);
    if (url == null || url.isBlank()) {
      throw new InvalidInput(
          "wovyr.storage.url is missing: give one like jdbc:postgresql://host:5432/database, or in"
              + " a container wovyr.storage.datasource");
    }
    return new Login(
        "runtime", url, Optional.ofNullable(settings.get(USER)), secret(settings, PASSWORD));
  }

  /** The DataSource of a role; nothing else may say then how its connections are had. */
  private static Optional<ContainerSource> datasource(
      Map<String, String> settings, String role, String prefix) {
    @Nullable String name = settings.get(prefix + DATASOURCE);
    if (name == null || name.isBlank()) {
      return Optional.empty();
    }
    String setting = PREFIX + prefix + DATASOURCE;
    List<String> instead = new ArrayList<>(List.of(prefix + URL, prefix + USER, prefix + PASSWORD));
    if (prefix.isEmpty()) {
      instead.add(CONNECTIONS);
    } else if (prefix.equals(SYSTEM)) {
      instead.add(SYSTEM_CONNECTIONS);
    }
    for (String other : instead) {
      if (settings.containsKey(other)) {
        throw new InvalidInput(
            "%s and %s are both given: the container says how its DataSource connects, and how often; leave one out"
                .formatted(setting, PREFIX + other));
      }
    }
    return Optional.of(new ContainerSource(role, setting, name));
  }

  private static Optional<Access> access(
      Map<String, String> settings, Optional<Login> runtime, String role, String prefix) {
    return datasource(settings, role, prefix)
        .<Access>map(found -> found)
        .or(() -> other(settings, runtime, role, prefix));
  }

  private static Optional<Login> other(
      Map<String, String> settings, Optional<Login> runtime, String role, String prefix) {
    @Nullable String url = settings.get(prefix + URL);
    @Nullable String user = settings.get(prefix + USER);
    Optional<Secret> password = secret(settings, prefix + PASSWORD);
    if (url == null && user == null) {
      return Optional.empty();
    }
    if (runtime.isPresent()) {
      return Optional.of(runtime.get().as(role, url, user, password));
    }
    if (url == null) {
      throw new InvalidInput(
          "%s is given without %s: beside a DataSource every role says where it connects to"
              .formatted(PREFIX + prefix + USER, PREFIX + prefix + URL));
    }
    return Optional.of(new Login(role, url, Optional.ofNullable(user), password));
  }

  /**
   * Who migrates.
   *
   * @throws InvalidInput when nobody is named: a container's DataSource cannot own the tables
   */
  Login migrationLogin() {
    return migration.orElseThrow(
        () ->
            new InvalidInput(
                "a store over a DataSource is migrated from outside of the container: give"
                    + " wovyr.storage.url, or migration-url, to 'wovyr migrate up'"));
  }

  /** Whether any connections come from the container. */
  boolean inContainer() {
    return jta.isPresent()
        || runtime instanceof ContainerSource
        || system.orElse(null) instanceof ContainerSource
        || purge.orElse(null) instanceof ContainerSource;
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
