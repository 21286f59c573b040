/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Persistence;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** What is left behind in an executor that goes on when we are gone. */
class BackgroundOfContainerTest {
  @Test
  void nothingWaitsThereThatHasOurClasses() {
    ScheduledThreadPoolExecutor containers = new ScheduledThreadPoolExecutor(4);
    try {
      Persistence persistence =
          WovyrPersistence.builder()
              .provider(new MemoryStorageProvider())
              .setting("wovyr.sealing.provider", "none")
              .setting("wovyr.housekeeping.every", "PT1H")
              .setting("wovyr.metrics.sample-every", "PT1H")
              .background(containers)
              .build();
      assertThat(containers.getQueue()).as("housekeeping at least").isNotEmpty();
      persistence.close();

      assertThat(containers.getQueue())
          .as("let go of, and not only far away")
          .allMatch(task -> ((Future<?>) task).isCancelled());
    } finally {
      containers.shutdownNow();
    }
  }
}
