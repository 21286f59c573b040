/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.state;

import io.wovyr.persistence.Bytes;
import java.util.HexFormat;

/**
 * A hash over a state, stamped with the canonical form it was computed in. Hashes of different
 * forms are never equal and must not be compared.
 *
 * @param canonicalForm version of {@code docs/format/state.md}
 * @param sha256 32 bytes
 * @since 0.1
 */
public record StateHash(int canonicalForm, Bytes sha256) {
  /** Newest canonical form known here. */
  public static final int CANONICAL_FORM = 1;

  /** For people: {@code 1:9f86d081…}, form and lower-case hex. */
  @Override
  public String toString() {
    return canonicalForm + ":" + HexFormat.of().formatHex(sha256.unsafeArray());
  }
}
