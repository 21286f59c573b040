/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.schedule.Schedule;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.envers.AuditOverride;
import org.hibernate.envers.AuditTable;
import org.hibernate.envers.Audited;
import org.hibernate.envers.NotAudited;
import org.jspecify.annotations.Nullable;

/** A row of {@link Schedule}. */
@Audited
@AuditTable("schedule_aud")
@AuditOverride(forClass = RecordEntity.class)
@Entity(name = "Schedule")
@Table(name = "schedule")
@IdClass(ScheduleEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class ScheduleEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String name) implements Serializable {}

  @Id
  @Column(name = "name", nullable = false, updatable = false, length = 255)
  String name;

  @Column(name = "kind", nullable = false, length = 32)
  String kind;

  @Column(name = "expression", nullable = false, length = 255)
  String expression;

  @Column(name = "zone", length = 255)
  @Nullable String zone;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "anchor")
  @Nullable Instant anchor;

  @Column(name = "definition_name", nullable = false, length = 255)
  String definitionName;

  @Column(name = "definition_version", nullable = false)
  int definitionVersion;

  @Column(name = "definition_digest", nullable = false, length = 128)
  String definitionDigest;

  @Column(name = "misfire", nullable = false, length = 32)
  String misfire;

  @Column(name = "misfire_after", nullable = false)
  long misfireAfter;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "not_before")
  @Nullable Instant notBefore;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "not_after")
  @Nullable Instant notAfter;

  @Column(name = "paused", nullable = false)
  boolean paused;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "next_fire_at")
  @Nullable Instant nextFireAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "last_fire_at")
  @Nullable Instant lastFireAt;

  @Column(name = "fires", nullable = false)
  long fires;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "input")
  @Nullable StoredPayload input;
}
