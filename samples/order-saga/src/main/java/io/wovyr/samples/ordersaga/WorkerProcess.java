/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker process as its controller sees it. Thread-safe. */
final class WorkerProcess {
  private final String name;
  private final Process process;
  private final PrintWriter toWorker;

  /** Hears what a worker says. */
  interface Listener {
    /** One message, in words. Called on a thread of this worker. */
    void said(WorkerProcess worker, List<String> words);

    /** The process is gone, and everything it said was heard. */
    void gone(WorkerProcess worker, int exitCode);
  }

  private WorkerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.toWorker =
        new PrintWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
  }

  /** Starts a worker with this process's own class path. */
  static WorkerProcess start(
      String name,
      Path directory,
      StoreSettings store,
      Path log,
      String sabotage,
      Listener listener) {
    return start(Worker.class, name, directory, store, log, sabotage, listener);
  }

  /**
   * Starts a process with this one's own class path.
   *
   * @param main takes the arguments of a worker
   */
  static WorkerProcess start(
      Class<?> main,
      String name,
      Path directory,
      StoreSettings store,
      Path log,
      String sabotage,
      Listener listener) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A worker lives for seconds: a small heap and the quick compiler start fastest.
    command.addAll(
        List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(sharedArchive());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(main.getName(), directory.toString(), name));
    if (!sabotage.isEmpty()) {
      command.add(sabotage);
    }
    WorkerProcess worker = start(name, command, log, listener);
    worker.tell("STORE " + Json.write(store));
    return worker;
  }

  /** Starts a process that talks as a worker does. */
  static WorkerProcess start(String name, List<String> command, Path log, Listener listener) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      WorkerProcess worker = new WorkerProcess(name, process);
      Thread reader = new Thread(() -> worker.listen(listener), name + "-lines");
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new CannotGoOn("worker " + name + " cannot be started: " + e.getMessage(), e);
    }
  }

  /** What helps this process to start helps its workers as well: they load the same classes. */
  private static List<String> sharedArchive() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:SharedArchiveFile="))
        .toList();
  }

  private void listen(Listener listener) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        listener.said(this, List.of(line.split(" ")));
      }
    } catch (IOException e) {
      // The process is gone in the middle of a line.
    }
    listener.gone(this, process.onExit().join().exitValue());
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Says something to the worker; without effect when it is gone. */
  void tell(String message) {
    toWorker.println(message);
  }

  /** SIGKILL: the process gets no chance to do anything. */
  void kill() {
    process.destroyForcibly();
  }

  /** SIGSTOP: the process stands still and never knows. */
  void stall() {
    signal("-STOP");
  }

  /** SIGCONT: the process goes on where it stood. */
  void wake() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
              .redirectErrorStream(true)
              .start();
      if (kill.waitFor() != 0) {
        throw new CannotGoOn("kill " + signal + " failed for worker " + name, null);
      }
    } catch (IOException e) {
      throw new CannotGoOn("this system has no 'kill': run with --pauses 0", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it is gone, at most so long. */
  boolean awaitExit(Duration timeout) {
    try {
      return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }
}
