/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One ledger in the hands of several processes. */
class LedgerIT {
  private static final UUID ORDER = new UUID(1, 1);
  private static final int PROCESSES = 3;
  private static final int EFFECTS = 300;

  @TempDir Path directory;

  @Test
  void anEffectHappensOnceHoweverManyProcessesAskForIt() throws Exception {
    Path file = directory.resolve("ledger.log");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Asker.class.getName(),
                  file.toString())
              .inheritIO()
              .start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
    try (Ledger ledger = Ledger.open(file)) {
      Set<String> keys = new HashSet<>();
      for (LedgerRecord record : ledger.records()) {
        assertThat(keys.add(((Performed) record).key())).isTrue();
      }
      assertThat(keys).hasSize(EFFECTS);
    }
  }

  /** Asks for all effects, under one token. */
  static final class Asker {
    private Asker() {}

    public static void main(String[] arguments) {
      try (Ledger ledger = Ledger.open(Path.of(arguments[0]))) {
        for (int i = 0; i < EFFECTS; i++) {
          Answer answer = new Answer(Answer.Kind.DONE, "by " + ProcessHandle.current().pid());
          ledger.perform(ORDER, 1, "effect/" + i, () -> answer);
        }
      }
    }
  }
}
