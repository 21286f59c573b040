/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.ArrayList;
import java.util.List;

/**
 * A claim about a run, and what speaks against it.
 *
 * @param checked how many things were looked at
 * @param violations how many spoke against it
 * @param examples the first of them, for people
 */
record Proof(String claim, long checked, long violations, List<String> examples) {
  private static final int MAX_EXAMPLES = 5;

  Proof {
    examples = List.copyOf(examples);
  }

  /** True when nothing speaks against it. */
  boolean holds() {
    return violations == 0;
  }

  /** Collects what speaks against a claim. Not thread-safe. */
  static final class Court {
    private final String claim;
    private final List<String> examples = new ArrayList<>();
    private long checked;
    private long violations;

    Court(String claim) {
      this.claim = claim;
    }

    /** Looks at one thing. */
    @SuppressWarnings("AnnotateFormatMethod") // That annotation is not worth a dependency.
    void require(boolean holds, String otherwise, Object... arguments) {
      checked++;
      if (!holds) {
        violations++;
        if (examples.size() < MAX_EXAMPLES) {
          examples.add(otherwise.formatted(arguments));
        }
      }
    }

    Proof verdict() {
      return new Proof(claim, checked, violations, examples);
    }
  }
}
