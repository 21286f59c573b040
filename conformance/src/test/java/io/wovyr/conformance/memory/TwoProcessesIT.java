/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of two processes, over stores in a file: a sound one and two broken ones. */
class TwoProcessesIT {
  static final String AREA = "Two processes";

  @TempDir Path directory;

  private BrokenRun.Results run(LogFileProvider.Flaw flaw) {
    return BrokenRun.of(new InAFile(directory.resolve("log"), flaw), AREA);
  }

  @Test
  void aSoundStorePasses() {
    BrokenRun.Results results = run(LogFileProvider.Flaw.NONE);

    assertEquals(Set.of(), results.failed());
    assertEquals(3, results.passed().size());
  }

  @Test
  void twoProcessesThatDoNotWaitForEachOtherAreNoticed() {
    assertFails(LogFileProvider.Flaw.UNLOCKED, "exactlyOneOfTwoProcessesTakesAnExecution");
  }

  @Test
  void anAnswerBeforeTheWriteIsNoticed() {
    assertFails(
        LogFileProvider.Flaw.WRITES_LATER,
        "whatAKilledProcessCommittedIsThereAndWhatItDidNotFinishIsNot");
  }

  private void assertFails(LogFileProvider.Flaw flaw, String contract) {
    Set<String> failed = run(flaw).failed();

    assertTrue(failed.contains(AREA + "/" + contract), () -> "failed: " + failed);
  }

  private record InAFile(Path path, LogFileProvider.Flaw flaw) implements StorageUnderTest {
    @Override
    public String provider() {
      return "log-file";
    }

    private Map<String, String> settings() {
      return Map.of("path", path.toString(), "flaw", flaw.name());
    }

    @Override
    public Storage open() {
      return new LogFileProvider().open(settings());
    }

    @Override
    public int rounds() {
      return 400;
    }

    @Override
    public Duration patience() {
      return Duration.ofSeconds(30);
    }

    @Override
    public Optional<OtherProcess> otherProcess() {
      return Optional.of(new OtherProcess(LogFileProvider.class, settings()));
    }
  }
}
