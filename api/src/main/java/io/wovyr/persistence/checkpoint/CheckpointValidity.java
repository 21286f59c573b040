/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

/**
 * Whether recovery may use a checkpoint.
 *
 * @since 0.1
 */
public enum CheckpointValidity {
  VALID,
  /** Its bytes or its state hash are not what they should be: never used, kept for inquiry. */
  INVALID
}
