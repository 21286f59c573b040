/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A repository, a JDK, a Maven and a PATH for one run of the launcher, all made of small scripts.
 */
final class LauncherStage {
  private static final long DEADLINE_SECONDS = 180;
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "date",
          "dirname",
          "find",
          "head",
          "ln",
          "ls",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "tail",
          "touch");

  private final Path directory;
  private final Path root;
  private final Path path;
  private final Map<String, String> variables = new TreeMap<>();
  private Path javaHome;

  private LauncherStage(Path directory) throws IOException {
    this.directory = directory;
    this.root = Files.createDirectories(directory.resolve("a repository"));
    this.path = Files.createDirectories(directory.resolve("path"));
    this.javaHome = makeJdk("jdk", "17.0.15");
    variables.put("JAVA_HOME", javaHome.toString());
  }

  static LauncherStage in(Path directory) throws IOException {
    LauncherStage stage = new LauncherStage(directory);
    for (String tool : TOOLS) {
      Files.createSymbolicLink(stage.path.resolve(tool), find(tool));
    }
    Files.copy(Path.of("../wovyr"), stage.launcher(), StandardCopyOption.COPY_ATTRIBUTES);
    stage.makeMaven("3.8.7");
    for (String file : List.of("pom.xml", "cli/pom.xml", "core/pom.xml")) {
      stage.write(file, "<project/>");
    }
    stage.write("core/src/main/java/A.java", "class A {}");
    stage.write("core/src/test/java/ATest.java", "class ATest {}");
    stage.makeOld();
    return stage;
  }

  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the tests of the launcher need " + tool));
  }

  /** So that what a test touches is newer, whatever the file system's resolution is. */
  private void makeOld() throws IOException {
    FileTime old = FileTime.from(Instant.now().minusSeconds(3600));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, old);
      }
    }
  }

  Path root() {
    return root;
  }

  Path launcher() {
    return root.resolve("wovyr");
  }

  Path javaHome() {
    return javaHome;
  }

  void setJavaHome(Path home) {
    javaHome = home;
    variables.put("JAVA_HOME", home.toString());
  }

  void forgetJavaHome() {
    variables.remove("JAVA_HOME");
  }

  void setVariable(String name, String value) {
    variables.put(name, value);
  }

  void putOnPath(Path program) throws IOException {
    Path link = path.resolve(program.getFileName());
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, program);
  }

  /** A JDK whose java tells its arguments instead of running them. */
  Path makeJdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(directory.resolve(name));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    Files.createDirectories(home.resolve("bin"));
    script(home.resolve("bin/javac"), "exit 0");
    script(
        home.resolve("bin/java"),
        "jvm=",
        "while [ $# -gt 0 ]; do",
        "  case $1 in",
        "    -XX:ArchiveClassesAtExit=*) touch \"${1#*=}\" ;;",
        "    io.wovyr.*) main=$1; shift; break ;;",
        "  esac",
        "  jvm=\"$jvm[$1]\"; shift",
        "done",
        "printf 'jvm: %s\\nmain: %s\\ndirectory: %s\\narguments: ' \"$jvm\" \"$main\" \"$(pwd -P)\"",
        "for argument in \"$@\"; do printf '[%s]' \"$argument\"; done",
        "printf '\\n'",
        "case ${1:-} in exit-with-*) exit \"${1#exit-with-}\" ;; esac");
    return home;
  }

  private Path maven() {
    return path.resolve("mvn");
  }

  private Path mavenLog() {
    return directory.resolve("maven-calls");
  }

  void makeMaven(String version) throws IOException {
    maven(version, "");
  }

  void makeMavenFail() throws IOException {
    maven("3.8.7", "echo '[ERROR] A.java:[3,7] cannot find symbol'; exit 1");
  }

  /** Maven goes on when the test creates a file of this name. */
  void makeMavenWaitFor(String file) {
    try {
      maven("3.8.7", "while [ ! -e '%s' ]; do sleep 0.05; done".formatted(directory.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Maven says its process id, and would build for ever. */
  void makeMavenBuildForEver() throws IOException {
    maven(
        "3.8.7",
        "echo $$ > '%s'; while :; do sleep 0.05; done".formatted(directory.resolve("maven-id")));
  }

  /** The Maven that builds for ever. */
  ProcessHandle awaitMaven() {
    Path file = directory.resolve("maven-id");
    await("Maven to begin", () -> Files.exists(file) && !read(file).isBlank());
    return ProcessHandle.of(Long.parseLong(read(file).strip())).orElseThrow();
  }

  static void awaitEnd(ProcessHandle process) {
    await("process " + process.pid() + " to end", () -> !process.isAlive());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void maven(String version, String middle) throws IOException {
    script(
        maven(),
        "if [ \"$1\" = -v ]; then echo 'Apache Maven " + version + " (a revision)'; exit 0; fi",
        "printf '%s\\n' \"$*\" >> '" + mavenLog() + "'",
        "for argument in \"$@\"; do",
        "  case $argument in -Dwovyr.launcher.lib=*) lib=${argument#*=} ;; esac",
        "done",
        "echo '[INFO] Scanning for projects...'",
        "echo '[INFO] Building Wovyr Persistence: API 0.1.0-SNAPSHOT           [1/2]'",
        middle,
        "echo '[INFO] Building Wovyr Persistence: Command line 0.1.0-SNAPSHOT  [2/2]'",
        "touch \"$lib/wovyr-cli.jar\"");
  }

  void removeMaven() throws IOException {
    Files.delete(maven());
  }

  private static void script(Path file, String... lines) throws IOException {
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void write(String file, String content) throws IOException {
    Path target = root.resolve(file);
    Files.createDirectories(target.getParent());
    Files.writeString(target, content);
  }

  /** Changes a file, or makes one, later than the last build began. */
  void touch(String file) throws IOException {
    Path target = root.resolve(file);
    Files.createDirectories(target.getParent());
    boolean isNew = !Files.exists(target);
    Files.writeString(target, "changed");
    later(target);
    if (isNew) {
      later(target.getParent());
    }
  }

  void delete(String file) throws IOException {
    Path target = root.resolve(file);
    Files.delete(target);
    later(target.getParent());
  }

  /**
   * The stamp is put back instead of the file forward: no build must look older than its sources.
   */
  private void later(Path changed) throws IOException {
    Path stamp = root.resolve("target/wovyr/stamp");
    if (Files.exists(stamp)) {
      Files.setLastModifiedTime(
          stamp, FileTime.from(Files.getLastModifiedTime(changed).toInstant().minusSeconds(5)));
      FileTime older = FileTime.from(Files.getLastModifiedTime(stamp).toInstant().minusSeconds(5));
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(f -> !f.startsWith(root.resolve("target"))).toList()) {
          if (!file.equals(changed) && Files.getLastModifiedTime(file).compareTo(older) > 0) {
            Files.setLastModifiedTime(file, older);
          }
        }
      }
    }
  }

  void create(String file) {
    try {
      Files.createFile(directory.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many builds began. */
  int builds() {
    return mavenCalls().size();
  }

  String lastMavenArguments() {
    return mavenCalls().get(builds() - 1);
  }

  private List<String> mavenCalls() {
    try {
      return Files.exists(mavenLog()) ? Files.readAllLines(mavenLog()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitBuilds(int count) {
    await("build " + count + " to begin", () -> builds() >= count);
  }

  /** The builds kept, in no order. */
  List<Path> runDirectories() {
    return work(name -> name.startsWith("run."));
  }

  /** What a build must clean up behind itself. */
  List<Path> leftovers() {
    return work(name -> !name.startsWith("run.") && !List.of("stamp", "current").contains(name));
  }

  private List<Path> work(java.util.function.Predicate<String> names) {
    Path work = root.resolve("target/wovyr");
    try (Stream<Path> files = Files.list(work)) {
      return files.filter(file -> names.test(file.getFileName().toString())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a run ended. */
  record Result(int exitCode, String out, String error) {}

  Result run(String... arguments) {
    return start(arguments).await();
  }

  Running start(String... arguments) {
    return new Running(launcher(), directory, arguments);
  }

  Result runAs(Path launcher, Path from, String... arguments) {
    return new Running(launcher, from, arguments).await();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain for " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** A launcher at work. */
  final class Running {
    private final Process process;
    private final Path out;
    private final Path error;

    private Running(Path launcher, Path from, String[] arguments) {
      try {
        out = Files.createTempFile(directory, "out", "");
        error = Files.createTempFile(directory, "error", "");
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .directory(from.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(error.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().putAll(variables);
        process = builder.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Result await() {
      try {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("the launcher did not end; it said: " + read(error));
        }
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted", e);
      }
      return new Result(process.exitValue(), read(out), read(error));
    }

    void awaitError(String text) {
      LauncherStage.await("'" + text + "'", () -> read(error).contains(text));
    }

    /** As {@code kill} without options does. */
    Result terminate() {
      process.destroy();
      return await();
    }

    /** Only the launcher itself, without a word of farewell. */
    void kill() {
      process.destroyForcibly();
      await();
    }
  }
}
