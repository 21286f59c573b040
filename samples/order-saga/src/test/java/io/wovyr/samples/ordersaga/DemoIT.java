/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.SmallRun.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The main job with real workers, really killed and stalled. */
class DemoIT {
  @TempDir Path directory;

  /**
   * C079: what was stalled is refused by its token, not by its name. C080: with a lease that ran
   * out nothing is written. C086: whoever takes over loads after acquiring.
   */
  @Test
  void everyProofHoldsWhenWorkersAreKilledAndStalledAtEveryPhase() {
    Said said = SmallRun.run(directory, 60, options -> options.kills(4).pauses(3).json(true));
    JsonNode report = said.json();
    assertThat(said.exitCode()).as(said.output() + said.error()).isEqualTo(Demo.OK);
    for (Phase phase : Chaos.KILL_PHASES) {
      assertThat(report.at("/strikes/kills/" + phase.text()).asInt()).isEqualTo(1);
    }
    for (Phase phase : Chaos.STALL_PHASES) {
      assertThat(report.at("/strikes/stalls/" + phase.text()).asInt()).isEqualTo(1);
    }
    assertThat(report.at("/lateWrites/accepted").asInt()).isZero();
    for (String by : List.of("core", "store", "ledger")) {
      assertThat(report.at("/lateWrites/refusedBy/" + by).asInt()).as(by).isEqualTo(1);
    }
    assertThat(report.at("/log/repetitions").asInt()).isGreaterThanOrEqualTo(7);
    assertThat(report.at("/executions/COMPLETED").asInt()).isGreaterThan(40);
    assertThat(report.at("/executions/COMPENSATED").asInt()).isPositive();
    assertThat(report.at("/log/retries").asInt()).isPositive();
    assertThat(report.at("/proofs"))
        .hasSize(6)
        .allMatch(proof -> proof.at("/violations").asInt() == 0);
  }

  @Test
  void namesMalformedLinesInTheReportAndRunsTheRest() throws IOException {
    Path orders = SmallRun.orders(directory, 5);
    Files.writeString(orders, "A-1,Shop,FR,EUR,nonsense,low,S:1\n", StandardOpenOption.APPEND);
    Said said = SmallRun.run(SmallRun.options(directory).workers(1).orders(orders).build());
    assertThat(said.exitCode()).as(said.output() + said.error()).isEqualTo(Demo.OK);
    assertThat(said.output())
        .contains("5 from " + orders + ", 1 malformed line left out")
        .contains(orders + ":7: amount is not a decimal number")
        .contains("proof 1  holds")
        .contains("proof 2  holds")
        .contains("proof 3  holds")
        .contains("proof 6  holds");
  }

  @Test
  void oneWorkerAloneIsRelievedByAnotherWhenItIsStalled() {
    Said said =
        SmallRun.run(directory, 12, options -> options.workers(1).kills(1).pauses(1).json(true));
    assertThat(said.exitCode()).as(said.output() + said.error()).isEqualTo(Demo.OK);
    assertThat(said.json().at("/lateWrites/refusedBy/store").asInt()).isEqualTo(1);
  }

  @Test
  void saysSoWhenThereAreTooFewOrdersToStrikeAt() throws IOException {
    Path orders = directory.resolve("one-order.csv");
    Files.writeString(
        orders,
        "order_id,customer,country,currency,amount,priority,items\n"
            + orderThatFailsAtOnce()
            + ",Shop,FR,EUR,1.00,low,S:1\n");
    Said said = SmallRun.run(SmallRun.options(directory).orders(orders).kills(4).build());
    assertThat(said.exitCode()).as(said.output() + said.error()).isEqualTo(Demo.OK);
    assertThat(said.output())
        .contains("1 FAILED")
        .contains("2 (1 after-effect, 1 before-effect)")
        .contains("2 more were wanted: there were too few orders to strike at");
  }

  /** Its first attempt is refused, so it never reaches a commit with another attempt behind it. */
  private static String orderThatFailsAtOnce() {
    SeededFailures outside = new SeededFailures(1);
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "A-" + i)
        .filter(id -> outside.answer(id, Activity.RESERVE_STOCK, 1).kind() == Answer.Kind.REFUSED)
        .findFirst()
        .orElseThrow();
  }
}
