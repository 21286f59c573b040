/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Stored;
import java.nio.ByteBuffer;

/** A value of RocksDB: whether there is a stamp, the version, the stamp, the body. */
final class StoredBytes {
  private static final int STAMPED = 1;
  private static final int STAMP_BYTES = Long.BYTES;

  private StoredBytes() {}

  static byte[] encode(Stored stored) {
    byte[] stamp = stored.stamp().unsafeArray();
    byte[] body = stored.body().unsafeArray();
    ByteBuffer out = ByteBuffer.allocate(1 + Long.BYTES + stamp.length + body.length);
    out.put((byte) (stamp.length > 0 ? STAMPED : 0)).putLong(stored.version());
    return out.put(stamp).put(body).array();
  }

  static Stored decode(byte[] value) {
    if (value.length < 1 + Long.BYTES || value[0] < 0 || value[0] > STAMPED) {
      throw new Corrupt("a value of the store is cut or of an unknown kind", null);
    }
    ByteBuffer in = ByteBuffer.wrap(value, 1, value.length - 1);
    long version = in.getLong();
    byte[] stamp = new byte[value[0] == STAMPED ? STAMP_BYTES : 0];
    if (in.remaining() < stamp.length) {
      throw new Corrupt("a value of the store is cut", null);
    }
    in.get(stamp);
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new Stored(version, Bytes.wrap(stamp), Bytes.wrap(body));
  }
}
