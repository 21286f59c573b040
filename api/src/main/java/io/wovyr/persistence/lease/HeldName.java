/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import java.time.Duration;

/**
 * A named lease held by this process. Thread-safe.
 *
 * @since 0.1
 */
public interface HeldName {
  /** The name held. */
  String name();

  /** The worker it was given to. */
  String worker();

  /** The fencing token; it only grows from one holder to the next. */
  long token();

  /** As {@link Lease#remaining()}. */
  Duration remaining();

  /** As {@link Lease#isHeld()}. */
  boolean isHeld();
}
