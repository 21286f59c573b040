/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.audit.AuditDetails;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.NamedLease;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.secret.SecretRecord;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The mapper of every record there is, made once. Thread-safe. */
public final class RecordMappers {
  /**
   * Version 2 has a history of attempts where version 1 had the newest reason; its content type
   * tells which of the two a value is (docs/format/attempts.md), so older rows stay as they are.
   */
  private static final List<Upcaster> WITH_ATTEMPTS = List.of(older -> older);

  /**
   * Version 2 seals the reasons of marks. Those of version 1 are in attributes of their own, in
   * clear, and are told from there until the mark changes.
   */
  private static final List<Upcaster> WITH_SEALED_REASONS = List.of(older -> older);

  /** One line for each record type. */
  private static final List<RecordMapper<?>> ALL =
      List.of(
          RecordMapper.of(WorkflowExecution.class, RecordTypes.EXECUTION),
          RecordMapper.of(ExecutionHead.class, RecordTypes.HEAD),
          RecordMapper.of(WorkflowEvent.class, RecordTypes.EVENT),
          RecordMapper.of(NamedLease.class, RecordTypes.NAMED_LEASE),
          RecordMapper.of(CommitMarker.class, RecordTypes.COMMIT_MARKER),
          RecordMapper.of(RegisteredCursor.class, RecordTypes.FEED_CURSOR),
          RecordMapper.of(WorkflowDefinition.class, RecordTypes.DEFINITION),
          RecordMapper.of(ActivityExecution.class, RecordTypes.ACTIVITY),
          RecordMapper.of(RetryRecord.class, RecordTypes.RETRY, WITH_ATTEMPTS),
          RecordMapper.of(CompensationRecord.class, RecordTypes.COMPENSATION, WITH_ATTEMPTS),
          RecordMapper.of(Schedule.class, RecordTypes.SCHEDULE),
          RecordMapper.of(AuditRecord.class, RecordTypes.AUDIT_RECORD),
          RecordMapper.of(AuditDetails.class, RecordTypes.AUDIT_DETAILS),
          RecordMapper.of(MetricsSnapshot.class, RecordTypes.METRICS_SNAPSHOT),
          RecordMapper.of(WorkflowCheckpoint.class, RecordTypes.CHECKPOINT),
          RecordMapper.of(CheckpointMark.class, RecordTypes.CHECKPOINT_MARK, WITH_SEALED_REASONS),
          RecordMapper.of(SecretRecord.class, RecordTypes.SECRET),
          RecordMapper.of(DataKey.class, RecordTypes.DATA_KEY),
          RecordMapper.of(LargeValue.class, RecordTypes.LARGE_VALUE),
          RecordMapper.of(Chunk.class, RecordTypes.CHUNK));

  private static final Map<Class<?>, RecordMapper<?>> BY_CLASS =
      ALL.stream()
          .collect(Collectors.toUnmodifiableMap(RecordMapper::recordClass, Function.identity()));

  private static final Map<RecordType, RecordMapper<?>> BY_TYPE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(RecordMapper::type, Function.identity()));

  private RecordMappers() {}

  /**
   * The mapper of a record class.
   *
   * @throws IllegalArgumentException when the class is not registered here
   */
  @SuppressWarnings("unchecked") // Each entry's key is its mapper's own record class.
  public static <T> RecordMapper<T> of(Class<T> recordClass) {
    return (RecordMapper<T>) known(BY_CLASS.get(recordClass), recordClass);
  }

  /**
   * The mapper of a record type, for code that learns the type from a row.
   *
   * @throws IllegalArgumentException when the type is not registered here
   */
  public static RecordMapper<?> of(RecordType type) {
    return known(BY_TYPE.get(type), type);
  }

  private static RecordMapper<?> known(@Nullable RecordMapper<?> mapper, Object what) {
    if (mapper == null) {
      throw new IllegalArgumentException(what + " is not registered in RecordMappers");
    }
    return mapper;
  }
}
