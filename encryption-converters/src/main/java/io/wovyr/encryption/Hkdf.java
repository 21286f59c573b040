/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with HMAC-SHA-256 (RFC 5869). Stateless, thread-safe. */
public final class Hkdf {
  private static final String HMAC = "HmacSHA256";
  private static final int HASH_BYTES = 32;
  private static final int MAX_BLOCKS = 255;

  private Hkdf() {}

  /**
   * Extract, then expand.
   *
   * @param secret the input keying material
   * @param salt not secret; empty: as many zeros as a hash is long
   * @param info what the output is for
   * @param length of the output in bytes, at most 8,160
   */
  public static byte[] derive(byte[] secret, byte[] salt, byte[] info, int length) {
    if (length < 0 || length > MAX_BLOCKS * HASH_BYTES) {
      throw new IllegalArgumentException("HKDF gives at most 8160 bytes, not " + length);
    }
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(salt.length == 0 ? new byte[HASH_BYTES] : salt, HMAC));
      byte[] extracted = mac.doFinal(secret);
      mac.init(new SecretKeySpec(extracted, HMAC));
      Arrays.fill(extracted, (byte) 0);
      return expand(mac, info, length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no HMAC-SHA-256", e);
    }
  }

  private static byte[] expand(Mac mac, byte[] info, int length) {
    byte[] output = new byte[length];
    byte[] block = {};
    int done = 0;
    for (int counter = 1; done < length; counter++) {
      mac.update(block);
      mac.update(info);
      mac.update((byte) counter);
      block = mac.doFinal();
      int take = Math.min(block.length, length - done);
      System.arraycopy(block, 0, output, done, take);
      done += take;
    }
    return output;
  }
}
