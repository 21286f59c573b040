/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/write-a-provider.md} shows is what the sample has, letter by letter. */
final class WriteAProviderPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path SAMPLE = ROOT.resolve("samples/logfile-provider");
  private static final Pattern PLUGIN =
      Pattern.compile(
          "<artifactId>(?<name>maven-[a-z]+-plugin)</artifactId>\\s*<version>(?<version>[^<]+)<");
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```(?<language>java|xml|text)\\n(?<code>.*?)^```$");

  private static List<String> sources() throws Exception {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file :
          files
              .filter(one -> !one.startsWith(SAMPLE.resolve("target")))
              .filter(Files::isRegularFile)
              .toList()) {
        sources.add("\n" + Files.readString(file));
      }
    }
    return sources;
  }

  @Test
  void everyExcerptStandsInTheSample() throws Exception {
    List<String> sources = sources();
    Matcher shown = BLOCK.matcher(Files.readString(ROOT.resolve("docs/write-a-provider.md")));
    int blocks = 0;
    while (shown.find()) {
      String code = "\n" + shown.group("code");
      assertThat(sources).as(shown.group()).anyMatch(source -> source.contains(code));
      blocks++;
    }
    assertThat(blocks).isGreaterThan(10);
  }

  /** It has no parent to have them from. */
  @Test
  void theSampleHasTheVersionsOfThisBuild() throws Exception {
    String sample = Files.readString(SAMPLE.resolve("pom.xml"));
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    Matcher plugin = PLUGIN.matcher(sample);
    int plugins = 0;
    while (plugin.find()) {
      String name = plugin.group("name");
      assertThat(plugin.group("version")).as(name).isEqualTo(version(parent, name));
      plugins++;
    }
    assertThat(plugins).isGreaterThan(3);
    assertThat(sample)
        .containsPattern(
            "<artifactId>junit-jupiter</artifactId>\\s*<version>"
                + Pattern.quote(property(parent, "junit.version"))
                + "</version>")
        .contains("<wovyr.version>" + project(parent) + "</wovyr.version>");
  }

  private static String version(String pom, String plugin) {
    return property(pom, plugin.contains("surefire") ? "surefire.version" : plugin + ".version");
  }

  private static String property(String pom, String name) {
    return only(pom, "<" + Pattern.quote(name) + ">([^<]+)<");
  }

  private static String project(String pom) {
    return only(pom, "<artifactId>wovyr-parent</artifactId>\\s*<version>([^<]+)<");
  }

  private static String only(String pom, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(pom);
    assertThat(found.find()).as(pattern).isTrue();
    return found.group(1);
  }

  @Test
  void theSampleStandsOutsideOfThisBuildAndNeedsPublishedJarsOnly() throws Exception {
    assertThat(Files.readString(SAMPLE.resolve("pom.xml")))
        .doesNotContain("<parent>", "wovyr-core", "system</scope>");
    assertThat(Files.readString(ROOT.resolve("pom.xml")))
        .contains("<module>samples/order-saga</module>")
        .doesNotContain("samples/logfile-provider");
  }
}
