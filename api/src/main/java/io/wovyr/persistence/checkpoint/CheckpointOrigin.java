/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.checkpoint;

/**
 * Who wanted a checkpoint.
 *
 * @since 0.1
 */
public enum CheckpointOrigin {
  /** A policy. */
  AUTOMATIC,
  /** A person or program, by API or command. */
  MANUAL
}
