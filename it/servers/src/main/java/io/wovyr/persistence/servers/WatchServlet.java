/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Tells from beside the application what it left behind in the server: {@code loaders=2
 * threads=[names] of=60 metaspaceKb=150000 residentKb=600000}.
 */
@WebServlet("/watch")
public class WatchServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Long enough that requests of the same moment are on threads of their own. */
  private static final Duration HELD = Duration.ofMillis(300);

  private static final Logger LOG = Logger.getLogger(WatchServlet.class.getName());

  /** More than are remembered. */
  private static final int MESSAGES = 400;

  /** A record whose component is of a type of nobody else's. */
  private record Named(StringBuilder name) {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getParameter("do") == null ? "" : request.getParameter("do")) {
      case "link-a-record" -> linkARecord();
      case "fill-the-log" -> fillTheLog();
      case "hold-a-thread" -> {
        LockSupport.parkNanos(HELD.toNanos());
        return;
      }
      default -> {}
    }
    System.gc();
    String threads =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.contains("wovyr") || name.contains("Hikari"))
            .sorted()
            .collect(Collectors.joining(";", "[", "]"));
    String resident =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .map(line -> line.replaceAll("\\D", ""))
            .findFirst()
            .orElse("0");
    response
        .getWriter()
        .print(
            "loaders=%d threads=%s of=%d metaspaceKb=%d residentKb=%s"
                .formatted(
                    Watched.count(),
                    threads,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    metaspaceKb(),
                    resident));
  }

  /**
   * In the first minutes of a server Open Liberty remembers its last messages, with the log records
   * that they came from ({@code BaseTraceService.earlierMessages}), and so the classes of who wrote
   * them: now of this application.
   */
  private static void fillTheLog() {
    for (int i = 1; i <= MESSAGES; i++) {
      LOG.info("message " + i + " of " + MESSAGES);
    }
  }

  private static long metaspaceKb() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals("Metaspace"))
        .mapToLong(pool -> pool.getUsage().getUsed() / 1024)
        .sum();
  }

  /**
   * The JVM's own method handles for {@code equals} and {@code hashCode} of records remember the
   * types of the record that was linked last, of an undeployed application as well: now this one.
   */
  private static void linkARecord() {
    Named one = new Named(new StringBuilder());
    Named same = new Named(one.name());
    if (!one.equals(same) || one.hashCode() != same.hashCode()) {
      throw new IllegalStateException("a record does not equal itself");
    }
  }
}
