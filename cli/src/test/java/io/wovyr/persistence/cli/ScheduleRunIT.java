/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedulers in processes of their own over one SQLite store. */
final class ScheduleRunIT {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir private Path directory;
  private SampleStore store;

  @BeforeEach
  void addSchedule() {
    store = SampleStore.create(directory.resolve("wovyr.db"));
    repositories()
        .schedules()
        .add(
            NewSchedule.of(
                    "pulse", new Timing.Every(SECOND, Instant.now()), DefinitionRef.of("beat", 1))
                .withMisfire(Misfire.FIRE_ALL, Duration.ofMinutes(1)))
        .orThrow();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private Repositories repositories() {
    return store
        .persistence()
        .as(Caller.of(GlobalOptions.DEFAULT_TENANT, "test", Role.READER, Role.ADMIN));
  }

  private SchedulerProcess scheduler(String... options) {
    List<String> all = new ArrayList<>(List.of("--store", "wovyr.db"));
    all.addAll(List.of(options));
    return SchedulerProcess.start(directory, all);
  }

  @Test
  void twoProcessesSideBySideFireEveryTimeOnceThoughOneIsKilled() throws InterruptedException {
    List<String> said = new ArrayList<>();
    try (SchedulerProcess killed = scheduler("--no-lease");
        SchedulerProcess other = scheduler("--no-lease")) {
      killed.awaitFires(1);
      other.awaitFires(1);
      killed.kill();
      other.awaitFires(3);
      assertThat(other.stop()).isEqualTo(143);
      said.addAll(killed.said());
      said.addAll(other.said());
    }
    assertThat(said).doesNotHaveDuplicates();
    SchedulerProcess.everyTimeFiredOnce(repositories(), "pulse", SECOND);
  }

  @Test
  void theOneThatStandsByTakesOverWhenTheOtherIsKilled() throws InterruptedException {
    try (SchedulerProcess killed = scheduler("--lease", "PT5S")) {
      killed.awaitFires(1);
      try (SchedulerProcess other = scheduler("--lease", "PT5S")) {
        killed.awaitFires(3);
        killed.kill();
        other.awaitFires(3);
        assertThat(other.stop()).isEqualTo(143);
        assertThat(other.said()).doesNotContainAnyElementsOf(killed.said());
      }
    }
    SchedulerProcess.everyTimeFiredOnce(repositories(), "pulse", SECOND);
  }
}
