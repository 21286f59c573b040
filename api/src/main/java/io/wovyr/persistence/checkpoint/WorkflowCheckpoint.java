/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The manifest of a checkpoint, never changed once written: what it is, what it proves and where
 * its bytes lie. One per (execution, cursor, kind, generation).
 *
 * @param workflowId the execution's name
 * @param workflowVersion version of the definition it ran
 * @param definitionDigest digest of that definition's body, as the execution carries it; empty
 *     where the execution has none. A state is not restored under another definition's digest
 * @param checkpointVersion version of the container format
 * @param eventCursor last event in it; replay begins after it
 * @param generation 1, and one more after an invalid checkpoint at the same cursor
 * @param baseId for an incremental one, the checkpoint it is based on
 * @param chainLength 0 for a full one, else one more than its base's
 * @param workerId who made it
 * @param fencingToken under which lease
 * @param stateVersion version of the state's canonical form
 * @param stateHash root hash of the state
 * @param currentState status of the execution at the cursor
 * @param activeNodes names of the definition's nodes that were active
 * @param completedNodes how many nodes were completed
 * @param variables how many variables there were
 * @param activityResults how many activities had a result
 * @param pendingEvents how many events lay after the cursor when it was made
 * @param leaseOwner who held the execution
 * @param metadata {@code name=value}, not sensitive
 * @param triggeredBy the policy's trigger, or what the person gave
 * @param milestone kept by retention as such
 * @param expiresAt when retention may delete it, by its policy at that time
 * @param codec {@code cbor}, {@code msgpack} or {@code json}
 * @param compression {@code zstd}, {@code gzip}, {@code lz4} or {@code none}
 * @param encryptionVersion version of the encryption's format, 0: not encrypted
 * @param keyId data key, when encrypted
 * @param storeName checkpoint store
 * @param location where in that store; opaque
 * @param storedBytes size as stored
 * @param stateBytes size before compression
 * @param digest SHA-256 of the stored bytes
 * @param signature optional
 * @since 0.1
 */
public record WorkflowCheckpoint(
    RecordHeader header,
    UUID executionId,
    UUID checkpointId,
    String workflowId,
    int workflowVersion,
    Optional<String> definitionDigest,
    int checkpointVersion,
    CheckpointKind kind,
    CheckpointOrigin origin,
    String triggeredBy,
    long eventCursor,
    int generation,
    Optional<UUID> baseId,
    int chainLength,
    String workerId,
    long fencingToken,
    int stateVersion,
    Bytes stateHash,
    String currentState,
    List<String> activeNodes,
    int completedNodes,
    int variables,
    int activityResults,
    int pendingEvents,
    Optional<String> leaseOwner,
    List<String> metadata,
    boolean milestone,
    Optional<Instant> expiresAt,
    String codec,
    String compression,
    int encryptionVersion,
    Optional<String> keyId,
    String storeName,
    String location,
    long storedBytes,
    long stateBytes,
    Bytes digest,
    Optional<Bytes> signature) {
  public WorkflowCheckpoint {
    activeNodes = List.copyOf(activeNodes);
    metadata = List.copyOf(metadata);
  }
}
