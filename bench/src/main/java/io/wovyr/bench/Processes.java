/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What processes have used, as {@code /proc} tells; NaN where there is none. Stateless. */
final class Processes {
  private static final Path PROC = Path.of("/proc");

  /** Linux counts CPU time in hundredths of a second. */
  private static final double NANOS_PER_TICK = 1e7;

  private Processes() {}

  /** CPU time of this process. */
  static double ownCpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** CPU time of a process and its children, those that ended included. */
  static double familyCpuNanos(long pid) {
    double ticks = ticks(pid, true);
    try (Stream<ProcessHandle> children =
        ProcessHandle.of(pid).map(ProcessHandle::children).orElse(Stream.empty())) {
      return (ticks + children.mapToDouble(child -> ticks(child.pid(), false)).sum())
          * NANOS_PER_TICK;
    }
  }

  private static double ticks(long pid, boolean withEnded) {
    try {
      String line = Files.readString(PROC.resolve(pid + "/stat"));
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      double ticks = Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]);
      return withEnded
          ? ticks + Double.parseDouble(fields[13]) + Double.parseDouble(fields[14])
          : ticks;
    } catch (IOException e) {
      // A child that has just ended is counted with its parent.
      return withEnded ? Double.NaN : 0;
    }
  }

  /** Bytes that this process has handed to the system to write. */
  static double ownWrittenBytes() {
    return field(PROC.resolve("self/io"), "wchar:");
  }

  /** Memory of this process in use, as the system sees it. */
  static double ownResidentBytes() {
    return field(PROC.resolve("self/status"), "VmRSS:") * 1024;
  }

  private static double field(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
