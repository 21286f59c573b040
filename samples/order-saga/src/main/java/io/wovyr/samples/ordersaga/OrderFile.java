/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.List;

/**
 * What was read from a file of orders.
 *
 * @param name of the file, for people
 * @param orders in the order of the file
 * @param malformed the lines left out, in the order of the file
 */
record OrderFile(String name, List<Order> orders, List<Malformed> malformed) {
  OrderFile {
    orders = List.copyOf(orders);
    malformed = List.copyOf(malformed);
  }

  /**
   * A line that is not an order.
   *
   * @param line its number, from 1
   */
  record Malformed(String file, int line, String reason) {
    @Override
    public String toString() {
      return file + ":" + line + ": " + reason;
    }
  }
}
