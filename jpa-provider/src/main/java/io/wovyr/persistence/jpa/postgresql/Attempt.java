/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.time.Instant;

/** What came of one try to commit, as the server told it: an answer, whatever it is. */
sealed interface Attempt {
  /**
   * Everything was written.
   *
   * @param now the clock after the last lock, which symbolic instants were resolved by
   */
  record Written(Instant now) implements Attempt {}

  /** Nothing was written: a condition did not hold, at that moment. */
  record Refused() implements Attempt {}

  /** Nothing was written: the store is in another epoch. */
  record OtherEpoch(long epoch) implements Attempt {}
}
