/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher, in a repository of its own with a JDK and a Maven that only say what they were
 * asked to do: so every machine there may be can be tried, and nothing is really built.
 */
final class LauncherIT {
  @TempDir private Path directory;
  private LauncherStage stage;

  @BeforeEach
  void setStage() throws IOException {
    stage = LauncherStage.in(directory);
  }

  @Nested
  final class WithoutTools {
    @Test
    void saysKindlyThatJavaIsMissing() {
      stage.forgetJavaHome();

      LauncherStage.Result result = stage.run("--help");

      assertThat(result.exitCode()).isEqualTo(69);
      assertThat(result.out()).isEmpty();
      assertThat(result.error())
          .startsWith("wovyr: Java is missing")
          .contains("JAVA_HOME is not set", "JDK 17 or newer", "https://adoptium.net");
    }

    @Test
    void saysWhatIsWrongWithJavaHome() {
      stage.setJavaHome(directory.resolve("nowhere"));

      LauncherStage.Result result = stage.run("--help");

      assertThat(result.exitCode()).isEqualTo(69);
      assertThat(result.error()).contains("JAVA_HOME is '" + directory.resolve("nowhere") + "'");
    }

    @Test
    void saysWhichJavaIsTooOld() throws IOException {
      for (String old : List.of("11.0.20", "1.8.0_402", "16")) {
        stage.setJavaHome(stage.makeJdk("jdk-" + old, old));

        LauncherStage.Result result = stage.run("--help");

        assertThat(result.exitCode()).isEqualTo(69);
        assertThat(result.error())
            .startsWith("wovyr: Java " + old + " is too old: version 17 or newer is needed.")
            .contains("Found " + directory.resolve("jdk-" + old));
      }
    }

    @Test
    void takesTheJavaOnThePathAndEveryNewerOne() throws IOException {
      for (String version : List.of("17", "17.0.15", "25-ea", "31.0.1")) {
        stage.forgetJavaHome();
        stage.putOnPath(stage.makeJdk("jdk-" + version, version).resolve("bin/java"));

        assertThat(stage.run("hello").exitCode()).as(version).isZero();
      }
    }

    @Test
    void saysThatARuntimeWithoutCompilerCannotBuild() throws IOException {
      Files.delete(stage.javaHome().resolve("bin/javac"));

      LauncherStage.Result result = stage.run("--help");

      assertThat(result.exitCode()).isEqualTo(69);
      assertThat(result.error()).contains("without a compiler", "JDK 17 or newer");
    }

    @Test
    void saysKindlyThatMavenIsMissing() throws IOException {
      stage.removeMaven();

      LauncherStage.Result result = stage.run("--help");

      assertThat(result.exitCode()).isEqualTo(69);
      assertThat(result.error())
          .contains("Maven is missing", "Maven 3.8 or newer", "https://maven.apache.org");
    }

    @Test
    void saysWhichMavenIsTooOld() throws IOException {
      for (String old : List.of("3.6.3", "3.7.9", "2.2.1")) {
        stage.makeMaven(old);

        LauncherStage.Result result = stage.run("--help");

        assertThat(result.exitCode()).isEqualTo(69);
        assertThat(result.error()).contains("Maven " + old + " is too old: 3.8 or newer");
      }
      for (String fine : List.of("3.8.1", "3.10.0", "4.0.0-rc-3")) {
        stage.makeMaven(fine);
        stage.touch("pom.xml");
        assertThat(stage.run("hello").exitCode()).as(fine).isZero();
      }
    }

    @Test
    void needsNeitherCompilerNorMavenOnceItIsBuilt() throws IOException {
      stage.run("hello");
      stage.removeMaven();
      Files.delete(stage.javaHome().resolve("bin/javac"));

      assertThat(stage.run("hello").exitCode()).isZero();
    }
  }

