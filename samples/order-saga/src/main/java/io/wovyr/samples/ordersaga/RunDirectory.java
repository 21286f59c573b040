/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.samples.ordersaga.OrderFile.Malformed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a run: the store, the ledger, the orders as they were read, the settings, and
 * the workers' logs. One process runs in it at a time. Immutable but for its lock.
 */
final class RunDirectory implements AutoCloseable {
  private static final String RUN = "run.json";
  private static final String LOCK = "run.lock";
  private static final String SERVER = "postgresql";
  private static final Pattern OURS =
      Pattern.compile(
          "run\\.json(\\.new)?|orders-read\\.jsonl|orders\\.("
              + stores()
              + ").*|ledger\\.log|worker-\\d+\\.log"
              + "|undisturbed|postgresql|keystore\\.p12.*");

  private final Path path;
  private final FileChannel lockFile;
  private final Optional<Path> former;

  /** How the names of stores end, of all providers that are here. */
  private static String stores() {
    return Stream.concat(Stream.of("db"), StoreSettings.aloneProviders().stream())
        .map(Pattern::quote)
        .collect(Collectors.joining("|"));
  }

  private RunDirectory(Path path, FileChannel lockFile, Optional<Path> former) {
    this.path = path;
    this.lockFile = lockFile;
    this.former = former;
  }

  /**
   * Where the orders of a run are: what is needed to find them again, and no secret.
   *
   * @param provider name of the storage provider
   * @param place of the store, for people
   * @param embedded the server is the run's own
   * @param storeId as the store names itself
   */
  record StoredIn(String provider, String place, String tenant, boolean embedded, String storeId) {
    /** For people. */
    String text() {
      return embedded
          ? "a PostgreSQL of its own in " + place
          : provider + " " + place + (RunStore.isFile(provider) ? "" : ", tenant " + tenant);
    }
  }

  /** Who works, and how many of them are struck. */
  record Plan(int workers, int kills, int pauses) {}

  /**
   * What {@code run.json} says.
   *
   * @param plan null of a run that an older version began
   */
  record Run(
      long seed,
      @Nullable Plan plan,
      long leaseTtlMillis,
      String orderFile,
      List<Malformed> malformed,
      StoredIn store,
      boolean finished) {
    RunSettings settings() {
      return new RunSettings(seed, Duration.ofMillis(leaseTtlMillis));
    }

    Run ended() {
      return new Run(seed, plan, leaseTtlMillis, orderFile, malformed, store, true);
    }
  }

  /**
   * Takes a directory for a run of its own. A run that ended there is moved aside, the whole
   * directory with it: only {@code fresh} throws something away.
   *
   * @throws UnusableInput when another run is at work there, when one was left unfinished, or when
   *     it holds files of somebody else
   */
  static RunDirectory begin(Path path, boolean fresh) {
    try {
      Files.createDirectories(path);
      if (!Files.exists(path.resolve(RUN)) && !holdsOnlyOurs(path)) {
        throw new UnusableInput(
            path + " holds files that are no run of this program: name another directory", null);
      }
      RunDirectory directory = lock(path);
      if (Files.exists(path.resolve(RUN)) && !fresh && !directory.run().finished()) {
        directory.close();
        throw new UnusableInput(
            path + " holds a run that did not finish: --resume finishes it, --fresh begins again",
            null);
      }
      if (fresh) {
        directory.clear();
        return directory;
      }
      return directory.isEmpty() ? directory : directory.movedAside();
    } catch (IOException e) {
      throw new UnusableInput("the directory " + path + " cannot be used: " + FileReasons.of(e), e);
    }
  }

  /**
   * Takes a directory to go on with the run in it.
   *
   * @throws UnusableInput when there is none, or another process is at work there
   */
  static RunDirectory resume(Path path) {
    if (!Files.exists(path.resolve(RUN))) {
      throw new UnusableInput("there is no run in " + path + " to resume", null);
    }
    RunDirectory directory = lock(path);
    if (directory.run().finished()) {
      directory.close();
      throw new UnusableInput(
          "the run in %s has ended, nothing of it is left to do: without --resume another one begins, and this one is kept"
              .formatted(path),
          null);
    }
    return directory;
  }

  /** Where the run is that stood in this directory before; empty when there was none. */
  Optional<Path> former() {
    return former;
  }

