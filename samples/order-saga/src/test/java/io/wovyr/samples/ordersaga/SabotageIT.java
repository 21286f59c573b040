/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.SmallRun.Said;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A proof that cannot fail proves nothing: each sabotage makes one fail, every time. */
class SabotageIT {
  @TempDir Path directory;

  /** Enough that a worker can still be struck while the others of a busy machine work on. */
  private static final int ORDERS = 60;

  @ParameterizedTest
  @CsvSource({
    "skip-fencing, 2, was written late",
    "drop-event, 2, missing",
    "drop-record, 5, its stack is",
    "append-twice, 2, ended twice",
    "stale-write, 1, its head is not closed"
  })
  void makesAProofFail(String name, int number, String why) {
    Sabotage sabotage = Sabotage.named(name).orElseThrow();
    Said said =
        SmallRun.run(
            directory, ORDERS, options -> options.workers(2).sabotage(sabotage).json(true));
    assertThat(said.exitCode()).as(said.output()).isEqualTo(Demo.PROOF_FAILED);
    JsonNode proof = said.json().at("/proofs/" + (number - 1));
    assertThat(proof.at("/violations").asInt()).as(said.output()).isPositive();
    assertThat(proof.at("/examples").toString()).contains(why);
  }
}
