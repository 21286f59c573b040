/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.io.ByteArrayOutputStream;

/** Bytes in memory, up to a bound. Single-threaded. */
final class BoundedOutput extends ByteArrayOutputStream {
  private final int maxBytes;

  BoundedOutput(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public synchronized void write(int value) {
    check(1);
    super.write(value);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    check(length);
    super.write(bytes, offset, length);
  }

  private void check(int more) {
    if (more > maxBytes - count) {
      throw new InvalidInput("value: it is larger than " + maxBytes + " bytes");
    }
  }
}
