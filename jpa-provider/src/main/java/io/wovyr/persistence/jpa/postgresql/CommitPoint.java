/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

/**
 * Remembers whether the trip that commits was sent: from then on a broken connection leaves open
 * what happened. For one try, on one thread.
 */
final class CommitPoint {
  private boolean isReached;

  /** It is sent next. */
  void reached() {
    isReached = true;
  }

  boolean isReached() {
    return isReached;
  }
}
