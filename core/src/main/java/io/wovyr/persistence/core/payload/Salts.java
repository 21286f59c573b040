/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.payload.StoredPayload;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Salts at the price of a copy. A {@link SecureRandom} locks, or goes to the kernel, on every call;
 * so each thread draws a block at once and hands out pieces, each piece once, wiped when it leaves.
 * Thread-safe.
 */
final class Salts {
  private static final int SALTS_PER_BLOCK = 32;

  private final SecureRandom random;

  // Of a class of the JDK, so that a server's threads do not keep this application's loader alive.
  private final ThreadLocal<ByteBuffer> blocks = ThreadLocal.withInitial(Salts::emptyBlock);

  Salts(SecureRandom random) {
    this.random = random;
  }

  /** Writes a fresh salt to the beginning of {@code target}. */
  @SuppressWarnings("ByteBufferBackingArray") // Every block is made by allocate(), below.
  void writeTo(byte[] target) {
    ByteBuffer block = blocks.get();
    if (!block.hasRemaining()) {
      random.nextBytes(block.array());
      block.clear();
    }
    int from = block.position();
    block.get(target, 0, StoredPayload.SALT_BYTES);
    Arrays.fill(block.array(), from, block.position(), (byte) 0);
  }

  private static ByteBuffer emptyBlock() {
    ByteBuffer block = ByteBuffer.allocate(SALTS_PER_BLOCK * StoredPayload.SALT_BYTES);
    return block.position(block.limit());
  }
}
