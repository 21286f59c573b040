/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM under a key derived from a data key and a salt. Thread-safe.
 *
 * <h2>Security</h2>
 *
 * <p>A nonce is never used twice under one key (NIST SP 800-38D, 8.2.1): the process that drew the
 * salt is the only one that seals under the key, and it counts. A counter leaves nothing to chance,
 * where random 96-bit nonces would come under the bound of 2^32 uses (8.3) with a remaining risk.
 * The count is never stored: a new process draws a new salt.
 */
final class WorkingKey {
  private static final int TAG_BITS = Byte.SIZE * SealedLayout.TAG_BYTES;
  private static final int BLOCK_BYTES = 16;
  private static final int KEY_LENGTH = 32;

  /**
   * A whole large array in one call stays in slow interpreted code for its first hundreds of calls;
   * pieces of this size are compiled at once.
   */
  private static final int PIECE_BYTES = 16 * 1024;

  private final byte[] header;
  private final SecretKeySpec key;
  private final CipherPool ciphers = new CipherPool();
  private final Limit limit;
  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong blocks = new AtomicLong();

  private WorkingKey(byte[] header, SecretKeySpec key, Limit limit) {
    this.header = header;
    this.key = key;
    this.limit = limit;
  }

  static WorkingKey derive(byte[] dataKey, UUID dataKeyId, byte[] salt, Limit limit) {
    byte[] derived = Hkdf.derive(dataKey, salt, SealedLayout.WORKING_KEY_INFO, KEY_LENGTH);
    WorkingKey key =
        of(SealedLayout.keyHeader(SealedLayout.NEWEST, dataKeyId, salt), derived, limit);
    Arrays.fill(derived, (byte) 0);
    return key;
  }

  /** A key that was derived already. */
  static WorkingKey of(byte[] header, byte[] derived, Limit limit) {
    return new WorkingKey(header, new SecretKeySpec(derived, "AES"), limit);
  }

  /** What a value of this version begins with: version, data key id and salt. */
  byte[] header(int version) {
    byte[] own = header.clone();
    own[0] = (byte) version;
    return own;
  }

  /**
   * Takes the next use of this key for a value of this length.
   *
   * @return its number, or -1 when the key has reached its limit and must seal nothing more
   */
  long take(int length) {
    long sealedBlocks = (long) length / BLOCK_BYTES + 1;
    if (blocks.addAndGet(sealedBlocks) > limit.blocks()) {
      return -1;
    }
    long use = uses.getAndIncrement();
    return use < limit.uses() ? use : -1;
  }

  /**
   * The sealed bytes of {@code plain}.
   *
   * @param header of the version that the associated data is of, see {@link #header}
   * @param use comes from {@link #take} and is used once
   */
  byte[] seal(byte[] header, byte[] plain, long use, byte[] associatedData) {
    byte[] out = new byte[Math.addExact(plain.length, SealedLayout.OVERHEAD_BYTES)];
    ByteBuffer.wrap(out).put(header).putInt(0).putLong(use);
    try {
      Cipher cipher = ciphers.take();
      cipher.init(Cipher.ENCRYPT_MODE, key, nonceIn(out));
      cipher.updateAAD(associatedData);
      int from = 0;
      int to = SealedLayout.HEADER_BYTES;
      while (plain.length - from > PIECE_BYTES) {
        to += cipher.update(plain, from, PIECE_BYTES, out, to);
        from += PIECE_BYTES;
      }
      cipher.doFinal(plain, from, plain.length - from, out, to);
      ciphers.giveBack(cipher);
      return out;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not seal", e);
    }
  }

  /**
   * The plain bytes.
   *
   * @throws GeneralSecurityException when the bytes were not sealed by this key, like this, here
   */
  byte[] open(byte[] sealed, byte[] associatedData) throws GeneralSecurityException {
    Cipher cipher = ciphers.take();
    cipher.init(Cipher.DECRYPT_MODE, key, nonceIn(sealed));
    cipher.updateAAD(associatedData);
    byte[] plain =
        cipher.doFinal(
            sealed, SealedLayout.HEADER_BYTES, sealed.length - SealedLayout.HEADER_BYTES);
    ciphers.giveBack(cipher);
    return plain;
  }

  private static GCMParameterSpec nonceIn(byte[] sealed) {
    return new GCMParameterSpec(TAG_BITS, sealed, SealedLayout.KEY_BYTES, SealedLayout.NONCE_BYTES);
  }

  /**
   * How much one working key seals before the next is derived.
   *
   * @param uses values; below the 2^32 of NIST SP 800-38D, 8.3
   * @param blocks of 16 bytes; 2^36 keep an attacker's advantage below 2^-56
   */
  record Limit(long uses, long blocks) {
    static final Limit STANDARD = new Limit(1L << 31, 1L << 36);
  }
}
