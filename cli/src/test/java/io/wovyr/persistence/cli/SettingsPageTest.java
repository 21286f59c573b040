/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.settings.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/settings.md} is made from what the modules declare: after its first paragraph stands
 * what is made here, and a failure shows it. {@code -Dwovyr.docs.write=true} writes it.
 */
final class SettingsPageTest {
  private static final Path PAGE = Path.of("../docs/settings.md");
  private static final String BEGIN = "<!-- Made from the code: see SettingsPageTest. -->\n";

  private static List<Setting> all() {
    List<Setting> all = new ArrayList<>(WovyrPersistence.settings());
    Providers.all().forEach(provider -> all.addAll(provider.settings()));
    ServiceLoader.load(SealingFactory.class).forEach(factory -> all.addAll(factory.settings()));
    all.addAll(Settings.declared());
    return all;
  }

  private static String made() {
    Map<String, List<Setting>> places = new LinkedHashMap<>();
    all().forEach(one -> places.computeIfAbsent(one.where(), where -> new ArrayList<>()).add(one));
    StringBuilder page = new StringBuilder(BEGIN);
    places.forEach(
        (where, settings) -> {
          page.append("\n## ").append(Character.toUpperCase(where.charAt(0)));
          page.append(where.substring(1)).append("\n\n");
          page.append("| setting | default | may be | meaning |\n|---|---|---|---|\n");
          settings.forEach(one -> page.append(row(one)));
        });
    return page.toString();
  }

  private static String row(Setting one) {
    String standard =
        one.standard().matches("[\\w.,-]+") && !isWord(one) ? code(one) : one.standard();
    return "| `%s` | %s | %s | %s |\n".formatted(one.name(), standard, one.kind(), one.meaning());
  }

  /** What stands for the lack of a value. */
  private static boolean isWord(Setting one) {
    return List.of("none", "required", "nobody").contains(one.standard());
  }

  private static String code(Setting one) {
    return "`" + one.standard() + "`";
  }

  @Test
  void thePageShowsWhatTheModulesDeclare() throws IOException {
    String page = Files.readString(PAGE);
    String before = page.substring(0, page.indexOf(BEGIN));
    if (Boolean.getBoolean("wovyr.docs.write")) {
      Files.writeString(PAGE, before + made());
    }
    assertThat(Files.readString(PAGE)).isEqualTo(before + made());
  }

  /** The stores share some: what they say is theirs to say twice. */
  @Test
  void noSettingIsDeclaredTwiceInOnePlace() {
    assertThat(all().stream().map(one -> one.where() + " " + one.name()).toList())
        .doesNotHaveDuplicates();
  }

  /** As it stands in the reference, so that nobody is warned of what it names. */
  @Test
  void everyPublishedExampleNamesDeclaredSettings() throws IOException {
    List<String> names = all().stream().map(Setting::name).toList();
    try (var pages = Files.walk(Path.of("../docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        Files.readString(page)
            .lines()
            .filter(line -> line.matches("wovyr\\.[a-z.-]+ ?= ?.*"))
            .map(line -> line.substring(0, line.indexOf('=')).strip())
            .forEach(name -> assertThat(names).as(page.toString()).contains(name));
      }
    }
  }
}
