/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

/** The content that every column writes: a payload of 200 bytes and a small state change. */
final class Work200 {
  static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");
  static final long NOW_MICROS = StoreTime.micros(NOW);
  private static final Bytes BODY = random(32 + 200);
  private static final Bytes COMMITMENT = random(32);
  static final byte[] CHANGES = random(40).toByteArray();

  /** The payload as it is stored, for who stores bytes. */
  static final byte[] ENCODED = payload().encode().toByteArray();

  private Work200() {}

  private static Bytes random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  /** The payload as the storage is given it. */
  static StoredPayload payload() {
    return new StoredPayload(
        "application/cbor",
        StoredPayload.UNSEALED,
        StoredPayload.UNCOMPRESSED,
        Optional.empty(),
        COMMITMENT,
        200,
        new StoredPayload.Body.Inline(BODY));
  }
}