  @Nested
  final class Building {
    @Test
    void showsProgressBesideTheAnswerAndBuildsOnce() {
      LauncherStage.Result first = stage.run("hello");
      LauncherStage.Result second = stage.run("hello");

      assertThat(first.exitCode()).isZero();
      assertThat(first.out()).isEqualTo(second.out()).contains("arguments: [hello]");
      assertThat(first.error().lines())
          .startsWith(
              "Building wovyr, once (Java 17.0.15, Maven 3.8.7; the log is "
                  + stage.root().resolve("target/wovyr-build.log")
                  + ")",
              "  [1/2] API",
              "  [2/2] Command line")
          .last()
          .asString()
          .startsWith("Built in ");
      assertThat(second.error()).isEmpty();
      assertThat(stage.builds()).isEqualTo(1);
      assertThat(stage.lastMavenArguments())
          .contains("-Pquick", "-pl cli -am", "package")
          .doesNotContain("install");
    }

    @Test
    void buildsAgainWhenASourceChangedAppearedOrWentAway() throws IOException {
      stage.run("hello");
      stage.touch("core/src/main/java/A.java");
      stage.run("hello");
      assertThat(stage.builds()).isEqualTo(2);

      stage.touch("core/src/main/java/New.java");
      stage.run("hello");
      assertThat(stage.builds()).isEqualTo(3);

      stage.delete("core/src/main/java/New.java");
      stage.run("hello");
      assertThat(stage.builds()).isEqualTo(4);

      stage.touch("core/pom.xml");
      stage.run("hello");
      assertThat(stage.builds()).isEqualTo(5);

      stage.run("hello");
      assertThat(stage.builds()).isEqualTo(5);
    }

    @Test
    void ignoresTestsBuildOutputAndDocuments() throws IOException {
      stage.run("hello");
      stage.touch("core/src/test/java/ATest.java");
      stage.touch("core/target/classes/A.class");
      stage.touch("docs/cli.md");

      stage.run("hello");

      assertThat(stage.builds()).isEqualTo(1);
    }

    @Test
    void showsTheEndOfTheLogWhenTheBuildFailsAndTriesAgainNextTime() throws IOException {
      stage.makeMavenFail();

      LauncherStage.Result failed = stage.run("hello");

      Path log = stage.root().resolve("target/wovyr-build.log");
      assertThat(failed.exitCode()).isEqualTo(69);
      assertThat(failed.out()).isEmpty();
      assertThat(failed.error())
          .contains(
              "wovyr: the build failed; the end of its log:",
              "  | [ERROR] A.java:[3,7] cannot find symbol",
              "The whole log is " + log);
      assertThat(log).content().contains("cannot find symbol");
      assertThat(stage.leftovers()).isEmpty();

      stage.makeMaven("3.8.7");
      assertThat(stage.run("hello").exitCode()).isZero();
    }

    @Test
    void aFailedBuildLeavesTheFormerOneToThoseWhoRunIt() throws IOException {
      stage.run("hello");
      Path former = stage.runDirectories().get(0);
      stage.touch("core/src/main/java/A.java");
      stage.makeMavenFail();

      assertThat(stage.run("hello").exitCode()).isEqualTo(69);
      assertThat(former).isDirectoryContaining("glob:**/wovyr-cli.jar");
    }

    @Test
    void keepsTheNewestBuildAndTheOneBefore() throws IOException {
      for (int i = 0; i < 4; i++) {
        stage.touch("core/src/main/java/A.java");
        stage.run("hello");
      }
      assertThat(stage.builds()).isEqualTo(4);
      assertThat(stage.runDirectories()).hasSize(2);
      assertThat(stage.leftovers()).isEmpty();
    }

    @Test
    void twoAtOnceBuildOnce() {
      stage.makeMavenWaitFor("go");
      LauncherStage.Running first = stage.start("one");
      stage.awaitBuilds(1);
      LauncherStage.Running second = stage.start("two");
      second.awaitError("is building it; waiting");
      stage.create("go");

      assertThat(first.await().exitCode()).isZero();
      assertThat(second.await().exitCode()).isZero();
      assertThat(second.await().out()).contains("arguments: [two]");
      assertThat(stage.builds()).isEqualTo(1);
      assertThat(stage.leftovers()).isEmpty();
    }

