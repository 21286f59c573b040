/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.internal.StoredValues;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Something that begins by the clock.
 *
 * @param kind {@code cron}, {@code every} or {@code once}
 * @param expression of cron; the interval (ISO 8601); the instant
 * @param zone of cron
 * @param anchor of an interval
 * @param nextFireAt when it fires next; empty when it is paused or over
 * @param lastFireAt the time by the timing of its last fire
 * @param fires how often it fired
 * @since 0.1
 */
public record Schedule(
    RecordHeader header,
    String name,
    String kind,
    String expression,
    Optional<String> zone,
    Optional<Instant> anchor,
    String definitionName,
    int definitionVersion,
    String definitionDigest,
    Misfire misfire,
    Duration misfireAfter,
    Optional<Instant> notBefore,
    Optional<Instant> notAfter,
    boolean paused,
    Optional<Instant> nextFireAt,
    Optional<Instant> lastFireAt,
    long fires,
    Optional<StoredPayload> input) {
  /**
   * When it fires.
   *
   * @throws UnsupportedVersion for a kind or a time zone that is not known here, and for an
   *     interval or a time that this version does not allow
   */
  public Timing timing() {
    return StoredValues.typed("the timing of schedule " + name, this::stored);
  }

  private Timing stored() {
    return switch (kind) {
      case "cron" -> new Timing.Cron(expression, ZoneId.of(zone.orElse("UTC")));
      case "every" ->
          new Timing.Every(Duration.parse(expression), anchor.orElse(header.createdAt()));
      case "once" -> new Timing.Once(Instant.parse(expression));
      default ->
          throw new UnsupportedVersion(
              "schedule " + name + " is of kind '" + kind + "', which is not known here");
    };
  }

  /**
   * What each fire creates an execution of.
   *
   * @throws UnsupportedVersion when this version does not allow such a name, version or digest
   */
  public DefinitionRef definition() {
    return StoredValues.typed(
        "the definition of schedule " + name,
        () -> new DefinitionRef(definitionName, definitionVersion, definitionDigest));
  }
}
