/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns rows of one type into entities, attribute by attribute: fields are named as the attributes
 * of the {@link RecordType} are. Immutable.
 */
public final class EntityMapping {
  private final Class<? extends RecordEntity> entityClass;
  private final Constructor<? extends RecordEntity> constructor;
  private final List<Field> keyFields = new ArrayList<>();
  private final List<Field> fields = new ArrayList<>();

  EntityMapping(RecordType type, Class<? extends RecordEntity> entityClass) {
    this.entityClass = entityClass;
    try {
      constructor = entityClass.getDeclaredConstructor();
      for (Attribute attribute : type.key()) {
        keyFields.add(entityClass.getDeclaredField(attribute.name()));
      }
      for (Attribute attribute : type.attributes()) {
        fields.add(entityClass.getDeclaredField(attribute.name()));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(entityClass + " does not fit record type " + type, e);
    }
  }

  /** The entity class. */
  public Class<? extends RecordEntity> entityClass() {
    return entityClass;
  }

  /**
   * The entity of a row.
   *
   * @param version the version the entity carries: the row's own to insert it, the stored one to
   *     update or delete
   */
  public RecordEntity entity(Row row, long version) {
    try {
      RecordEntity entity = constructor.newInstance();
      fillHeader(entity, row.header(), version);
      for (int i = 0; i < keyFields.size(); i++) {
        keyFields.get(i).set(entity, row.key().values().get(i));
      }
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).set(entity, row.values().get(i));
      }
      return entity;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no entity for " + row, e);
    }
  }

  private static void fillHeader(RecordEntity entity, RecordHeader header, long version) {
    entity.tenantId = header.tenantId();
    entity.recordId = header.id();
    entity.version = version;
    entity.createdAt = header.createdAt();
    entity.updatedAt = header.updatedAt();
    entity.updatedBy = header.updatedBy();
    entity.schemaVersion = header.schemaVersion();
    entity.entityVersion = header.entityVersion();
    entity.serializationVersion = header.serializationVersion();
    entity.extra = header.extra().size() == 0 ? null : header.extra().unsafeArray();
  }
}
