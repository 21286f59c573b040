/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.ValueOrder;
import java.util.Comparator;
import java.util.List;

/** {@link ValueOrder} over lists, with a value above all others for open bounds. */
final class PlaceOrder implements Comparator<List<Object>> {
  static final PlaceOrder INSTANCE = new PlaceOrder();

  /** Sorts behind every value. */
  static final Object ABOVE_ALL = new Object();

  private PlaceOrder() {}

  @Override
  public int compare(List<Object> left, List<Object> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = compareValues(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int compareValues(Object left, Object right) {
    if (left == ABOVE_ALL || right == ABOVE_ALL) {
      return Boolean.compare(left == ABOVE_ALL, right == ABOVE_ALL);
    }
    return ValueOrder.INSTANCE.compare(left, right);
  }
}
