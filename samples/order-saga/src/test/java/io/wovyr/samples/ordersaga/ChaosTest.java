/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.Strike.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosTest {
  @Test
  void fourKillsStrikeEveryPhase() {
    assertThat(Chaos.plan(4, 0)).extracting(Strike::phase).containsExactly(Phase.values());
  }

  @Test
  void theFirstStallStrikesInsideTheStorageCall() {
    assertThat(Chaos.plan(0, 1)).containsExactly(new Strike(Kind.STALL, Phase.IN_COMMIT));
  }

  @Test
  void killsAndStallsAlternate() {
    List<Strike> plan = Chaos.plan(3, 2);
    assertThat(plan)
        .extracting(Strike::kind)
        .containsExactly(Kind.KILL, Kind.STALL, Kind.KILL, Kind.STALL, Kind.KILL);
  }
}
