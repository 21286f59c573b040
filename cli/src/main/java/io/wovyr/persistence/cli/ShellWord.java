/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

/** Text as one word of a shell command that is shown to be copied. Stateless. */
final class ShellWord {
  private ShellWord() {}

  static String of(String text) {
    boolean plain =
        !text.isEmpty()
            && text.chars().allMatch(c -> c < 128 && (isWord(c) || "/._-:=+@%,".indexOf(c) >= 0));
    return plain ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static boolean isWord(int c) {
    return Character.isLetterOrDigit(c);
  }
}
