/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.state.WorkflowState;
import java.util.Comparator;

/** Keys by section code, then by the unsigned bytes of their UTF-8. Stateless. */
final class CanonicalOrder implements Comparator<WorkflowState.Key> {
  static final CanonicalOrder INSTANCE = new CanonicalOrder();

  private CanonicalOrder() {}

  @Override
  public int compare(WorkflowState.Key left, WorkflowState.Key right) {
    int order = Integer.compare(left.section().code(), right.section().code());
    return order != 0 ? order : compareUtf8(left.name(), right.name());
  }

  /**
   * UTF-8 keeps the order of code points; UTF-16 does, but for surrogates, which it puts too low.
   */
  private static int compareUtf8(String left, String right) {
    int shared = Math.min(left.length(), right.length());
    for (int i = 0; i < shared; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean leftIsSurrogate = Character.isSurrogate(a);
        return leftIsSurrogate == Character.isSurrogate(b)
            ? Character.compare(a, b)
            : leftIsSurrogate ? 1 : -1;
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