  /** Looks into a directory that another process has taken: what a worker does. */
  static Run look(Path path) {
    try {
      return Json.read(Files.readString(path.resolve(RUN)), Run.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path keystore(Path path) {
    return path.resolve("keystore.p12");
  }

  static Path store(Path path) {
    return path.resolve("orders.db");
  }

  /** A store that one process at a time has open, of this provider. */
  static Path store(Path path, String provider) {
    return path.resolve("orders." + provider);
  }

  static Path ledger(Path path) {
    return path.resolve("ledger.log");
  }

  Path path() {
    return path;
  }

  Path store() {
    return store(path);
  }

  Path ledger() {
    return ledger(path);
  }

  /** Of the PostgreSQL server of the run's own, when it has one. */
  Path server() {
    return path.resolve(SERVER);
  }

  /** An emptied directory for the undisturbed run. */
  Path scratch() {
    Path scratch = path.resolve("undisturbed");
    try {
      delete(scratch);
      Files.createDirectories(scratch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scratch;
  }

  Path log(String worker) {
    return path.resolve(worker + ".log");
  }

  Run run() {
    return look(path);
  }

  /** Writes down what the run is; from then on it can be resumed. */
  void write(Run run) {
    try {
      Path next = path.resolve(RUN + ".new");
      Files.writeString(next, Json.writePretty(run));
      Files.move(
          next,
          path.resolve(RUN),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Keeps the orders as they were read: a resumed run has the same, whatever became of the file.
   */
  void writeOrders(List<Order> orders) {
    try {
      Files.write(path.resolve("orders-read.jsonl"), orders.stream().map(Json::write).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Order> orders() {
    return ordersIn(path);
  }

  /** The orders of the run in a directory that another process has taken. */
  static List<Order> ordersIn(Path path) {
    try (Stream<String> lines = Files.lines(path.resolve("orders-read.jsonl"))) {
      return lines.map(line -> Json.read(line, Order.class)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RunDirectory lock(Path path) {
    try {
      FileChannel channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new UnusableInput(
            "another process%s is at work in %s: wait for it, or give another --directory"
                .formatted(holder(path), path),
            null);
      }
      channel.truncate(0);
      String me = String.valueOf(ProcessHandle.current().pid());
      channel.write(ByteBuffer.wrap(me.getBytes(StandardCharsets.US_ASCII)), 0);
      return new RunDirectory(path, channel, Optional.empty());
    } catch (java.nio.channels.OverlappingFileLockException e) {
      throw new UnusableInput(
          "this process is at work in " + path + " already: give another --directory", e);
    } catch (IOException e) {
      throw new UnusableInput("the directory " + path + " cannot be used: " + FileReasons.of(e), e);
    }
  }

  /** The process that has the lock, where it says so. */
  private static String holder(Path path) {
    try {
      String id = Files.readString(path.resolve(LOCK), StandardCharsets.US_ASCII);
      return id.isEmpty() ? "" : " (" + id + ")";
    } catch (IOException e) {
      return "";
    }
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.allMatch(file -> file.endsWith(LOCK));
    }
  }

  /** Renames the directory to the first free name with a number, and takes an empty one. */
  private RunDirectory movedAside() throws IOException {
    EmbeddedServer.stopLeftover(server());
    Path real = path.toRealPath();
    Path aside = aside(real);
    try {
      if (Path.of("").toRealPath().startsWith(real)) {
        throw new IOException("it is the current directory");
      }
      Files.move(real, aside);
    } catch (IOException e) {
      throw new UnusableInput(
          "%s holds a former run and cannot be moved aside (%s): name another directory, or --fresh throws that run away"
              .formatted(path, FileReasons.of(e)),
          e);
    } finally {
      close();
    }
    Files.createDirectories(real);
    RunDirectory next = lock(path);
    return new RunDirectory(path, next.lockFile, Optional.of(aside));
  }

  private static Path aside(Path directory) {
    int number = 1;
    while (true) {
      Path aside = directory.resolveSibling(directory.getFileName() + "-" + number);
      if (!Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
        return aside;
      }
      number++;
    }
  }

  /** Removes what runs leave, and nothing else. */
  private void clear() throws IOException {
    EmbeddedServer.stopLeftover(server());
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(RunDirectory::isOurs).toList()) {
        delete(file);
      }
    }
  }

  private static boolean holdsOnlyOurs(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.allMatch(file -> file.endsWith(LOCK) || isOurs(file));
    }
  }

  private static boolean isOurs(Path file) {
    return OURS.matcher(String.valueOf(file.getFileName())).matches();
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.toList()) {
          delete(file);
        }
      }
    }
    Files.deleteIfExists(path);
  }
}
