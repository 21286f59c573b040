/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.metrics.MetricsSnapshot;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A row of {@link MetricsSnapshot}. */
@Entity(name = "MetricsSnapshot")
@Table(name = "metrics_snapshot")
@IdClass(MetricsSnapshotEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class MetricsSnapshotEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID id) implements Serializable {}

  @Id
  @Column(name = "id", nullable = false, updatable = false)
  UUID id;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "taken_at", nullable = false)
  Instant takenAt;

  @Column(name = "source", nullable = false, length = 255)
  String source;

  @Convert(converter = TextListConverter.class)
  @Column(name = "readings", nullable = false)
  List<String> readings;
}
