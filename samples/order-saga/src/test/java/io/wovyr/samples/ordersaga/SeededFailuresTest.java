/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeededFailuresTest {
  @Test
  void answersTheSameToTheSameAttempt() {
    for (int i = 0; i < 100; i++) {
      assertThat(new SeededFailures(7).answer("order-" + i, Activity.CHARGE, 2))
          .isEqualTo(new SeededFailures(7).answer("order-" + i, Activity.CHARGE, 2));
    }
  }

  @Test
  void behavesOtherwiseUnderAnotherSeed() {
    SeededFailures one = new SeededFailures(1);
    SeededFailures other = new SeededFailures(2);
    assertThat(
            java.util.stream.IntStream.range(0, 200)
                .filter(
                    i ->
                        one.answer("order-" + i, Activity.SHIP, 1).kind()
                            != other.answer("order-" + i, Activity.SHIP, 1).kind())
                .count())
        .isPositive();
  }

  @Test
  void everyActivityMeetsEveryKindOfAnswer() {
    SeededFailures outside = new SeededFailures(1);
    for (Activity activity : Activity.values()) {
      Set<Answer.Kind> kinds = EnumSet.noneOf(Answer.Kind.class);
      for (int i = 0; i < 2_000; i++) {
        kinds.add(outside.answer("order-" + i, activity, 1).kind());
      }
      assertThat(kinds).as(activity.text()).containsExactlyInAnyOrder(Answer.Kind.values());
    }
  }
}
