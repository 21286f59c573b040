/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import org.jspecify.annotations.Nullable;

/** The run cannot be carried through; what is stored stays as it is and can be resumed. */
final class CannotGoOn extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotGoOn(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
