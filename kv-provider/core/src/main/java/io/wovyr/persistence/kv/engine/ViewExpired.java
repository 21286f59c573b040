/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

/**
 * A {@link View} cannot show its instant any longer. What was read in it is to be forgotten and
 * read again in another one; nothing was changed. It never leaves the record layer.
 */
public final class ViewExpired extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ViewExpired(Throwable cause) {
    super("the instant that was read at is too long ago", cause);
  }
}
