/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;

/** A feed cursor as one word: {@code epoch:position}. Stateless. */
final class CursorText {
  private static final String EXAMPLE = "1:281474976726619-281474976726619";

  private CursorText() {}

  static String of(FeedCursor cursor) {
    return cursor.epoch() + ":" + cursor.position();
  }

  /**
   * @throws InvalidInput when it is no cursor
   */
  static FeedCursor parse(String text) {
    int colon = text.indexOf(':');
    if (colon > 0) {
      try {
        return new FeedCursor(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
      } catch (NumberFormatException e) {
        // Said below.
      }
    }
    throw new InvalidInput(
        "'%s' is no cursor: copy the one a former 'wovyr feed tail' ended with, such as %s"
            .formatted(Human.oneLine(text), EXAMPLE));
  }
}
