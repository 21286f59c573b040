/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.Optional;
import java.util.UUID;

/**
 * What may change about a checkpoint: whether it is valid, and who wants it kept. A checkpoint
 * without a mark is valid and not pinned.
 *
 * @param reason why it is invalid, in clear, as versions before stored it; empty in all marks
 *     written since. {@link CheckpointRecords#reason} tells either
 * @param pinnedBy who wants it kept; empty: nobody
 * @param pinReason why, in clear, as {@code reason}; {@link CheckpointRecords#pinReason} tells
 *     either
 * @param sealedReason why it is invalid, a sensitive value: {@link CheckpointRecords#reason} opens
 *     it
 * @param sealedPinReason why it is wanted, a sensitive value: {@link CheckpointRecords#pinReason}
 *     opens it
 * @since 0.1
 */
public record CheckpointMark(
    RecordHeader header,
    UUID executionId,
    UUID checkpointId,
    CheckpointValidity validity,
    Optional<String> reason,
    Optional<String> pinnedBy,
    Optional<String> pinReason,
    Optional<StoredPayload> sealedReason,
    Optional<StoredPayload> sealedPinReason) {}
