/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The one order of attribute values that all stores follow; see {@link Attribute.Kind}. Compares
 * values of the same kind, and lists of them element by element, a prefix first.
 *
 * @since 0.1
 */
public final class ValueOrder implements Comparator<Object> {
  /** The order. */
  public static final ValueOrder INSTANCE = new ValueOrder();

  private ValueOrder() {}

  @Override
  public int compare(Object a, Object b) {
    if (a instanceof List<?> left && b instanceof List<?> right) {
      for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
        int order = compare(left.get(i), right.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(left.size(), right.size());
    }
    if (a instanceof String left && b instanceof String right) {
      return Arrays.compareUnsigned(
          left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }
    if (a instanceof UUID left && b instanceof UUID right) {
      int order =
          Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
      return order != 0
          ? order
          : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
    }
    if (a instanceof Long left && b instanceof Long right) {
      return left.compareTo(right);
    }
    if (a instanceof Integer left && b instanceof Integer right) {
      return left.compareTo(right);
    }
    if (a instanceof Boolean left && b instanceof Boolean right) {
      return left.compareTo(right);
    }
    if (a instanceof Instant left && b instanceof Instant right) {
      return left.compareTo(right);
    }
    if (a instanceof Bytes left && b instanceof Bytes right) {
      return left.compareTo(right);
    }
    throw new IllegalArgumentException(
        "no order between " + a.getClass().getName() + " and " + b.getClass().getName());
  }
}
