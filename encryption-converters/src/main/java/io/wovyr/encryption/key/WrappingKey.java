/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.encryption.Hkdf;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wraps data keys by AES-256-GCM, bound to tenant, scope and id, as "Wrapped data keys" of {@code
 * docs/format/sealing.md} says. Nonces are random: a wrapping key wraps far fewer than 2^32 keys
 * (NIST SP 800-38D, 8.3). Thread-safe.
 */
final class WrappingKey {
  static final int KEY_BYTES = 32;

  private static final int VERSION = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int HEADER_BYTES = 1 + NONCE_BYTES;
  private static final int WRAPPED_BYTES = HEADER_BYTES + KEY_BYTES + TAG_BYTES;
  private static final int CHECK_BYTES = 8;
  private static final byte[] NO_SALT = {};
  private static final byte[] WRAPPING_INFO = ascii("wovyr-sealing-1 wrapping key");
  private static final byte[] CHECK_INFO = ascii("wovyr-sealing-1 wrapping key id");

  private final String id;
  private final SecretKeySpec key;

  private WrappingKey(String id, SecretKeySpec key) {
    this.id = id;
    this.key = key;
  }

  /**
   * @param secret 32 bytes
   */
  static WrappingKey of(String alias, byte[] secret) {
    byte[] check = Hkdf.derive(secret, NO_SALT, CHECK_INFO, CHECK_BYTES);
    byte[] derived = Hkdf.derive(secret, NO_SALT, WRAPPING_INFO, KEY_BYTES);
    return new WrappingKey(
        alias + ":" + HexFormat.of().formatHex(check), new SecretKeySpec(derived, "AES"));
  }

  /** Alias and a check value of the key: another key under the same alias has another id. */
  String id() {
    return id;
  }

  Bytes wrap(Bytes dataKey, KeyProvider.Place place, SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] out = new byte[WRAPPED_BYTES];
    ByteBuffer.wrap(out).put((byte) VERSION).put(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, out, place);
      cipher.doFinal(dataKey.unsafeArray(), 0, KEY_BYTES, out, HEADER_BYTES);
      return Bytes.wrap(out);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not seal", e);
    }
  }

  Bytes unwrap(Bytes wrapped, KeyProvider.Place place) {
    byte[] in = wrapped.unsafeArray();
    if (in.length > 0 && Byte.toUnsignedInt(in[0]) > VERSION) {
      throw new UnsupportedVersion(
          "data key "
              + place.dataKeyId()
              + " is wrapped in version "
              + Byte.toUnsignedInt(in[0])
              + ", not known here (highest: "
              + VERSION
              + ")");
    }
    if (in.length != WRAPPED_BYTES || in[0] != VERSION) {
      throw new Corrupt(
          "data key " + place.dataKeyId() + ", wrapped by " + id + ", is cut or damaged", null);
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, in, place);
      return Bytes.wrap(cipher.doFinal(in, HEADER_BYTES, in.length - HEADER_BYTES));
    } catch (GeneralSecurityException e) {
      throw new Corrupt(
          "data key "
              + place.dataKeyId()
              + ", wrapped by "
              + id
              + ", does not open: it was changed, or belongs to another tenant or scope",
          e);
    }
  }

  private Cipher cipher(int mode, byte[] wrapped, KeyProvider.Place place)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, wrapped, 1, NONCE_BYTES));
    cipher.updateAAD(associatedData(place));
    return cipher;
  }

  private static byte[] associatedData(KeyProvider.Place place) {
    byte[] tenant = place.tenantId().getBytes(StandardCharsets.UTF_8);
    UUID dataKeyId = place.dataKeyId();
    return ByteBuffer.allocate(1 + 1 + Short.BYTES + tenant.length + 2 * Long.BYTES)
        .put((byte) VERSION)
        .put((byte) (place.scope() == KeyScope.DATA ? 1 : 2))
        .putShort((short) tenant.length)
        .put(tenant)
        .putLong(dataKeyId.getMostSignificantBits())
        .putLong(dataKeyId.getLeastSignificantBits())
        .array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
