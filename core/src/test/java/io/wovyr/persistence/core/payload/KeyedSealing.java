/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-GCM under one key in memory, for tests: really sealed, really bound. */
final class KeyedSealing implements SealingProvider {
  static final int CODEC = 255;

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();
  private volatile boolean available = true;

  KeyedSealing(int seed) {
    byte[] bytes = new byte[32];
    java.util.Arrays.fill(bytes, (byte) seed);
    key = new SecretKeySpec(bytes, "AES");
  }

  void loseKey() {
    available = false;
  }

  @Override
  public String name() {
    return "keyed";
  }

  @Override
  public Sealed seal(Bytes plain, Binding binding) {
    byte[] nonce = new byte[12];
    random.nextBytes(nonce);
    byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, plain.toByteArray(), binding);
    byte[] all = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    return new Sealed(CODEC, Optional.of("key-1"), Bytes.wrap(all));
  }

  @Override
  public Bytes open(Sealed sealed, Binding binding) {
    ByteBuffer in = sealed.bytes().asReadOnlyBuffer();
    if (in.remaining() < 28) {
      throw new Corrupt("sealed bytes are cut", null);
    }
    byte[] nonce = new byte[12];
    in.get(nonce);
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return Bytes.wrap(run(Cipher.DECRYPT_MODE, nonce, rest, binding));
  }

  private byte[] run(int mode, byte[] nonce, byte[] input, Binding binding) {
    if (!available) {
      throw new Unavailable("key-1 cannot be had now", null);
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(128, nonce));
      cipher.updateAAD(place(binding).getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(input);
    } catch (GeneralSecurityException e) {
      throw new Corrupt("sealed bytes do not open", e);
    }
  }

  // Written out, so that stored files stay readable when the record's own text changes.
  private static String place(Binding binding) {
    String place =
        String.join(
            "\n",
            binding.tenantId(),
            binding.recordType(),
            binding.attributePath(),
            binding.originId().toString(),
            binding.scope().name());
    return binding.recordKey().isEmpty() ? place : place + binding.recordKey();
  }
}
