/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import jakarta.persistence.IdClass;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of one type into entities and back, attribute by attribute: fields are named as the
 * attributes of the {@link RecordType} are. Immutable.
 */
public final class EntityMapping {
  private final RecordType type;
  private final Class<? extends RecordEntity> entityClass;
  private final Constructor<? extends RecordEntity> constructor;
  private final Constructor<?> idConstructor;
  private final List<Field> keyFields = new ArrayList<>();
  private final List<Field> fields = new ArrayList<>();

  EntityMapping(RecordType type, Class<? extends RecordEntity> entityClass) {
    this.type = type;
    this.entityClass = entityClass;
    try {
      constructor = entityClass.getDeclaredConstructor();
      idConstructor =
          Objects.requireNonNull(entityClass.getAnnotation(IdClass.class), "IdClass")
              .value()
              .getDeclaredConstructors()[0];
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

  /** The id of the entity with this key. */
  public Object id(String tenantId, Key key) {
    List<Object> arguments = new ArrayList<>();
    arguments.add(tenantId);
    arguments.addAll(key.values());
    try {
      return idConstructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no id for " + type, e);
    }
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

  /** The row of an entity. */
  public Row row(Object loaded) {
    RecordEntity entity = (RecordEntity) loaded;
    try {
      List<Object> key = new ArrayList<>(keyFields.size());
      for (Field field : keyFields) {
        key.add(field.get(entity));
      }
      List<@Nullable Object> values = new ArrayList<>(fields.size());
      for (Field field : fields) {
        values.add(field.get(entity));
      }
      return new Row(new Key(type, key), header(entity), values);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("no row for " + type, e);
    }
  }

  private static RecordHeader header(RecordEntity entity) {
    byte[] extra = entity.extra;
    return new RecordHeader(
        entity.recordId,
        entity.tenantId,
        entity.version,
        entity.createdAt,
        entity.updatedAt,
        entity.updatedBy,
        entity.schemaVersion,
        entity.entityVersion,
        entity.serializationVersion,
        extra == null ? Bytes.EMPTY : Bytes.wrap(extra));
  }
}
