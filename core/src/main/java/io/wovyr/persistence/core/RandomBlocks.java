/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.payload.PayloadSealer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Random;

/**
 * Bytes of a {@link SecureRandom}, drawn in blocks: a call of the source costs the same for ten
 * bytes as for some hundred. Each byte is handed out once, and wiped when it leaves. Not
 * thread-safe.
 */
final class RandomBlocks extends Random {
  private static final long serialVersionUID = 1L;
  private static final int BLOCK_BYTES = 320;

  private final transient SecureRandom source = PayloadSealer.newRandom();
  private final transient byte[] block = new byte[BLOCK_BYTES];
  private transient int used = BLOCK_BYTES;

  @Override
  public void nextBytes(byte[] bytes) {
    int filled = 0;
    while (filled < bytes.length) {
      if (used == block.length) {
        source.nextBytes(block);
        used = 0;
      }
      int count = Math.min(bytes.length - filled, block.length - used);
      System.arraycopy(block, used, bytes, filled, count);
      Arrays.fill(block, used, used + count, (byte) 0);
      used += count;
      filled += count;
    }
  }

  @Override
  protected int next(int bits) {
    byte[] bytes = new byte[Integer.BYTES];
    nextBytes(bytes);
    int value = 0;
    for (byte one : bytes) {
      value = (value << Byte.SIZE) | (one & 0xff);
    }
    return value >>> (Integer.SIZE - bits);
  }
}
