/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.envers.AuditTable;
import org.hibernate.envers.Audited;

/** The entity class of every record type. Thread-safe. */
public final class Entities {
  private static final Map<RecordType, EntityMapping> MAPPINGS = new LinkedHashMap<>();

  static {
    add(RecordTypes.EXECUTION, WorkflowExecutionEntity.class);
    add(RecordTypes.HEAD, ExecutionHeadEntity.class);
    add(RecordTypes.EVENT, WorkflowEventEntity.class);
    add(RecordTypes.NAMED_LEASE, NamedLeaseEntity.class);
    add(RecordTypes.COMMIT_MARKER, CommitMarkerEntity.class);
    add(RecordTypes.FEED_CURSOR, FeedCursorEntity.class);
    add(RecordTypes.DEFINITION, WorkflowDefinitionEntity.class);
    add(RecordTypes.ACTIVITY, ActivityExecutionEntity.class);
    add(RecordTypes.RETRY, RetryRecordEntity.class);
    add(RecordTypes.COMPENSATION, CompensationRecordEntity.class);
    add(RecordTypes.SCHEDULE, ScheduleEntity.class);
    add(RecordTypes.AUDIT_RECORD, AuditRecordEntity.class);
    add(RecordTypes.AUDIT_DETAILS, AuditDetailsEntity.class);
    add(RecordTypes.METRICS_SNAPSHOT, MetricsSnapshotEntity.class);
    add(RecordTypes.CHECKPOINT, WorkflowCheckpointEntity.class);
    add(RecordTypes.CHECKPOINT_MARK, CheckpointMarkEntity.class);
    add(RecordTypes.SECRET, SecretRecordEntity.class);
    add(RecordTypes.DATA_KEY, DataKeyEntity.class);
    add(RecordTypes.LARGE_VALUE, LargeValueEntity.class);
    add(RecordTypes.CHUNK, ChunkEntity.class);
  }

  private Entities() {}

  private static void add(RecordType type, Class<? extends RecordEntity> entity) {
    MAPPINGS.put(type, new EntityMapping(type, entity));
  }

  /** From rows of this type to entities. */
  public static EntityMapping of(RecordType type) {
    EntityMapping mapping = MAPPINGS.get(type);
    if (mapping == null) {
      throw new IllegalArgumentException("no entity for record type " + type);
    }
    return mapping;
  }

  /** True for types whose history Hibernate Envers keeps. */
  public static boolean isAudited(RecordType type) {
    return of(type).entityClass().isAnnotationPresent(Audited.class);
  }

  /** The table with the history of an audited type. */
  public static String historyTable(RecordType type) {
    return of(type).entityClass().getAnnotation(AuditTable.class).value();
  }

  /** All entity classes. */
  public static List<Class<?>> classes() {
    return MAPPINGS.values().stream().<Class<?>>map(EntityMapping::entityClass).toList();
  }
}
