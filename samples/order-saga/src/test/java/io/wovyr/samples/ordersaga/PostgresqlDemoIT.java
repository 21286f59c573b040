/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.samples.ordersaga.SmallRun.Said;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The main job and its sabotages on PostgreSQL, as the plain roles. */
class PostgresqlDemoIT {
  private static PostgresqlStore postgresql;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    postgresql = PostgresqlStore.start();
  }

  @AfterAll
  static void stop() {
    postgresql.close();
  }

  /** C079, C080, C086, as on SQLite; sealed, which the store's other runs are not. */
  @Test
  void everyProofHoldsWhenWorkersAreKilledAndStalled() {
    Said said =
        SmallRun.run(
            directory,
            40,
            options ->
                options
                    .store(postgresql.sealed(directory.resolve("keystore.p12")))
                    .kills(2)
                    .pauses(3)
                    .json(true));
    JsonNode report = said.json();
    assertThat(said.exitCode()).as(said.output() + said.error()).isEqualTo(Demo.OK);
    assertThat(report.at("/strikes/kills")).hasSize(2);
    assertThat(report.at("/lateWrites/accepted").asInt()).isZero();
    for (String by : List.of("core", "store", "ledger")) {
      assertThat(report.at("/lateWrites/refusedBy/" + by).asInt()).as(by).isEqualTo(1);
    }
    assertThat(report.at("/store").asString()).startsWith("postgresql ").contains("tenant orders-");
    assertThat(report.at("/proofs"))
        .hasSize(6)
        .allMatch(proof -> proof.at("/violations").asInt() == 0);
  }

  @ParameterizedTest
  @CsvSource({
    "skip-fencing, 2, was written late",
    "drop-event, 2, missing",
    "drop-record, 5, its stack is",
    "append-twice, 2, ended twice",
    "stale-write, 1, its head is not closed"
  })
  void everySabotageMakesAProofFail(String name, int number, String why) {
    Sabotage sabotage = Sabotage.named(name).orElseThrow();
    Said said =
        SmallRun.run(
            directory,
            15,
            options -> options.store(postgresql.store()).workers(2).sabotage(sabotage).json(true));
    assertThat(said.exitCode()).as(said.output()).isEqualTo(Demo.PROOF_FAILED);
    JsonNode proof = said.json().at("/proofs/" + (number - 1));
    assertThat(proof.at("/violations").asInt()).as(said.output()).isPositive();
    assertThat(proof.at("/examples").toString()).contains(why);
  }

  @Test
  void aStoreThatCannotBeUsedIsRefusedBeforeAnythingIsTouched() {
    DemoOptions wrongPassword =
        SmallRun.options(directory).store(postgresql.with("password", "not-the-one")).build();
    assertThatThrownBy(() -> SmallRun.run(wrongPassword))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("login")
        .hasMessageNotContaining("not-the-one");
    assertThat(directory.resolve("run")).doesNotExist();
  }
}
