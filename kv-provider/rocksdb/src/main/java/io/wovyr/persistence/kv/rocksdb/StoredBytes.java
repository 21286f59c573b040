/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Stored;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A value of RocksDB: whether there is a stamp, the version, the stamp, the body. */
final class StoredBytes {
  private static final int STAMPED = 1;
  private static final int STAMP_BYTES = Long.BYTES;
  private static final int FIXED_BYTES = 1 + Long.BYTES;

  private StoredBytes() {}

  static byte[] encode(Stored stored) {
    byte[] stamp = stored.stamp().unsafeArray();
    byte[] body = stored.body().unsafeArray();
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + stamp.length + body.length);
    out.put((byte) (stamp.length > 0 ? STAMPED : 0)).putLong(stored.version());
    return out.put(stamp).put(body).array();
  }

  static Stored decode(byte[] value) {
    return decode(value, value.length);
  }

  /** The value that these first bytes of an array are; nothing of the array is kept. */
  static Stored decode(byte[] value, int length) {
    if (length < FIXED_BYTES || value[0] < 0 || value[0] > STAMPED) {
      throw new Corrupt("a value of the store is cut or of an unknown kind", null);
    }
    int stamped = FIXED_BYTES + (value[0] == STAMPED ? STAMP_BYTES : 0);
    if (length < stamped) {
      throw new Corrupt("a value of the store is cut", null);
    }
    long version = ByteBuffer.wrap(value, 1, Long.BYTES).getLong();
    Bytes stamp = Bytes.wrap(Arrays.copyOfRange(value, FIXED_BYTES, stamped));
    return new Stored(version, stamp, Bytes.wrap(Arrays.copyOfRange(value, stamped, length)));
  }
}
