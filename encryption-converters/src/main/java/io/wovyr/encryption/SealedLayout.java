/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * The bytes of {@code docs/format/sealing.md}: {@code version ‖ data key id ‖ salt ‖ nonce ‖
 * ciphertext ‖ tag}, and the associated data. Stateless, thread-safe.
 */
final class SealedLayout {
  /** Bound to tenant, type, attribute and id: what has no key, and what was written before. */
  static final int WITHOUT_KEY = 1;

  /** Bound to the record's key as well. */
  static final int WITH_KEY = 2;

  /** The newest that is read. */
  static final int NEWEST = WITH_KEY;

  static final int SALT_BYTES = 16;
  static final int NONCE_BYTES = 12;
  static final int TAG_BYTES = 16;
  static final int UUID_BYTES = 2 * Long.BYTES;

  /** Version, data key id and salt: what names the working key. */
  static final int KEY_BYTES = 1 + UUID_BYTES + SALT_BYTES;

  static final int HEADER_BYTES = KEY_BYTES + NONCE_BYTES;

  /** How much longer a value gets by sealing. */
  static final int OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

  /** What a working key is derived for: the {@code info} of HKDF. */
  static final byte[] WORKING_KEY_INFO =
      "wovyr-sealing-1 working key".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NO_KEY = {};
  private static final int MAX_TEXT_BYTES = 0xffff;

  private SealedLayout() {}

  /** The version a value is written in. */
  static int versionFor(Binding binding) {
    return binding.recordKey().isEmpty() ? WITHOUT_KEY : WITH_KEY;
  }

  static byte[] keyHeader(int version, UUID dataKeyId, byte[] salt) {
    return ByteBuffer.allocate(KEY_BYTES)
        .put((byte) version)
        .putLong(dataKeyId.getMostSignificantBits())
        .putLong(dataKeyId.getLeastSignificantBits())
        .put(salt)
        .array();
  }

  /**
   * The associated data of a value, in the version its header says; two different places never give
   * equal bytes.
   */
  static byte[] associatedData(byte[] header, Binding binding) {
    byte[] tenant = utf8("tenant id", binding.tenantId());
    byte[] type = utf8("record type", binding.recordType());
    byte[] path = utf8("attribute path", binding.attributePath());
    byte[] recordKey = header[0] == WITHOUT_KEY ? NO_KEY : recordKey(binding);
    int texts = 3 * Short.BYTES + tenant.length + type.length + path.length;
    ByteBuffer out = ByteBuffer.allocate(KEY_BYTES + 1 + texts + UUID_BYTES + recordKey.length);
    out.put(header, 0, KEY_BYTES).put(scopeCode(binding.scope()));
    putText(out, tenant);
    putText(out, type);
    putText(out, path);
    UUID origin = binding.originId();
    out.putLong(origin.getMostSignificantBits()).putLong(origin.getLeastSignificantBits());
    return out.put(recordKey).array();
  }

  private static byte[] recordKey(Binding binding) {
    List<byte[]> texts = binding.recordKey().stream().map(text -> utf8("key", text)).toList();
    int length = texts.stream().mapToInt(text -> Short.BYTES + text.length).sum();
    ByteBuffer out = ByteBuffer.allocate(Short.BYTES + length).putShort((short) texts.size());
    texts.forEach(text -> putText(out, text));
    return out.array();
  }

  static byte scopeCode(KeyScope scope) {
    return switch (scope) {
      case DATA -> 1;
      case SECRET -> 2;
    };
  }

  private static void putText(ByteBuffer out, byte[] text) {
    out.putShort((short) text.length).put(text);
  }

  private static byte[] utf8(String what, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(what + " has more than " + MAX_TEXT_BYTES + " bytes");
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        requireWellFormed(what, text, bytes);
        break;
      }
    }
    return bytes;
  }

  // An unpaired surrogate is written as "?": two places would look alike.
  private static void requireWellFormed(String what, String text, byte[] bytes) {
    if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
      throw new IllegalArgumentException(what + " has an unpaired surrogate");
    }
  }
}
