/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

/** A place in the life of an attempt where a worker may be struck. */
enum Phase {
  /** The start is logged, the outside world was not asked. */
  BEFORE_EFFECT("before-effect"),
  /** The effect happened, nothing about it is logged. */
  AFTER_EFFECT("after-effect"),
  /** Inside the storage's commit call, after every check of this library that comes before it. */
  IN_COMMIT("in-commit"),
  /** The end is logged and the next attempt begun, under the same lease. */
  AFTER_COMMIT("after-commit");

  private final String text;

  Phase(String text) {
    this.text = text;
  }

  /** Its name in reports. */
  String text() {
    return text;
  }
}
