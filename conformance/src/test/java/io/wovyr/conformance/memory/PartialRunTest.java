/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A run of some contracts says nothing about the others. */
class PartialRunTest {
  private static final String PROVIDER = "partly-run";

  @Test
  void leavesTheProvidersReportAsItIs() throws IOException {
    Path report = BrokenRun.REPORTS.resolve(PROVIDER + ".json");
    Path partial = BrokenRun.REPORTS.resolve("partial").resolve(PROVIDER + ".json");
    Files.createDirectories(BrokenRun.REPORTS);
    Files.writeString(report, "the whole");
    Files.deleteIfExists(partial);

    BrokenRun.of(new MemoryUnderTest(PROVIDER, MemorySettings.defaults()), "Guards");

    assertEquals("the whole", Files.readString(report));
    assertTrue(Files.readString(partial).contains("\"area\": \"Guards\""));
  }
}
