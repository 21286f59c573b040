/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import java.util.ArrayList;
import java.util.List;

/**
 * Where everything lies: layout 1 of {@code docs/format/key-value.md}. Immutable.
 *
 * @param shards over which the rows of a type, and the entries of a path, are spread
 */
record Layout(int shards) {
  /** Version of the layout, in the record of the store. */
  static final int VERSION = 1;

  private static final int OF_STORE = 0;
  private static final int OF_TENANT = 1;
  private static final int OF_SYSTEM = 2;

  private static final int RECORD = 0x10;
  private static final int TAIL = 0x18;
  private static final int UNIQUE = 0x20;
  private static final int PATH = 0x30;
  private static final int FEED = 0x40;
  private static final int MARK = 0x50;

  /** The record of the store itself; its version is the epoch. */
  static Place store() {
    return whole(new KeyWriter().octet(OF_STORE).text("store"));
  }

  private static Place whole(KeyWriter key) {
    byte[] bytes = key.toBytes();
    return new Place(bytes, bytes.length);
  }

  private static KeyWriter ofTenant(String tenant, int what) {
    return new KeyWriter().octet(OF_TENANT).text(tenant).octet(what);
  }

  /** Before all keys of tenants. */
  static Place tenants() {
    return whole(new KeyWriter().octet(OF_TENANT));
  }

  /** Before all keys of this tenant. */
  static Place tenant(String tenant) {
    return whole(new KeyWriter().octet(OF_TENANT).text(tenant));
  }

  /** Whose key it is that begins with {@link #tenants()}. */
  static String tenantOf(Place place) {
    return new KeyReader(place.bytes(), 1).text();
  }

  /** The partition of rows. */
  Place rows(String tenant, RecordType type, int shard) {
    return whole(ofTenant(tenant, RECORD).u16(type.number()).octet(shard));
  }

  /** A row; of a blocked type, the block that begins with it. */
  Place row(String tenant, Key key) {
    return rows(tenant, key.type(), shardOf(key.type(), key.values()))
        .then(values(TypeLayout.of(key.type()).keyKinds(), key.values()));
  }

  /** The highest number that was written behind all but the last value of a blocked key. */
  Place tail(String tenant, RecordType type, List<Object> prefix) {
    KeyWriter key = ofTenant(tenant, TAIL).u16(type.number()).octet(shardOf(type, prefix));
    int partition = key.size();
    write(key, TypeLayout.of(type).keyKinds(), prefix);
    return new Place(key.toBytes(), partition);
  }

  /** An entry of a unique key; what lies there is the key of its holder. */
  static Place unique(String tenant, RecordType type, IndexLayout index, List<Object> values) {
    KeyWriter key = ofTenant(tenant, UNIQUE).u16(type.number()).octet(index.number());
    write(key, index.kinds(), values);
    return whole(key);
  }

  /** The partition of a path's entries. */
  Place path(String tenant, RecordType type, IndexLayout index, int shard) {
    KeyWriter key =
        index.isOfSystem() ? new KeyWriter().octet(OF_SYSTEM).octet(PATH) : ofTenant(tenant, PATH);
    return whole(key.u16(type.number()).octet(index.number()).octet(shard));
  }

  /** An entry of a path: its values, the key of its row and, of the system, whose it is. */
  Place entry(String tenant, IndexLayout index, List<Object> values, Key row) {
    KeyWriter key = new KeyWriter();
    write(key, index.kinds(), values);
    write(key, TypeLayout.of(row.type()).keyKinds(), row.values());
    if (index.isOfSystem()) {
      key.text(tenant);
    }
    return path(tenant, row.type(), index, shardOf(row.type(), row.values())).then(key.toBytes());
  }

  /** Begins the feed of a tenant, each commit under its stamp. */
  static Place feed(String tenant) {
    return whole(ofTenant(tenant, FEED));
  }

  /** Begins the feed of all, each commit under its stamp. */
  static Place feedOfAll() {
    return whole(new KeyWriter().octet(OF_SYSTEM).octet(FEED));
  }

  /** Begins the marks of purges in a tenant's feed, each under the stamp of its purge. */
  static Place marks(String tenant) {
    return whole(ofTenant(tenant, MARK));
  }

  /** Begins the marks of all purges. */
  static Place marksOfAll() {
    return whole(new KeyWriter().octet(OF_SYSTEM).octet(MARK));
  }

  /** What of a key follows behind this one, such as a stamp. */
  static byte[] behind(Place prefix, Place place) {
    return java.util.Arrays.copyOfRange(place.bytes(), prefix.bytes().length, place.bytes().length);
  }

  static byte[] values(List<Kind> kinds, List<Object> values) {
    KeyWriter key = new KeyWriter();
    write(key, kinds, values);
    return key.toBytes();
  }

  private static void write(KeyWriter key, List<Kind> kinds, List<Object> values) {
    for (int i = 0; i < values.size(); i++) {
      key.value(kinds.get(i), values.get(i));
    }
  }

  static List<Object> read(KeyReader in, List<Kind> kinds) {
    List<Object> values = new ArrayList<>(kinds.size());
    for (Kind kind : kinds) {
      values.add(in.value(kind));
    }
    return values;
  }

  /** The key of the row at this place. */
  static Key keyOf(RecordType type, Place partition, Place place) {
    KeyReader in = new KeyReader(place.bytes(), partition.bytes().length);
    Key key = new Key(type, read(in, TypeLayout.of(type).keyKinds()));
    if (!in.isAtEnd()) {
      throw new Corrupt("the key of a " + type + " has bytes behind it", null);
    }
    return key;
  }

  /** Where a row and all that goes with it lies: by the first value of its key alone. */
  int shardOf(RecordType type, List<Object> keyValues) {
    if (shards == 1) {
      return 0;
    }
    byte[] first = new KeyWriter().value(type.key().get(0).kind(), keyValues.get(0)).toBytes();
    int hash = 0x811c9dc5;
    for (byte one : first) {
      hash = (hash ^ (one & 0xff)) * 0x01000193;
    }
    return Integer.remainderUnsigned(hash, shards);
  }

  /** Where rows lie whose key begins with these values. */
  List<Integer> shardsOf(RecordType type, List<Object> keyPrefix) {
    if (!keyPrefix.isEmpty()) {
      return List.of(shardOf(type, keyPrefix));
    }
    return everyShard();
  }

  List<Integer> everyShard() {
    return java.util.stream.IntStream.range(0, shards).boxed().toList();
  }
}
