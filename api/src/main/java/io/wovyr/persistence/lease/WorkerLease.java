/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The lease of an execution as its head tells it: a view, not the right itself.
 *
 * @param leaseId empty while it is assigned and not yet acquired
 * @param expiresAt by the store's clock where there is one, else by the owner's (a hint)
 * @since 0.1
 */
public record WorkerLease(
    UUID executionId,
    String owner,
    Optional<UUID> leaseId,
    long token,
    Instant expiresAt,
    Duration ttl,
    long renewals,
    int acquisitionsWithoutProgress,
    Optional<Instant> dueAt) {}
