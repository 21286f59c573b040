/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.audit.AuditDetails;
import io.wovyr.persistence.audit.AuditLog;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The audit log of one tenant. Thread-safe. */
final class CoreAudit implements AuditLog {
  private final TenantAccess access;

  CoreAudit(TenantAccess access) {
    this.access = access;
  }

  @Override
  public Change record(NewAuditRecord audited) {
    access.require(Permission.WRITE_AUDIT);
    return unchecked(audited);
  }

  /** For what is audited whatever the caller's roles are: what it was refused. */
  Change unchecked(NewAuditRecord audited) {
    RecordHeader header = TenantAccess.unsavedHeader();
    Optional<StoredPayload> details =
        access.seal(detailsKey(header), header, "details", audited.details());
    AuditRecord entry =
        new AuditRecord(
            header,
            access.now(),
            audited.action(),
            audited.outcome(),
            audited.subjectType(),
            audited.subjectId(),
            audited.correlationId(),
            details.map(StoredPayload::commitment));
    return access.change(
        unit -> {
          unit.insertRecord(entry);
          if (details.isPresent()) {
            unit.insertRecord(new AuditDetails(header, details));
          }
        });
  }

  @Override
  public CommitResult append(NewAuditRecord audited) {
    return access.unit().apart().with(record(audited)).commit();
  }

  @Override
  public Optional<AuditRecord> find(UUID id) {
    access.require(Permission.READ_AUDIT);
    return access.find(AuditRecord.class, id);
  }

  @Override
  public Page<AuditRecord> list(
      Instant fromInclusive, Instant toExclusive, int limit, Optional<String> after) {
    access.require(Permission.READ_AUDIT);
    Pages.checkLimit(limit);
    return access.page(
        AuditRecord.class,
        Scan.byPath(RecordTypes.AUDIT_RECORD, "by_time", List.of(), limit)
            .from(Inputs.bound(fromInclusive))
            .to(Inputs.bound(toExclusive))
            .after(after));
  }

  @Override
  public Page<AuditRecord> about(
      String subjectType, String subjectId, int limit, Optional<String> after) {
    access.require(Permission.READ_AUDIT);
    Pages.checkLimit(limit);
    List<Object> subject =
        List.of(
            Inputs.name("audit subject type", subjectType),
            Inputs.name("audit subject id", subjectId));
    return access.page(
        AuditRecord.class,
        Scan.byPath(RecordTypes.AUDIT_RECORD, "by_subject", subject, limit).after(after));
  }

  @Override
  public Optional<Payload> details(AuditRecord entry) {
    access.require(Permission.READ_AUDIT);
    return access
        .find(AuditDetails.class, entry.id())
        .flatMap(AuditDetails::details)
        .map(
            stored ->
                access
                    .engine()
                    .sealer()
                    .open(
                        stored,
                        access.binding(detailsKey(entry.header()), entry.header(), "details")));
  }

  private static Key detailsKey(RecordHeader entry) {
    return Key.of(RecordTypes.AUDIT_DETAILS, entry.id());
  }
}
