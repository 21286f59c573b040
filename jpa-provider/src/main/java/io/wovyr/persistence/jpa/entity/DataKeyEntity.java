/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.UUID;

/** A row of {@link WrappedDataKey}. */
@Entity(name = "DataKey")
@Table(name = "data_key")
@IdClass(DataKeyEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class DataKeyEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String scope, int number) implements Serializable {}

  @Id
  @Column(name = "scope", nullable = false, updatable = false, length = 32)
  String scope;

  @Id
  @Column(name = "number", nullable = false, updatable = false)
  int number;

  @Column(name = "key_id", nullable = false)
  UUID keyId;

  @Column(name = "wrapping_key_id", nullable = false, length = 255)
  String wrappingKeyId;

  @Convert(converter = BytesConverter.class)
  @Column(name = "wrapped", nullable = false)
  Bytes wrapped;
}
