/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.audit;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.Optional;

/**
 * The details of an {@link AuditRecord} of the same id, with the salt of their commitment inside
 * the sealed payload.
 *
 * @since 0.1
 */
public record AuditDetails(RecordHeader header, Optional<StoredPayload> details) {}
