/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.Optional;

/** What an order's saga can do, each thing in a system outside. */
enum Activity {
  RESERVE_STOCK("reserve-stock"),
  CHARGE("charge"),
  SHIP("ship"),
  NOTIFY("notify"),
  REFUND("refund"),
  RELEASE_STOCK("release-stock"),
  SETTLE("settle");

  private final String text;

  Activity(String text) {
    this.text = text;
  }

  /** Its name in events, state and the ledger. */
  String text() {
    return text;
  }

  /** The activity of this name. */
  static Activity named(String name) {
    for (Activity activity : values()) {
      if (activity.text.equals(name)) {
        return activity;
      }
    }
    throw new IllegalArgumentException("no activity is called '" + name + "'");
  }

  /** What takes it back; empty where nothing has to be, or can be. */
  Optional<Activity> undo() {
    return switch (this) {
      case RESERVE_STOCK -> Optional.of(RELEASE_STOCK);
      case CHARGE -> Optional.of(REFUND);
      case SHIP, NOTIFY, REFUND, RELEASE_STOCK, SETTLE -> Optional.empty();
    };
  }

  /** Whether it takes another one back. */
  boolean isUndo() {
    return this == REFUND || this == RELEASE_STOCK;
  }

  /** Whether the order goes on without it when it fails for good. */
  boolean isOptional() {
    return this == NOTIFY;
  }
}
