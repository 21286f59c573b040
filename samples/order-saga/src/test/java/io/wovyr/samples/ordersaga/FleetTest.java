/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are only as much as a fleet sees of them: processes that end with their input. */
class FleetTest {
  @TempDir Path path;

  private final List<WorkerProcess> started = new ArrayList<>();
  private RunDirectory directory;
  private Fleet fleet;

  @BeforeEach
  void makeFleet() {
    directory = RunDirectory.begin(path, false);
    fleet = new Fleet(directory, (name, listener) -> start(name, "cat", listener), new Nobody());
  }

  @AfterEach
  void stopFleet() {
    fleet.kill();
    directory.close();
  }

  private WorkerProcess start(String name, String what, WorkerProcess.Listener listener) {
    WorkerProcess worker =
        WorkerProcess.start(name, List.of("sh", "-c", what), directory.log(name), listener);
    started.add(worker);
    return worker;
  }

  private static final class Nobody implements WorkerProcess.Listener {
    @Override
    public void said(WorkerProcess worker, List<String> words) {}

    @Override
    public void gone(WorkerProcess worker, int exitCode) {}
  }

  /** Sixty-four that start at once are all late, and none is ready by its deadline. */
  @Test
  void fewWorkersStartAtATimeHoweverManyAreWanted() {
    for (int i = 0; i < 64; i++) {
      fleet.add();
    }
    assertThat(started).hasSize(Fleet.MOST_STARTING);
    assertThat(fleet.isStarting()).isTrue();

    fleet.said(started.get(0), List.of("READY"));
    assertThat(started).hasSize(Fleet.MOST_STARTING + 1);
    assertThat(fleet.size()).isEqualTo(64);
  }

  @Test
  void nobodyIsStartedAnyMoreOnceItStops() {
    for (int i = 0; i < 64; i++) {
      fleet.add();
    }
    fleet.kill();
    fleet.said(started.get(0), List.of("READY"));
    assertThat(started).hasSize(Fleet.MOST_STARTING);
  }

  @Test
  void saysWhatWorkersThatKeepFailingSaidLast() throws Exception {
    Fleet failing =
        new Fleet(
            directory,
            (name, listener) ->
                start(name, "echo 'the disk is full: free space' >&2; exit 1", listener),
            new Nobody());
    failing.add();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (failing.isStarting()) {
      assertThat(System.nanoTime()).as("it gives up").isLessThan(until);
      Thread.onSpinWait();
    }
    assertThatThrownBy(failing::check)
        .isInstanceOf(CannotGoOn.class)
        .hasMessageContaining("keep failing")
        .hasMessageContaining("the disk is full: free space");
    assertThat(logs()).isNotEmpty();
  }

  private List<Path> logs() throws IOException {
    try (var files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    }
  }
}
