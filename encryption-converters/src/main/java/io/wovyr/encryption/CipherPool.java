/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;

/**
 * Ciphers of one key, each used by one thread at a time: making one asks all security providers and
 * costs more than sealing a short value. Not bound to threads, so that many short-lived ones share
 * a few. A cipher that failed is not given back. Thread-safe.
 */
final class CipherPool {
  private static final int SLOTS = 16;

  private final AtomicReferenceArray<Cipher> idle = new AtomicReferenceArray<>(SLOTS);

  Cipher take() throws GeneralSecurityException {
    Cipher cipher = idle.getAndSet(slot(), null);
    return cipher != null ? cipher : Cipher.getInstance("AES/GCM/NoPadding");
  }

  void giveBack(Cipher cipher) {
    idle.set(slot(), cipher);
  }

  @SuppressWarnings("deprecation") // threadId() is newer than Java 17; any spread will do here.
  private static int slot() {
    return (int) (Thread.currentThread().getId() % SLOTS);
  }
}
