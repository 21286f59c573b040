/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/** The second opinion: the same functions by Bouncy Castle, used in tests only. */
final class BouncyGcm {
  private BouncyGcm() {}

  static byte[] seal(byte[] key, byte[] nonce, byte[] plain, byte[] associatedData) {
    return run(true, key, nonce, plain, associatedData);
  }

  static byte[] open(byte[] key, byte[] nonce, byte[] sealed, byte[] associatedData) {
    return run(false, key, nonce, sealed, associatedData);
  }

  static byte[] workingKey(byte[] dataKey, byte[] salt) {
    return hkdf(
        dataKey, salt, "wovyr-sealing-1 working key".getBytes(StandardCharsets.US_ASCII), 32);
  }

  static byte[] hkdf(byte[] secret, byte[] salt, byte[] info, int length) {
    HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(secret, salt, info));
    byte[] output = new byte[length];
    generator.generateBytes(output, 0, length);
    return output;
  }

  private static byte[] run(boolean seal, byte[] key, byte[] nonce, byte[] in, byte[] associated) {
    var cipher = GCMBlockCipher.newInstance(AESEngine.newInstance());
    cipher.init(seal, new AEADParameters(new KeyParameter(key), 128, nonce, associated));
    byte[] out = new byte[cipher.getOutputSize(in.length)];
    int length = cipher.processBytes(in, 0, in.length, out, 0);
    try {
      cipher.doFinal(out, length);
    } catch (InvalidCipherTextException e) {
      throw new IllegalArgumentException("does not open", e);
    }
    return out;
  }
}
