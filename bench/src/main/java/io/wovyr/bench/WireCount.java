/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

/**
 * What one step sent to the server; NaN where there is no wire.
 *
 * @param trips how often the client waited for the server
 * @param statements executed by the server, those that set the tenant included
 * @param bytes sent and received
 */
record WireCount(double trips, double statements, double bytes) {
  /** The store runs in this process. */
  static final WireCount NONE = new WireCount(Double.NaN, Double.NaN, Double.NaN);
}
