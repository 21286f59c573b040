/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

import io.wovyr.persistence.RecordHeader;
import java.util.Optional;
import java.util.UUID;

/**
 * What may change about a checkpoint: whether it is valid, and who wants it kept. A checkpoint
 * without a mark is valid and not pinned.
 *
 * @param reason why it is invalid, for people; stored in clear: no values, nothing of a person
 * @param pinnedBy who wants it kept; empty: nobody
 * @param pinReason why; stored in clear, as {@code reason}
 * @since 0.1
 */
public record CheckpointMark(
    RecordHeader header,
    UUID executionId,
    UUID checkpointId,
    CheckpointValidity validity,
    Optional<String> reason,
    Optional<String> pinnedBy,
    Optional<String> pinReason) {}
