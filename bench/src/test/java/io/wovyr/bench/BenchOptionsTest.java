/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line. */
class BenchOptionsTest {
  @Test
  void withoutAnythingStepsAndLoadsOfSqliteAreMeasured() {
    BenchOptions options = BenchOptions.of(List.of());

    assertThat(options.provider()).isEqualTo("sqlite");
    assertThat(options.modes()).containsExactly(BenchOptions.Mode.STEP, BenchOptions.Mode.LOAD);
    assertThat(options.callers()).containsExactly(1, 8, 32);
    assertThat(options.json()).isFalse();
  }

  @Test
  void everythingCanBeSaid() {
    BenchOptions options =
        BenchOptions.of(
            List.of(
                "--provider",
                "postgresql",
                "--url",
                "jdbc:postgresql://h/d",
                "--mode",
                "soak,LATENCY",
                "--rounds",
                "3",
                "--seconds",
                "0.5",
                "--callers",
                "1, 2",
                "--steps",
                "200",
                "--executions",
                "50",
                "--warm-up",
                "0",
                "--json"));

    assertThat(options.modes()).containsExactly(BenchOptions.Mode.LATENCY, BenchOptions.Mode.SOAK);
    assertThat(options.callers()).containsExactly(1, 2);
    assertThat(options.seconds()).isEqualTo(0.5);
    assertThat(options.json()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--provider mongo",
        "--url jdbc:postgresql://h/d",
        "--provider postgresql --url http://h",
        "--mode fast",
        "--mode enlist",
        "--rounds 0",
        "--rounds many",
        "--seconds 0",
        "--callers 0",
        "--callers 1,x",
        "--steps 1",
        "--executions 1",
        "--rounds",
        "--hurry"
      })
  void whatMakesNoSenseIsRefusedWithAWordAboutIt(String line) {
    assertThatThrownBy(() -> BenchOptions.of(List.of(line.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)(--|unknown: --).+");
  }
}
