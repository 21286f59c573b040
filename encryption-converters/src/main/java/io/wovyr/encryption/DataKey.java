/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import java.util.UUID;

/** A data key ready for use. Immutable; nothing writes to {@code secret} or shows it. */
@SuppressWarnings("ArrayRecordComponent") // Never compared, never leaves this package.
record DataKey(UUID id, byte[] secret) {
  static final int BYTES = 32;

  @Override
  public String toString() {
    return "data key " + id;
  }
}
