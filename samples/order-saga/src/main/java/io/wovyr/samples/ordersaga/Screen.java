/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.PrintStream;
import java.util.Optional;

/**
 * Where a run says what it does. Immutable.
 *
 * @param out gets progress
 * @param error gets what went wrong
 * @param line of the progress; empty when {@code out} is no terminal
 */
record Screen(PrintStream out, PrintStream error, Optional<ProgressLine> line) {
  /** Progress of that many orders. */
  Progress progress(int orders) {
    return new Progress(out, line, orders);
  }

  /** Says that the user ended the run, below its progress. */
  void interrupted(DemoOptions options) {
    line.ifPresent(ProgressLine::leave);
    if (line.isEmpty() && !options.json()) {
      error.println();
    }
    DemoFailure.interrupted("Interrupted: nothing is lost. Finish it: " + options.resumeCommand())
        .print(error, options.json());
  }
}
