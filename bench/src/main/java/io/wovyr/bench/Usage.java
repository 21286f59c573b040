/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

/**
 * Counters that only grow; NaN: not known here.
 *
 * @param logBytes written ahead (PostgreSQL: position of the log; SQLite: all bytes that this
 *     process wrote)
 * @param transactions ids given out
 * @param serverCpuNanos of the server's processes
 * @param processCpuNanos of this process
 */
record Usage(double logBytes, double transactions, double serverCpuNanos, double processCpuNanos) {
  Usage since(Usage before) {
    return new Usage(
        logBytes - before.logBytes,
        transactions - before.transactions,
        serverCpuNanos - before.serverCpuNanos,
        processCpuNanos - before.processCpuNanos);
  }
}
