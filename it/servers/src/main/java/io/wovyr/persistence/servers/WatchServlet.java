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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Tells from beside the application what it left behind in the server: {@code loaders=2
 * threads=[names] residentKb=600000}.
 */
@WebServlet("/watch")
public class WatchServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
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
        .print("loaders=" + Watched.count() + " threads=" + threads + " residentKb=" + resident);
  }
}
