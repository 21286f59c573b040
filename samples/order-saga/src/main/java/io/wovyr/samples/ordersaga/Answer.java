/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

/**
 * What a system outside answered to one attempt.
 *
 * @param text a receipt when it was done, else the reason why not; one line
 */
record Answer(Kind kind, String text) {
  /** See {@link Answer}. */
  enum Kind {
    /** It happened. */
    DONE,
    /** It did not happen; another attempt may succeed. */
    TRY_AGAIN,
    /** It did not happen and never will. */
    REFUSED
  }

  Answer {
    if (text.isEmpty() || text.chars().anyMatch(c -> c < 0x20)) {
      throw new IllegalArgumentException("an answer is one line of text");
    }
  }
}
