/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 (FIPS 180-4), which every Java platform has. Thread-safe; the digests it makes are not.
 */
public final class Sha256 {
  /** Length of a digest, in bytes. */
  public static final int BYTES = 32;

  // Asking the security providers anew for each digest costs more than hashing a short value.
  private static final MessageDigest PROTOTYPE = fromProvider();

  private Sha256() {}

  /** A digest that nothing was put into yet. */
  public static MessageDigest newDigest() {
    try {
      return (MessageDigest) PROTOTYPE.clone();
    } catch (CloneNotSupportedException e) {
      return fromProvider();
    }
  }

  private static MessageDigest fromProvider() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform has no SHA-256, which all must have", e);
    }
  }
}
