/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one table, {@code wovyr.storage.*} without the prefix.
 *
 * @param region empty: as the credentials' environment says
 * @param endpoint empty: that of the region
 * @param credentials empty: from the default chain of the AWS SDK
 */
record DynamoDbSettings(
    String table,
    Optional<String> region,
    Optional<URI> endpoint,
    Optional<Credentials> credentials,
    int shards,
    int connections,
    boolean pointInTimeRecovery) {
  private static final Logger LOG = LoggerFactory.getLogger(DynamoDbSettings.class);

  /** An access key; its secret is never shown. */
  record Credentials(String accessKeyId, String secretAccessKey) {
    @Override
    public String toString() {
      return accessKeyId;
    }
  }

  /** Name of the table; default {@value #DEFAULT_TABLE}. */
  static final String TABLE = "table";

  static final String DEFAULT_TABLE = "wovyr";

  /** Such as {@code eu-central-1}; default: the default chain of the AWS SDK. */
  static final String REGION = "region";

  /** Address of another endpoint; http only on this machine. */
  static final String ENDPOINT = "endpoint";

  /** Of an access key; default: the default chain of the AWS SDK. */
  static final String ACCESS_KEY_ID = "access-key-id";

  /** The secret of that key. */
  static final String SECRET_ACCESS_KEY = "secret-access-key";

  /** Partitions per type of a tenant of a store that is made, 1 to 64; default 16. */
  static final String SHARDS = "shards";

  /** Most connections, 1 to 1,000; default 64. */
  static final String CONNECTIONS = "connections";

  /** Whether a table that is made keeps its past; default false. */
  static final String POINT_IN_TIME_RECOVERY = "point-in-time-recovery";

  /** Chosen by whoever looks the provider up; not ours, and no reason to warn. */
  private static final String PROVIDER = "provider";

  private static final Set<String> KNOWN =
      Set.of(
          TABLE,
          REGION,
          ENDPOINT,
          ACCESS_KEY_ID,
          SECRET_ACCESS_KEY,
          SHARDS,
          CONNECTIONS,
          POINT_IN_TIME_RECOVERY,
          PROVIDER);

  private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /**
   * @throws InvalidInput naming the setting that is missing or wrong
   */
  static DynamoDbSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KNOWN.contains(key)) {
        LOG.warn("unknown setting wovyr.storage.{} is ignored; known are {}", key, KNOWN);
      }
    }
    return new DynamoDbSettings(
        table(settings.getOrDefault(TABLE, DEFAULT_TABLE)),
        Optional.ofNullable(settings.get(REGION)).filter(region -> !region.isBlank()),
        Optional.ofNullable(settings.get(ENDPOINT)).map(DynamoDbSettings::endpoint),
        credentials(settings.get(ACCESS_KEY_ID), settings.get(SECRET_ACCESS_KEY)),
        number(settings, SHARDS, 16, 64),
        number(settings, CONNECTIONS, 64, 1_000),
        flag(settings.get(POINT_IN_TIME_RECOVERY)));
  }

  private static String table(String name) {
    if (!TABLE_NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "wovyr.storage.table must be 3 to 255 letters, digits and _.-, not " + name);
    }
    return name;
  }

  private static URI endpoint(String value) {
    URI endpoint;
    try {
      endpoint = new URI(value);
    } catch (java.net.URISyntaxException e) {
      throw new InvalidInput("wovyr.storage.endpoint is not an address: " + e.getReason());
    }
    if (endpoint.getHost() == null) {
      throw new InvalidInput("wovyr.storage.endpoint names no host: " + value);
    }
    if (endpoint.getUserInfo() != null) {
      throw new InvalidInput(
          "wovyr.storage.endpoint must not have a user in it: give access-key-id and"
              + " secret-access-key");
    }
    if ("https".equals(endpoint.getScheme())) {
      return endpoint;
    }
    if (!"http".equals(endpoint.getScheme())) {
      throw new InvalidInput("wovyr.storage.endpoint must be https, not " + value);
    }
    if (!isLoopback(endpoint)) {
      throw new InvalidInput(
          "wovyr.storage.endpoint is http, and %s is not this machine: use https"
              .formatted(endpoint.getHost()));
    }
    return endpoint;
  }

  private static boolean isLoopback(URI endpoint) {
    return LOOPBACK.contains(endpoint.getHost());
  }

  /** Whether it leads to an endpoint on this machine. */
  boolean isLocal() {
    return endpoint.filter(DynamoDbSettings::isLoopback).isPresent();
  }

  private static Optional<Credentials> credentials(@Nullable String id, @Nullable String secret) {
    if (id == null && secret == null) {
      return Optional.empty();
    }
    if (id == null || secret == null || id.isBlank() || secret.isBlank()) {
      throw new InvalidInput(
          "wovyr.storage.access-key-id and wovyr.storage.secret-access-key go together");
    }
    return Optional.of(new Credentials(id, secret));
  }

  private static int number(Map<String, String> settings, String name, int standard, int most) {
    String value = settings.get(name);
    if (value == null) {
      return standard;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for every other wrong value.
    }
    throw new InvalidInput("wovyr.storage.%s must be 1 to %d, not %s".formatted(name, most, value));
  }

  private static boolean flag(@Nullable String value) {
    if (value == null || value.equals("false")) {
      return false;
    }
    if (value.equals("true")) {
      return true;
    }
    throw new InvalidInput("wovyr.storage.point-in-time-recovery must be true or false");
  }
}
