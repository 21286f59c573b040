/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.payload.StoredPayload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** Payloads that somebody makes who knows the format and has no key. */
final class DamagedPayloads {
  private DamagedPayloads() {}

  /** In good order, and not sealed. */
  static StoredPayload unsealed(String content) {
    byte[] type = "text/plain".getBytes(StandardCharsets.UTF_8);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    byte[] part =
        ByteBuffer.allocate(StoredPayload.SALT_BYTES + bytes.length)
            .position(StoredPayload.SALT_BYTES)
            .put(bytes)
            .array();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(part, 0, StoredPayload.SALT_BYTES);
      digest.update(ByteBuffer.allocate(4).putInt(type.length).array());
      digest.update(type);
      return new StoredPayload(
          "text/plain",
          StoredPayload.UNSEALED,
          StoredPayload.UNCOMPRESSED,
          Optional.empty(),
          Bytes.wrap(digest.digest(bytes)),
          bytes.length,
          new StoredPayload.Body.Inline(Bytes.wrap(part)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
