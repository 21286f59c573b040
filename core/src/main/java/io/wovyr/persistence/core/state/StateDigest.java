/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.payload.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * One SHA-256 of canonical form 1. Begins with the form's name and a letter for what is hashed, so
 * that a hash of one kind is never one of another; numbers are big-endian. Not thread-safe.
 */
final class StateDigest {
  /** What is hashed. */
  enum Kind {
    PLACE('P'),
    LEAF('L'),
    NODE('N'),
    COLLISION('X'),
    EMPTY('E'),
    STATE('S'),
    CONTENT('C');

    private final byte letter;

    Kind(char letter) {
      this.letter = (byte) letter;
    }
  }

  private static final byte[] FORM = "wvstate1".getBytes(StandardCharsets.US_ASCII);

  private final MessageDigest digest = Sha256.newDigest();
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  StateDigest(Kind kind) {
    digest.update(FORM);
    digest.update(kind.letter);
  }

  StateDigest unsignedByte(int value) {
    digest.update((byte) value);
    return this;
  }

  StateDigest unsignedShort(int value) {
    digest.update(number.clear().putShort((short) value).flip());
    return this;
  }

  StateDigest unsignedInt(int value) {
    digest.update(number.clear().putInt(value).flip());
    return this;
  }

  StateDigest unsignedLong(long value) {
    digest.update(number.clear().putLong(value).flip());
    return this;
  }

  StateDigest bytes(Bytes value) {
    digest.update(value.unsafeArray());
    return this;
  }

  /** The text's UTF-8 bytes without their length: only where nothing follows. */
  StateDigest rest(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** The length of the text's UTF-8 bytes as u32, then the bytes. */
  StateDigest text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    unsignedInt(utf8.length);
    digest.update(utf8);
    return this;
  }

  /** The hash; this digest must not be used again. */
  Bytes finish() {
    return Bytes.wrap(digest.digest());
  }
}
