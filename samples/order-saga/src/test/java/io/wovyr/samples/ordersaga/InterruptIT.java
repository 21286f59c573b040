/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.SmallRun.Said;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, and worse, at the controller: what is stored can be finished. */
class InterruptIT {
  private static final int ORDERS = 300;
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

  @TempDir Path directory;

  /** C082: on shutdown nothing new is taken and what is held is handed back. */
  @Test
  void aRunInterruptedByTheUserIsFinishedByResume() throws Exception {
    Process demo = startAndAwaitProgress();
    Said beside = SmallRun.run(SmallRun.options(directory).build());
    assertThat(beside.exitCode()).isEqualTo(Demo.UNUSABLE_INPUT);
    assertThat(beside.error())
        .contains("another process (" + demo.pid() + ") is at work in", "another --directory");
    // As a terminal does: the signal goes to the workers as well.
    List<String> kill = new ArrayList<>(List.of("kill", "-INT", String.valueOf(demo.pid())));
    demo.descendants().forEach(worker -> kill.add(String.valueOf(worker.pid())));
    // What ends by itself meanwhile cannot be told any more.
    int unused = new ProcessBuilder(kill).start().waitFor();
    assertThat(demo.waitFor(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(demo.exitValue()).isEqualTo(Demo.INTERRUPTED);
    assertThat(demo.descendants()).isEmpty();
    isFinishedByResume();
  }

  @Test
  void aRunWhoseControllerWasKilledIsFinishedByResume() throws Exception {
    Process demo = startAndAwaitProgress();
    List<ProcessHandle> workers = demo.descendants().toList();
    assertThat(workers).isNotEmpty();
    demo.destroyForcibly();
    for (ProcessHandle worker : workers) {
      // Nobody is left behind: a worker ends when its controller is gone.
      worker.onExit().get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);
    }
    isFinishedByResume();
  }

  private void isFinishedByResume() {
    DemoOptions.Builder options = SmallRun.options(directory);
    Said refused = SmallRun.run(options.build());
    assertThat(refused.exitCode()).isEqualTo(Demo.UNUSABLE_INPUT);
    assertThat(refused.error()).contains("--resume");
    Said otherSeed = SmallRun.run(SmallRun.options(directory).resume(true).seed(2).build());
    assertThat(otherSeed.exitCode()).isEqualTo(Demo.UNUSABLE_INPUT);
    assertThat(otherSeed.error()).contains("has the seed 1", "leave --seed out");
    Said resumed = SmallRun.run(options.resume(true).json(true).build());
    assertThat(resumed.exitCode()).as(resumed.output()).isEqualTo(Demo.OK);
    assertThat(resumed.json().at("/resumed").asBoolean()).isTrue();
    assertThat(resumed.json().at("/input/orders").asInt()).isEqualTo(ORDERS);
  }

  private Process startAndAwaitProgress() throws IOException {
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DemoProcess.class.getName(),
                "orders=" + SmallRun.orders(directory, ORDERS),
                "directory=" + directory.resolve("run"),
                "workers=2",
                "kills=0",
                "pauses=0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    while (line != null && !line.startsWith("[")) {
      line = lines.readLine();
    }
    assertThat(line).as("a line of progress").isNotNull().doesNotContain("300/300");
    return demo;
  }
}
