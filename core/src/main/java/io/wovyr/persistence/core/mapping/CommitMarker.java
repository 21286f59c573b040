/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.RecordHeader;
import java.time.Instant;
import java.util.UUID;

/**
 * Tells that a commit without an append-only row applied, or that it never will. Immutable.
 *
 * @param commitId of the commit it speaks of
 * @param voided true: the commit did not apply and, since this marker holds its place, never will
 * @param expiresAt when the marker may be removed; the outcome is undecided from then on
 */
public record CommitMarker(RecordHeader header, UUID commitId, boolean voided, Instant expiresAt) {}
