/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import org.jspecify.annotations.Nullable;

/** What the user gave cannot be used, and nothing was begun: the message says what to change. */
final class UnusableInput extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableInput(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
