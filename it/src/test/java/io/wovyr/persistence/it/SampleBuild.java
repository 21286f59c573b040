/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sample provider as somebody builds it who has the published jars alone: a copy of its folder
 * outside this build, and a local repository of its own, in which the modules of this project lie
 * as they are published and everything else is what this machine has.
 */
record SampleBuild(Path sample, Path repository) {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String VERSION = System.getProperty("wovyr.test.version", "0.1.0-SNAPSHOT");
  private static final int LONGEST_MINUTES = 10;
  private static final Pattern CONTRACT =
      Pattern.compile(
          "\\{\"area\": \"(?<area>[^\"]*)\", \"contract\": \"(?<contract>[^\"]*)\","
              + " \"need\": \"(?<need>[^\"]*)\", \"result\": \"(?<result>[^\"]*)\","
              + " \"reason\": \"(?<reason>[^\"]*)\"");

  /** What came of a command. */
  record Ended(int exitCode, String output) {}

  /** A line of the kit's report. */
  record Contract(String area, String contract, String need, String result, String reason) {
    private static Contract of(MatchResult found) {
      return new Contract(
          found.group(1), found.group(2), found.group(3), found.group(4), found.group(5));
    }
  }

  /** A copy of the sample in a directory, in which nothing else remains. */
  static SampleBuild in(Path directory) throws IOException {
    remove(directory);
    Path sample = copied(ROOT.resolve("samples/logfile-provider"), directory.resolve("sample"));
    // What Maven takes for the root of a build: without it, it would find that of this project.
    Files.createDirectories(sample.resolve(".mvn"));
    Path repository = Files.createDirectories(directory.resolve("repository"));
    link(localRepository(), repository, "io");
    link(localRepository().resolve("io"), repository.resolve("io"), "wovyr");
    publish(repository, ROOT, "wovyr-parent");
    publish(repository, ROOT.resolve("bom"), "wovyr-bom");
    publishJar(repository, ROOT.resolve("api"), "wovyr-api");
    publishJar(repository, ROOT.resolve("kv-provider/core"), "wovyr-kv-core");
    publishJar(repository, ROOT.resolve("conformance"), "wovyr-conformance");
    return new SampleBuild(sample, repository);
  }

  /** Removes all of it, of links to what this machine has the links alone. */
  static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      List<Path> all;
      try (Stream<Path> found = Files.walk(directory)) {
        all = found.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path one : all) {
        Files.delete(one);
      }
    }
  }

  private static Path localRepository() {
    Path standard = Path.of(System.getProperty("user.home"), ".m2", "repository");
    return Path.of(System.getProperty("wovyr.test.local-repository", standard.toString()));
  }

  private static Path copied(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(one -> !one.startsWith(from.resolve("target"))).toList()) {
        Files.createDirectories(to.resolve(from.relativize(file)).getParent());
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
    return to;
  }

  /** Everything that lies in a folder, but one. */
  private static void link(Path from, Path to, String butNot) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> all = Files.list(from)) {
      for (Path one : all.filter(path -> !path.endsWith(butNot)).toList()) {
        Files.createSymbolicLink(to.resolve(one.getFileName()), one);
      }
    }
  }

  private static Path publish(Path repository, Path module, String artifact) throws IOException {
    Path folder =
        Files.createDirectories(repository.resolve(Path.of("io/wovyr", artifact, VERSION)));
    Files.copy(module.resolve("pom.xml"), folder.resolve(name(artifact, ".pom")));
    return folder;
  }

  private static void publishJar(Path repository, Path module, String artifact) throws IOException {
    Path jar = module.resolve("target").resolve(name(artifact, ".jar"));
    assertThat(jar).as("the build has made it").isRegularFile();
    Files.copy(jar, publish(repository, module, artifact).resolve(jar.getFileName()));
  }

  private static String name(String artifact, String ending) {
    return artifact + "-" + VERSION + ending;
  }

  /** The same, with something of its code changed. */
  SampleBuild changed(Path directory, String source, String code, String into) throws IOException {
    SampleBuild other = new SampleBuild(copied(sample, directory.resolve("changed")), repository);
    Path file = other.sample.resolve("src/main/java/com/example/logfile").resolve(source);
    String before = Files.readString(file);
    assertThat(before).containsOnlyOnce(code);
    Files.writeString(file, before.replace(code, into));
    return other;
  }

  /** Builds it, its tests included. */
  Ended maven(String... arguments) throws IOException, InterruptedException {
    String home = System.getProperty("wovyr.test.maven-home");
    String maven = home == null ? "mvn" : Path.of(home, "bin", "mvn").toString();
    List<String> command =
        new ArrayList<>(List.of(maven, "-B", "-ntp", "-Dmaven.repo.local=" + repository));
    command.addAll(asTheOuterBuild());
    command.addAll(List.of(arguments));
    return run(sample, command);
  }

  /** With its mirrors, and as far from the network as it is. */
  private static List<String> asTheOuterBuild() {
    List<String> options = new ArrayList<>();
    Path settings = Path.of(System.getProperty("wovyr.test.maven-settings", ""));
    if (Files.isRegularFile(settings)) {
      options.addAll(List.of("-s", settings.toAbsolutePath().toString()));
    }
    if (Boolean.getBoolean("wovyr.test.maven-offline")) {
      options.add("-o");
    }
    return options;
  }

  Path jar() {
    return sample.resolve("target/logfile-provider-1.0-SNAPSHOT.jar");
  }

  /** What the kit's report says of every contract. */
  List<Contract> report() throws IOException {
    String json = Files.readString(sample.resolve("target/conformance/logfile.json"));
    return CONTRACT.matcher(json).results().map(Contract::of).toList();
  }

  /** Runs a command to its end. */
  static Ended run(Path directory, List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("not over: " + command + "\n" + Files.readString(output));
    }
    return new Ended(process.exitValue(), Files.readString(output));
  }
}
