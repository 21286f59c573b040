/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.storage.spi.Scan;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/** The place where a page ended, as text, bound to its query. */
final class PageToken {
  private PageToken() {}

  static String encode(Scan scan, byte[] place) {
    byte[] token =
        ByteBuffer.allocate(Integer.BYTES + place.length).putInt(query(scan)).put(place).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * @throws InvalidInput when it belongs to another query
   */
  static byte[] decode(Scan scan, String token) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw notOurs();
    }
    if (bytes.length < Integer.BYTES || ByteBuffer.wrap(bytes).getInt() != query(scan)) {
      throw notOurs();
    }
    return Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length);
  }

  /** Same for all pages of one query, in every process, and hardly for any other. */
  private static int query(Scan scan) {
    int hash = scan.type().number();
    hash = 31 * hash + scan.path().map(path -> path.name().hashCode()).orElse(0);
    hash = 31 * hash + scan.equal().hashCode();
    return 31 * hash + (scan.ascending() ? 1 : 0);
  }

  private static InvalidInput notOurs() {
    return new InvalidInput(
        "the page token does not belong to this query: start from the first page");
  }
}
