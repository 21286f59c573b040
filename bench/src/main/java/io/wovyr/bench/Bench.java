/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.internal.FileReasons;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Measures the layer beside the same work done by hand. Progress goes to standard error, the result
 * to standard output; interrupted, it prints what it has.
 *
 * @since 0.1
 */
public final class Bench {
  /** The run is over, its result is printed. */
  public static final int OK = 0;

  /** Something went wrong on the way. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** There is no store to be had. */
  public static final int UNAVAILABLE = 3;

  /** The environment variable with a URL that holds a password. */
  public static final String URL_VARIABLE = "WOVYR_BENCH_URL";

  private static final int CONNECTIONS_BESIDE = 40;

  /** Held, so that its level stays. */
  private static final Logger QUIET = Logger.getLogger("");

  private final BenchOptions options;
  private final PrintStream out;
  private final PrintStream progress;
  private final Stop stop;

  Bench(BenchOptions options, PrintStream out, PrintStream progress, Stop stop) {
    this.options = options;
    this.out = out;
    this.progress = progress;
    this.stop = stop;
  }

  /** Runs and ends the process with one of the codes above. */
  public static void main(String[] arguments) {
    BenchOptions options;
    try {
      options =
          BenchOptions.of(List.of(arguments), Optional.ofNullable(System.getenv(URL_VARIABLE)));
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    // What libraries say of their start is no progress of ours.
    QUIET.setLevel(Level.WARNING);
    Stop stop = Stop.onSignal();
    int code;
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(answer, true, StandardCharsets.UTF_8);
    try {
      code = new Bench(options, out, System.err, stop).run();
      code = answer(answer, code);
    } finally {
      stop.finished();
    }
    System.exit(code);
  }

  /** Writes the result out; one that is lost is a failure, a reader that went away is none. */
  private static int answer(ByteArrayOutputStream answer, int code) {
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      answer.writeTo(out);
      return code;
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Broken pipe")) {
        return code;
      }
      System.err.println("bench: the result could not be written: " + e.getMessage());
      return code == OK ? FAILED : code;
    }
  }

  /** Measures what the options name; the exit code. */
  int run() {
    try {
      boolean own = options.directory().isEmpty();
      Path directory =
          own
              ? Files.createTempDirectory("wovyr-bench")
              : Files.createDirectories(options.directory().get().toAbsolutePath());
      try {
        return in(directory);
      } finally {
        if (own) {
          delete(directory);
        }
      }
    } catch (IOException e) {
      progress.println("bench: no directory for its stores: " + FileReasons.withPath(e));
      return UNAVAILABLE;
    }
  }

  private int in(Path directory) {
    try (Store store = open(directory)) {
      return over(store, directory);
    } catch (IOException e) {
      progress.println("bench: no store to measure: " + FileReasons.withPath(e));
      return UNAVAILABLE;
    } catch (SQLException | RuntimeException e) {
      progress.println("bench: no store to measure: " + e.getMessage());
      return UNAVAILABLE;
    } catch (Exception e) {
      progress.println("bench: " + e);
      return FAILED;
    }
  }

  private Store open(Path directory) throws SQLException, IOException {
    if (options.provider().equals("sqlite")) {
      return new SqliteStore(directory);
    }
    if (options.provider().equals("rocksdb")) {
      return new RocksDbStore(directory);
    }
    int connections = Math.max(16, options.mostCallers());
    PostgresqlServer server =
        options.url().isPresent()
            ? PostgresqlServer.at(options.url().get())
            : PostgresqlServer.start(directory, 6 * connections + CONNECTIONS_BESIDE);
    try {
      return new PostgresqlStore(server, connections);
    } catch (SQLException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private int over(Store store, Path directory) {
    Result result =
        new Result()
            .about("store", store.describe())
            .about("directory", directory + " (" + Machine.fileSystem(directory) + ")")
            .about("machine", Machine.describe());
    int code = OK;
    try (Session session = new Session(store, options, stop, progress)) {
      measure(session, result);
    } catch (Exception e) {
      progress.println("bench: " + e);
      e.printStackTrace(progress);
      code = FAILED;
    }
    if (stop.requested() || code != OK) {
      result.interrupted();
    }
    if (options.json()) {
      result.json(out);
    } else {
      result.text(out);
    }
    return code;
  }

  private void measure(Session session, Result result) throws Exception {
    for (BenchOptions.Mode mode : options.modes()) {
      if (stop.requested()) {
        return;
      }
      switch (mode) {
        case STEP -> StepMode.run(session, result);
        case LOAD -> LoadMode.run(session, result);
        case LATENCY -> LatencyMode.run(session, result);
        case DUE -> DueMode.run(session, result);
        case SEALING -> SealingMode.run(session, result);
        case ENLIST -> EnlistMode.run(session, result);
        case SOAK -> SoakMode.run(session, result);
      }
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
