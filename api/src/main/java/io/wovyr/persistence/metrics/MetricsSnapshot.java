/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.metrics;

import io.wovyr.persistence.RecordHeader;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Values of metrics at one time.
 *
 * @param takenAt by the sampler's clock
 * @param source who took it, such as {@code storage}
 * @param readings {@code name=number}, by name
 * @since 0.1
 */
public record MetricsSnapshot(
    RecordHeader header, Instant takenAt, String source, List<String> readings) {
  public MetricsSnapshot {
    readings = List.copyOf(readings);
  }

  /** Its id, time-ordered. */
  public UUID id() {
    return header.id();
  }
}
