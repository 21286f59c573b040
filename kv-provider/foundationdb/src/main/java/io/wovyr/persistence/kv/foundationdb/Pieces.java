/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.foundationdb.StoredBytes.Head;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads bodies that were too large for one value. */
final class Pieces {
  private Pieces() {}

  /** The value with its body. */
  static Stored whole(
      ReadTransaction transaction, Keys keys, Place place, Head head, Deadline deadline) {
    if (!head.cut()) {
      return head.stored();
    }
    byte[] from = keys.piece(place.bytes(), 0);
    byte[] to = keys.piece(place.bytes(), head.pieces());
    List<byte[]> pieces = new ArrayList<>(head.pieces());
    for (KeyValue piece :
        Futures.await(
            transaction
                .getRange(
                    from, to, ReadTransaction.ROW_LIMIT_UNLIMITED, false, StreamingMode.WANT_ALL)
                .asList(),
            deadline)) {
      if (Arrays.equals(piece.getKey(), keys.piece(place.bytes(), pieces.size()))) {
        pieces.add(piece.getValue());
      }
    }
    return head.whole(pieces);
  }
}
