/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.Tally.Counts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person at a terminal sees of a run under way. */
class ProgressTest {
  private static final Counts MANY = new Counts(14_543, 9_876, 12);
  private static final Duration WORKING = Duration.ofSeconds(4);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream terminal = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String seen() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private Progress progress(ProgressLine line) {
    return new Progress(terminal, Optional.of(line), 1_200);
  }

  /** One column more, and a terminal leaves a row behind at every update. */
  @Test
  void theLineNeverFillsTheLastColumnOfTheTerminal() {
    for (int columns : new int[] {1, 20, 40, 60, 79, 80, 81, 100, 200}) {
      bytes.reset();
      progress(new ProgressLine(terminal, columns)).finish(1_034, MANY, new ChaosLog(), WORKING);
      for (String drawn : seen().strip().split("\r")) {
        assertThat(drawn.length())
            .as("%d columns: %s", columns, drawn)
            .isLessThan(Math.max(2, columns));
      }
    }
  }

  @Test
  void eightyColumnsShowTheBarTheOrdersAndWhatWasStruck() {
    progress(new ProgressLine(terminal, 80)).finish(1_034, MANY, new ChaosLog(), WORKING);
    assertThat(seen())
        .contains("[####", "] 1,034/1,200 orders", "2,469 steps/s", "kills 0", "takeovers 12");
  }

  @Test
  void whatIsSaidBesideItStandsOnALineOfItsOwn() {
    ProgressLine line = new ProgressLine(terminal, 80);
    line.show("[####....] 5/10 orders");
    line.before(terminal).println("warning: made the keystore");
    line.show("[#####...] 6/10 orders");
    line.leave();
    String width = " ".repeat("[####....] 5/10 orders".length());
    assertThat(seen())
        .isEqualTo(
            "\r[####....] 5/10 orders\r%s\rwarning: made the keystore%n\r[#####...] 6/10 orders%n"
                .formatted(width));
  }

  @Test
  void aResumedRunCountsWhatItHasLeftToDo() {
    Progress progress = progress(new ProgressLine(terminal, 200));
    progress.resumedAfter(700);
    progress.finish(800, MANY, new ChaosLog(), WORKING);
    assertThat(seen()).contains("700 of them had ended before", "100/500 orders");
  }

  @Test
  void whoInterruptsARunIsToldTheCommandThatFinishesIt() {
    DemoOptions options =
        DemoOptions.builder().resumeCommand("wovyr demo --resume --directory d2").build();
    new Screen(terminal, terminal, Optional.empty()).interrupted(options);
    assertThat(seen()).endsWith("Finish it: wovyr demo --resume --directory d2%n".formatted());
  }
}
