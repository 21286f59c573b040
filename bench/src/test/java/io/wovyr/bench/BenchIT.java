/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs of the whole benchmark: what is printed, not how fast it is. */
class BenchIT {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  @TempDir Path directory;

  private int run(Stop stop, String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(
        List.of(
            "--directory",
            directory.toString(),
            "--rounds",
            "1",
            "--seconds",
            "0.1",
            "--warm-up",
            "0.1",
            "--callers",
            "1,2",
            "--steps",
            "160",
            "--executions",
            "20",
            "--waiting",
            "1000"));
    return new Bench(
            BenchOptions.of(all), new PrintStream(out, true), new PrintStream(progress, true), stop)
        .run();
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyColumnStandsBesideTheFloorAndProgressElsewhere() {
    assertThat(run(new Stop(), "--mode", "step,latency,soak,due,sealing")).isEqualTo(Bench.OK);

    assertThat(printed())
        .contains("of floor", "floor (JDBC by hand)", "Storage.commit", "repositories")
        .contains(
            "target p99 ms", "MiB per million steps", "executions, while taken", "sealed of clear")
        .doesNotContain("interrupted", "bench:");
    assertThat(progress.toString(StandardCharsets.UTF_8)).contains("bench: warming up");
  }

  @Test
  void aServerIsStartedMeasuredAndGoneAgain() {
    assertThat(
            run(
                new Stop(),
                "--provider",
                "postgresql",
                "--mode",
                "step,latency,due,enlist",
                "--json"))
        .isEqualTo(Bench.OK);

    assertThat(printed().lines()).hasSize(1);
    assertThat(printed())
        .startsWith("{")
        .contains("\"complete\":true", "\"roundTrips\":1.0", "\"logBytes\":", "\"heapOnlyPercent\"")
        .contains("\"call\":\"transaction\"", "\"what\":\"schedules, alone\"")
        .contains("\"fullScans\":0.0", "\"enlist\"", "repositories, enlisted");
    assertThat(directory.resolve("data/postmaster.pid")).doesNotExist();
  }

  @Test
  void interruptedItPrintsWhatItHas() {
    Stop stop = new Stop();
    stop.request();

    assertThat(run(stop, "--json")).isEqualTo(Bench.OK);
    assertThat(printed()).contains("\"complete\":false", "\"store\":\"sqlite");
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeNotThere() {
    int code =
        run(
            new Stop(),
            "--provider",
            "postgresql",
            "--url",
            "jdbc:postgresql://127.0.0.1:1/postgres?user=nobody");

    assertThat(code).isEqualTo(Bench.UNAVAILABLE);
    assertThat(progress.toString(StandardCharsets.UTF_8)).contains("no store to measure");
    assertThat(printed()).isEmpty();
  }
}
