/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A command that runs beside the test; its output can be waited for. */
final class Background {
  private static final long DEADLINE_SECONDS = 180;

  private final Output out = new Output();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private final Thread thread;

  private Background(Path directory, String[] arguments) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            Map.of(),
            directory,
            InstantSource.system());
    thread = new Thread(() -> exit.complete(Wovyr.run(console, arguments)), "background");
    thread.setDaemon(true);
    thread.start();
  }

  static Background run(Command command, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--store", command.store().toString()));
    all.addAll(List.of(arguments));
    return runBare(command.store().getParent(), all.toArray(String[]::new));
  }

  /** Without {@code --store}. */
  static Background runBare(Path directory, String... arguments) {
    return new Background(directory, arguments);
  }

  List<String> lines() {
    return out.text().lines().toList();
  }

  void awaitLines(int count) {
    out.await(count);
  }

  /** As Ctrl-C would. */
  void interrupt() {
    thread.interrupt();
  }

  int awaitExit() {
    try {
      return exit.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the command did not end; it said: " + out.text(), e);
    }
  }

  /** Tells when more was written. */
  private static final class Output extends ByteArrayOutputStream {
    @Override
    public synchronized void write(int b) {
      super.write(b);
      notifyAll();
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      notifyAll();
    }

    synchronized String text() {
      return toString(StandardCharsets.UTF_8);
    }

    synchronized void await(int lines) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
      while (text().lines().count() < lines) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("waited for " + lines + " lines, got: " + text());
        }
        try {
          wait(left);
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
    }
  }
}
