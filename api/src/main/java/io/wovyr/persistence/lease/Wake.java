/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import io.wovyr.persistence.internal.Inputs;
import java.time.Instant;
import java.util.Optional;

/**
 * When somebody should look at an execution after its lease is freed. A signal that came while the
 * lease was held, and that no step of the holder followed by its sequence, makes it due at once
 * whatever is asked for here: it is never slept through.
 *
 * @param kind now, at an instant, or not by itself
 * @param at the instant, for {@link Kind#AT}; of the years 1970 to 9999
 * @since 0.1
 */
public record Wake(Kind kind, Optional<Instant> at) {
  /** See {@link Wake}. */
  public enum Kind {
    NOW,
    AT,
    NEVER
  }

  public Wake {
    at = at.map(instant -> Inputs.calendar("the time of a wake-up", instant));
    if ((kind == Kind.AT) != at.isPresent()) {
      throw new IllegalArgumentException("an instant belongs to AT and to nothing else");
    }
  }

  /** It can run at once. */
  public static Wake now() {
    return new Wake(Kind.NOW, Optional.empty());
  }

  /**
   * At the earliest open timer, retry or timeout.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when it does not lie in the
   *     years 1970 to 9999
   */
  public static Wake at(Instant instant) {
    return new Wake(Kind.AT, Optional.of(instant));
  }

  /** Only when a signal comes. */
  public static Wake onSignal() {
    return new Wake(Kind.NEVER, Optional.empty());
  }
}
