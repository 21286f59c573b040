/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.kv.engine.Place;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Places in one attribute: each with the size of its partition and its own, 2 bytes each. */
final class FedKeys {
  private FedKeys() {}

  static Bytes encode(List<Place> places) {
    int size = places.stream().mapToInt(place -> 2 * Short.BYTES + place.bytes().length).sum();
    ByteBuffer out = ByteBuffer.allocate(size);
    for (Place place : places) {
      out.putShort((short) place.partition()).putShort((short) place.bytes().length);
      out.put(place.bytes());
    }
    return Bytes.wrap(out.array());
  }

  /** The keys of the items at these places. */
  static List<Map<String, AttributeValue>> decode(Bytes encoded) {
    ByteBuffer in = encoded.asReadOnlyBuffer();
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        int partition = in.getShort();
        byte[] bytes = new byte[in.getShort()];
        in.get(bytes);
        keys.add(Items.key(new Place(bytes, partition)));
      }
      return keys;
    } catch (BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
      throw new Corrupt("a slot does not say what was written by it", e);
    }
  }
}
