/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import java.util.ArrayList;
import java.util.List;

/**
 * What one commit added to the feed, in its order: consecutive rows that begin with a key.
 *
 * @param ordinal of the first row within its commit
 */
record FeedRef(int ordinal, Key first, int count) {
  static Bytes encode(List<FeedRef> refs) {
    ValueWriter out = new ValueWriter(48 * refs.size() + 2);
    out.number(refs.size());
    for (FeedRef ref : refs) {
      RecordType type = ref.first().type();
      out.number(ref.ordinal()).number(type.number());
      out.sized(Layout.values(TypeLayout.of(type).keyKinds(), ref.first().values()));
      out.number(ref.count());
    }
    return Bytes.wrap(out.toBytes());
  }

  static List<FeedRef> decode(Bytes body) {
    ValueReader in = new ValueReader(body.unsafeArray());
    int count = in.smallNumber();
    List<FeedRef> refs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int ordinal = in.smallNumber();
      int number = in.smallNumber();
      RecordType type =
          TypeLayout.numbered(number)
              .orElseThrow(() -> new Corrupt("the feed names a type " + number, null));
      KeyReader key = new KeyReader(in.sized(), 0);
      refs.add(
          new FeedRef(
              ordinal,
              new Key(type, Layout.read(key, TypeLayout.of(type).keyKinds())),
              in.smallNumber()));
    }
    return refs;
  }

  /** Whether this row is one of them; only of blocked types a reference has more than its first. */
  boolean covers(Key key) {
    if (!TypeLayout.of(first.type()).blocked()) {
      return first.equals(key);
    }
    return first.type() == key.type()
        && Block.prefix(first).equals(Block.prefix(key))
        && Block.number(key) - Block.number(first) >= 0
        && Block.number(key) - Block.number(first) < count;
  }

  /** The place of a row that it covers within its commit. */
  int ordinalOf(Key key) {
    return first.equals(key) ? ordinal : ordinal + (int) (Block.number(key) - Block.number(first));
  }
}
