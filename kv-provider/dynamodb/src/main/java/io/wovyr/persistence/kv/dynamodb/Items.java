/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How keys and values lie in items. The names of attributes are short, since they are paid for.
 *
 * <p>A sort key must not be empty, so each begins with one byte of its own.
 */
final class Items {
  /** Partition key: the bytes of a place that name its partition. */
  static final String PARTITION = "p";

  /** Sort key: {@link #FIRST} and the rest of the place. */
  static final String SORT = "k";

  /** Version, a number. */
  static final String VERSION = "v";

  /** The stamp a value was given, missing where it has none. */
  static final String STAMP = "s";

  /** Body, missing when it is empty. */
  static final String BODY = "b";

  /** Stamp of the write that last changed a value which conditions look at. */
  static final String WRITTEN = "t";

  static final byte FIRST = 1;

  /** What DynamoDB takes; there is nothing to be done about what is longer. */
  static final int MOST_PARTITION_BYTES = 2_048;

  static final int MOST_SORT_BYTES = 1_024;

  private Items() {}

  static AttributeValue binary(byte[] bytes) {
    return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
  }

  static AttributeValue binary(Bytes bytes) {
    return binary(bytes.unsafeArray());
  }

  static AttributeValue number(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  static AttributeValue partition(Place place) {
    return binary(Arrays.copyOf(place.bytes(), place.partition()));
  }

  /** The sort key of a place in its partition; of one before all of it, the lowest. */
  static AttributeValue sort(Place place) {
    byte[] bytes = place.bytes();
    byte[] sort = new byte[1 + bytes.length - place.partition()];
    sort[0] = FIRST;
    System.arraycopy(bytes, place.partition(), sort, 1, sort.length - 1);
    return binary(sort);
  }

  static Map<String, AttributeValue> key(Place place) {
    return Map.of(PARTITION, partition(place), SORT, sort(place));
  }

  static Place place(Map<String, AttributeValue> item) {
    byte[] partition = bytes(item, PARTITION).unsafeArray();
    byte[] sort = bytes(item, SORT).unsafeArray();
    if (partition.length == 0 || sort.length == 0) {
      throw new Corrupt("an item has no key", null);
    }
    byte[] whole = Arrays.copyOf(partition, partition.length + sort.length - 1);
    System.arraycopy(sort, 1, whole, partition.length, sort.length - 1);
    return new Place(whole, partition.length);
  }

  /** A binary attribute; empty where it is missing. */
  static Bytes bytes(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null) {
      return Bytes.EMPTY;
    }
    if (value.b() == null) {
      throw new Corrupt("the attribute " + name + " of an item is not binary", null);
    }
    return Bytes.wrap(value.b().asByteArrayUnsafe());
  }

  static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null || value.n() == null) {
      throw new Corrupt("the attribute " + name + " of an item is not a number", null);
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw new Corrupt("the attribute " + name + " of an item is not a whole number", e);
    }
  }

  static Map<String, AttributeValue> item(Place place, Stored value) {
    Map<String, AttributeValue> item = new HashMap<>(key(place));
    item.put(VERSION, number(value.version()));
    if (value.stamp().size() > 0) {
      item.put(STAMP, binary(value.stamp()));
    }
    if (value.body().size() > 0) {
      item.put(BODY, binary(value.body()));
    }
    return item;
  }

  static Stored stored(Map<String, AttributeValue> item) {
    return new Stored(number(item, VERSION), bytes(item, STAMP), bytes(item, BODY));
  }

  /** What DynamoDB counts of an item: names and values. */
  static long size(Map<String, AttributeValue> item) {
    long size = 0;
    for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
      AttributeValue value = attribute.getValue();
      size += attribute.getKey().getBytes(StandardCharsets.UTF_8).length;
      size += value.b() != null ? value.b().asByteArrayUnsafe().length : 21;
    }
    return size;
  }
}
