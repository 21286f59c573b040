/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;

/** {@link io.wovyr.persistence.feed.RegisteredCursor} as a row. */
@Entity(name = "FeedCursor")
@Table(name = "feed_cursor")
@IdClass(FeedCursorEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class FeedCursorEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String name) implements Serializable {}

  @Id
  @Column(name = "name", nullable = false, updatable = false, length = 255)
  String name;

  @Column(name = "epoch", nullable = false)
  long epoch;

  @Column(name = "position", nullable = false, length = 255)
  String position;
}
