/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

/**
 * What a checkpoint holds.
 *
 * @since 0.1
 */
public enum CheckpointKind {
  /** The complete state. */
  FULL,
  /** What changed since the checkpoint it is based on. */
  INCREMENTAL
}
