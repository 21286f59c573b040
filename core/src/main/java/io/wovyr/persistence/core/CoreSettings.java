/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.payload.PayloadCompression;
import io.wovyr.persistence.core.payload.PayloadSealer.Unsealed;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of the core, read once. All durations are ISO 8601, such as {@code PT10S}, and at
 * most a year.
 *
 * @param commitDeadline {@code wovyr.commit.deadline}: time a commit may take, retries included;
 *     PT10S
 * @param readDeadline {@code wovyr.read.deadline}: time a read may take, retries included; PT10S
 * @param retryBase {@code wovyr.retry.base}: first bound of the jittered delay between tries;
 *     PT0.005S
 * @param retryCap {@code wovyr.retry.cap}: highest bound of that delay; PT0.5S
 * @param markerTtl {@code wovyr.commit.marker-ttl}: how long the outcome of a commit without a
 *     witness of its own can be asked for; PT24H. Equal on all nodes.
 * @param leaseMargin {@code wovyr.lease.margin}: this much before its end an owner stops using a
 *     lease, at most a quarter of the lease's ttl; PT0.25S
 * @param parkAfter {@code wovyr.lease.park-after}: takeovers without progress after which an
 *     execution is parked; 16
 * @param compression {@code wovyr.payload.compress-from}: contents of at least so many bytes are
 *     compressed; 1024
 * @param unsealed {@code wovyr.sealing.unsealed}: {@code refuse} stored values that are not sealed
 *     although values are sealed now, or {@code accept} them, secrets excepted; refuse
 * @param policies {@code wovyr.policy.<name>}: the policies of definitions that give none
 * @param sampling {@code wovyr.metrics.*}: whether the store's metrics are sampled by themselves
 * @param shutdownGrace {@code wovyr.shutdown.grace}: how long closing waits for bodies of kept
 *     leases; PT10S
 */