    @Test
    void aLockThatCanNeverBeHadIsNamed() throws IOException {
      Path lock = stage.root().resolve("target/wovyr/build.lock");
      Files.createDirectories(lock.getParent());
      Files.createFile(lock);

      LauncherStage.Result result = stage.run("hello");

      assertThat(result.exitCode()).isEqualTo(69);
      assertThat(result.error()).contains(lock + " cannot be made");
    }

    @Test
    void aLauncherThatIsAskedToEndTakesItsMavenAlong() throws IOException {
      stage.makeMavenBuildForEver();
      LauncherStage.Running launcher = stage.start("one");
      ProcessHandle maven = stage.awaitMaven();

      assertThat(launcher.terminate().exitCode()).isEqualTo(143);
      LauncherStage.awaitEnd(maven);
      assertThat(stage.leftovers()).allMatch(file -> file.endsWith("maven"));
    }

    @Test
    void theMavenOfALauncherThatWasKilledEndsAndTheNextOneBuilds() throws IOException {
      stage.makeMavenBuildForEver();
      LauncherStage.Running launcher = stage.start("one");
      ProcessHandle maven = stage.awaitMaven();
      launcher.kill();
      stage.makeMaven("3.8.7");

      LauncherStage.Result next = stage.run("two");

      assertThat(maven.isAlive()).as("two build at once").isFalse();
      assertThat(next.exitCode()).as(next.error()).isZero();
      assertThat(next.out()).contains("arguments: [two]");
    }

    @Test
    void aKilledBuildDoesNotKeepTheNextOneFromBuilding() {
      stage.makeMavenWaitFor("go");
      LauncherStage.Running killed = stage.start("one");
      stage.awaitBuilds(1);
      killed.kill();
      stage.create("go");

      LauncherStage.Result next = stage.run("two");

      assertThat(next.exitCode()).isZero();
      assertThat(next.out()).contains("arguments: [two]");
    }
  }

  @Nested
  final class Running {
    @Test
    void passesArgumentsOnAsTheyAre() {
      LauncherStage.Result result = stage.run("execution", "list", "a b", "$HOME", "*", "", "-D");

      assertThat(result.out())
          .contains("arguments: [execution][list][a b][$HOME][*][][-D]")
          .contains("main: io.wovyr.persistence.cli.Wovyr");
    }

    @Test
    void endsWithTheExitCodeOfTheCommand() {
      assertThat(stage.run("exit-with-5").exitCode()).isEqualTo(5);
    }

    @Test
    void worksThroughSymbolicLinksFromAnyDirectoryWithBlanksInThePath() throws IOException {
      Path elsewhere = Files.createDirectories(directory.resolve("somewhere else"));
      Path absolute = Files.createSymbolicLink(elsewhere.resolve("first"), stage.launcher());
      Path relative = Files.createSymbolicLink(elsewhere.resolve("second"), Path.of("first"));

      LauncherStage.Result result = stage.runAs(relative, elsewhere, "hello");

      assertThat(absolute).isSymbolicLink();
      assertThat(result.exitCode()).isZero();
      assertThat(result.out())
          .contains("arguments: [hello]", "directory: " + elsewhere.toRealPath());
    }

    @Test
    void givesTheJvmTheOptionsOfTheEnvironment() {
      stage.setVariable("WOVYR_LAUNCHER_JAVA_OPTIONS", "-Xmx77m -Dx=y");

      assertThat(stage.run("hello").out()).contains("[-Xmx77m][-Dx=y]");
    }

    @Test
    void putsTheJarsOfTheEnvironmentBehindItsOwn() {
      stage.setVariable("WOVYR_LAUNCHER_CLASS_PATH", "/opt/acme store.jar:/opt/acme.jar");

      assertThat(stage.run("hello").out())
          .containsPattern("\\[-cp\\]\\[[^\\[]+\\.jar:/opt/acme store\\.jar:/opt/acme\\.jar\\]");
    }

    @Test
    void usesTheArchiveOfClassesOfThisJavaOnly() throws IOException {
      stage.run("hello");
      assertThat(stage.run("hello").out()).contains("classes-17.0.15.jsa");

      stage.setJavaHome(stage.makeJdk("other", "21.0.1"));

      assertThat(stage.run("hello").out()).contains("arguments: [hello]").doesNotContain(".jsa");
    }
  }
}
