/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.execution.ExecutionStatus;

/** What an order does next. */
sealed interface Step {
  /**
   * An attempt at an activity.
   *
   * @param number from 1
   * @param repeated it was started before and its end is not known: the same attempt again, so that
   *     the outside world can tell that it is the same
   */
  record Attempt(Activity activity, int number, boolean repeated) implements Step {
    /** What the outside world knows this attempt by: the same on every repetition. */
    String key() {
      return activity.text() + "/" + number;
    }
  }

  /** Nothing is left to do. */
  record End(ExecutionStatus status) implements Step {}
}
