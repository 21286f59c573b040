/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

/**
 * What goes wrong with one write, and what its caller sees.
 *
 * @since 0.1
 */
public enum Fault {
  /** Nothing is written, and the caller knows: {@code Unavailable}. */
  BEFORE,
  /** Nothing is ever written, but the caller cannot know: {@code OutcomeUnknown}. */
  LOST,
  /** It is written, but the answer is lost: {@code OutcomeUnknown}. */
  AFTER,
  /** It is written, but the answer does not come before the deadline: {@code OutcomeUnknown}. */
  TIMEOUT_AFTER,
  /**
   * {@code OutcomeUnknown} now; it reaches the store later, when {@link FaultyStorage#land()} is
   * called.
   */
  IN_FLIGHT
}
