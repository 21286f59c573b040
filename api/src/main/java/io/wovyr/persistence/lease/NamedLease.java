/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import io.wovyr.persistence.RecordHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A lease on a name instead of an execution (a sequencer, a garbage collector, a schedule), with
 * the same algorithm. Immutable view of its record.
 *
 * @since 0.1
 */
public record NamedLease(
    RecordHeader header,
    String name,
    long fencingToken,
    Optional<String> owner,
    Optional<UUID> leaseId,
    Optional<Instant> leaseExpiresAt,
    Optional<Duration> leaseTtl,
    long renewals) {}
