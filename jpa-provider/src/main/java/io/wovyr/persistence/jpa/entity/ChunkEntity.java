/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.UUID;
import org.hibernate.annotations.Immutable;

/** {@link io.wovyr.persistence.storage.spi.RecordTypes#CHUNK} as a row. */
@Entity(name = "Chunk")
@Table(name = "chunk")
@IdClass(ChunkEntity.Key.class)
@Immutable
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class ChunkEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID valueId, int number) implements Serializable {}

  @Id
  @Column(name = "value_id", nullable = false, updatable = false)
  UUID valueId;

  @Id
  @Column(name = "number", nullable = false, updatable = false)
  int number;

  @Convert(converter = BytesConverter.class)
  @Column(name = "content", nullable = false)
  Bytes content;
}
