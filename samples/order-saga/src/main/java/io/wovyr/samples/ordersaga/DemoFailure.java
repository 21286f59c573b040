/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why a run ended without a report, as the user is told.
 *
 * @param code a word for programs
 * @param exit the exit code
 * @param message what happened, and what to do next
 */
record DemoFailure(String code, int exit, String message) {
  static DemoFailure unusable(String message) {
    return new DemoFailure("USAGE", Demo.UNUSABLE_INPUT, message);
  }

  static DemoFailure cannotGoOn(String message) {
    return new DemoFailure("UNAVAILABLE", Demo.CANNOT_GO_ON, message);
  }

  static DemoFailure interrupted(String message) {
    return new DemoFailure("INTERRUPTED", Demo.INTERRUPTED, message);
  }

  /** Says it: in words, or as one JSON document on one line. */
  void print(PrintStream error, boolean json) {
    error.println(
        json
            ? Json.write(
                Map.of(
                    "error", new TreeMap<>(Map.of("code", code, "exit", exit, "message", message))))
            : "wovyr: " + message);
    error.flush();
  }
}