record CoreSettings(
    Duration commitDeadline,
    Duration readDeadline,
    Duration retryBase,
    Duration retryCap,
    Duration markerTtl,
    Duration leaseMargin,
    int parkAfter,
    DefinitionPolicies policies,
    PayloadCompression compression,
    Unsealed unsealed,
    Sampling sampling,
    Duration shutdownGrace,
    int inlineLimit,
    Optional<Duration> housekeeping) {
  static final String COMMIT_DEADLINE = "wovyr.commit.deadline";
  static final String READ_DEADLINE = "wovyr.read.deadline";
  static final String RETRY_BASE = "wovyr.retry.base";
  static final String RETRY_CAP = "wovyr.retry.cap";
  static final String MARKER_TTL = "wovyr.commit.marker-ttl";
  static final String LEASE_MARGIN = "wovyr.lease.margin";
  static final String PARK_AFTER = "wovyr.lease.park-after";
  static final String COMPRESS_FROM = "wovyr.payload.compress-from";
  static final String INLINE_LIMIT = "wovyr.payload.inline-limit";
  static final String UNSEALED = "wovyr.sealing.unsealed";
  static final String SHUTDOWN_GRACE = "wovyr.shutdown.grace";
  static final String POLICY_PREFIX = "wovyr.policy.";

  /** So that what stands beside the values of a record always fits. */
  private static final int LEAST_INLINE = 8 << 10;

  /** A year: what is longer was mistyped, and its sums would not fit a clock of nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(365);

  CoreSettings {
    positive(COMMIT_DEADLINE, commitDeadline);
    positive(READ_DEADLINE, readDeadline);
    positive(RETRY_BASE, retryBase);
    positive(MARKER_TTL, markerTtl);
    if (retryCap.compareTo(retryBase) < 0) {
      throw new InvalidInput(
          RETRY_CAP + " must be at least " + RETRY_BASE + ": " + retryCap + ", " + retryBase);
    }
    if (markerTtl.compareTo(commitDeadline.multipliedBy(2)) < 0) {
      throw new InvalidInput(
          MARKER_TTL + " must be at least twice " + COMMIT_DEADLINE + ": " + markerTtl);
    }
    if (leaseMargin.isNegative()) {
      throw new InvalidInput(LEASE_MARGIN + " must not be negative: " + leaseMargin);
    }
    if (shutdownGrace.isNegative()) {
      throw new InvalidInput(SHUTDOWN_GRACE + " must not be negative: " + shutdownGrace);
    }
    if (inlineLimit < LEAST_INLINE) {
      throw new InvalidInput(
          INLINE_LIMIT + " must be at least " + LEAST_INLINE + ", not " + inlineLimit);
    }
    if (parkAfter < 1) {
      throw new InvalidInput(PARK_AFTER + " must be at least 1, not " + parkAfter);
    }
  }

  static CoreSettings from(Map<String, String> settings) {
    return new CoreSettings(
        duration(settings, COMMIT_DEADLINE, Duration.ofSeconds(10)),
        duration(settings, READ_DEADLINE, Duration.ofSeconds(10)),
        duration(settings, RETRY_BASE, Duration.ofMillis(5)),
        duration(settings, RETRY_CAP, Duration.ofMillis(500)),
        duration(settings, MARKER_TTL, Duration.ofHours(24)),
        duration(settings, LEASE_MARGIN, Duration.ofMillis(250)),
        number(settings, PARK_AFTER, 16),
        policies(settings),
        compression(settings),
        unsealed(settings),
        sampling(settings),
        duration(settings, SHUTDOWN_GRACE, Duration.ofSeconds(10)),
        number(settings, INLINE_LIMIT, 1 << 20),
        housekeeping(settings));
  }

  private static PayloadCompression compression(Map<String, String> settings) {
    PayloadCompression standard = PayloadCompression.STANDARD;
    int threshold = number(settings, COMPRESS_FROM, standard.threshold());
    if (threshold < 1) {
      throw new InvalidInput(COMPRESS_FROM + " must be at least 1, not " + threshold);
    }
    return new PayloadCompression(threshold, standard.level(), standard.maxLength());
  }

  private static Unsealed unsealed(Map<String, String> settings) {
    String text = settings.getOrDefault(UNSEALED, "refuse");
    return switch (text) {
      case "accept" -> Unsealed.ACCEPTED;
      case "refuse" -> Unsealed.REFUSED;
      default -> throw new InvalidInput(UNSEALED + " is accept or refuse, not '" + text + "'");
    };
  }

  private static Optional<Duration> housekeeping(Map<String, String> settings) {
    if (settings.getOrDefault(Housekeeper.EVERY, "").equals(Housekeeper.OFF)) {
      return Optional.empty();
    }
    Duration every = duration(settings, Housekeeper.EVERY, Duration.ofHours(1));
    positive(Housekeeper.EVERY, every);
    return Optional.of(every);
  }

  private static Sampling sampling(Map<String, String> settings) {
    boolean off = settings.getOrDefault(Sampling.EVERY, Sampling.OFF).equals(Sampling.OFF);
    return new Sampling(
        off
            ? Optional.empty()
            : Optional.of(duration(settings, Sampling.EVERY, Duration.ofMinutes(1))),
        duration(settings, Sampling.KEEP, Duration.ofDays(7)));
  }

  private static DefinitionPolicies policies(Map<String, String> settings) {
    DefinitionPolicies found = DefinitionPolicies.DEFAULTS;
    for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
      String key = setting.getKey();
      if (key.startsWith(POLICY_PREFIX)) {
        found = found.with(policy(key), checkedPolicy(key, setting.getValue()));
      }
    }
    return found;
  }

  private static Policy policy(String key) {
    return Arrays.stream(Policy.values())
        .filter(policy -> key.equals(POLICY_PREFIX + policy.policyName()))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no setting %s; of policies there are %s"
                        .formatted(
                            key,
                            Arrays.stream(Policy.values())
                                .map(policy -> POLICY_PREFIX + policy.policyName())
                                .toList())));
  }

  private static String checkedPolicy(String key, String value) {
    try {
      policy(key).check(value);
      return value;
    } catch (InvalidInput e) {
      throw new InvalidInput(
          "the setting " + key + " is no value of its policy: " + e.getMessage());
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new InvalidInput(key + " must be longer than zero, not " + value);
    }
  }

  private static Duration duration(Map<String, String> settings, String key, Duration otherwise) {
    String text = settings.get(key);
    if (text == null) {
      return otherwise;
    }
    Duration parsed;
    try {
      parsed = Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new InvalidInput(key + " is not a duration such as PT10S: '" + text + "'");
    }
    if (parsed.compareTo(LONGEST) > 0) {
      throw new InvalidInput(key + " must be at most " + LONGEST + ", not " + parsed);
    }
    return parsed;
  }

  private static int number(Map<String, String> settings, String key, int otherwise) {
    String text = settings.get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidInput(key + " is not a whole number: '" + text + "'");
    }
  }
}
