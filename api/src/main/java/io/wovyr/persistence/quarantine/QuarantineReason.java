/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.quarantine;

/**
 * Why a record cannot be read here.
 *
 * @since 0.1
 */
public enum QuarantineReason {
  /** A newer version wrote it: that one reads it. */
  NEWER_VERSION,
  /** Its bytes are not what its type says: a backup may have it. */
  CORRUPT
}
