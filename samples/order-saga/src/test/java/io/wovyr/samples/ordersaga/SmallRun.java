/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** The main job over a few of the shipped orders. */
final class SmallRun {
  private SmallRun() {}

  /** What a run said. */
  record Said(int exitCode, String output, String error) {
    JsonNode json() {
      return Json.tree(output);
    }
  }

  /** The first of the shipped orders as a file in this directory. */
  static Path orders(Path directory, int count) {
    try (var in = OrderReader.class.getResourceAsStream("orders.csv")) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return Files.write(directory.resolve("some-orders.csv"), lines.subList(0, count + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Options for a run in this directory: three workers, a short ttl, nobody struck. */
  static DemoOptions.Builder options(Path directory) {
    return DemoOptions.builder()
        .directory(directory.resolve("run"))
        .workers(3)
        .kills(0)
        .pauses(0)
        .leaseTtl(Duration.ofSeconds(1));
  }

  /** Runs it in this process, its workers in theirs. */
  static Said run(Path directory, int orders, UnaryOperator<DemoOptions.Builder> change) {
    return run(change.apply(options(directory).orders(orders(directory, orders))).build());
  }

  static Said run(DemoOptions options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream error = new PrintStream(errors, true, StandardCharsets.UTF_8);
    int exitCode = Demo.run(options, out, error);
    return new Said(
        exitCode, bytes.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
  }
}
