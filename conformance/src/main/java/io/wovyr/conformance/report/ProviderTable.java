/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.report;

import io.wovyr.conformance.report.ContractResult.Result;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Merges the reports of several providers into one table between the markers {@code <!--
 * providers:begin -->} and {@code <!-- providers:end -->} of a Markdown file.
 *
 * @since 0.1
 */
public final class ProviderTable {
  /** The table follows this line. */
  public static final String BEGIN = "<!-- providers:begin -->";

  /** The table ends before this line. */
  public static final String END = "<!-- providers:end -->";

  private final Map<String, List<ContractResult>> providers = new TreeMap<>();

  /** A table without providers. */
  public ProviderTable() {}

  /**
   * Arguments: the Markdown file, then reports or folders of them. Exits with 1 and a message when
   * one of them cannot be used.
   */
  public static void main(String[] arguments) {
    if (arguments.length < 2) {
      System.err.println("usage: ProviderTable <markdown file> <report or folder of reports>...");
      System.exit(2);
    }
    try {
      ProviderTable table = new ProviderTable();
      for (int i = 1; i < arguments.length; i++) {
        Path path = Path.of(arguments[i]);
        if (Files.isDirectory(path)) {
          table.addAll(path);
        } else {
          table.add(Files.readString(path));
        }
      }
      Path file = Path.of(arguments[0]);
      Files.writeString(file, table.into(Files.readString(file)));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(arguments[0] + " is as it was: " + e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Adds every report of a folder.
   *
   * @throws IOException when it cannot be read
   * @throws IllegalArgumentException when a file is not a report
   */
  public void addAll(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        add(Files.readString(file));
      }
    }
  }

  /**
   * Adds a report by its JSON text.
   *
   * @throws IllegalArgumentException when it is not one
   */
  public void add(String json) {
    if (!(Json.read(json) instanceof Map<?, ?> report)
        || !(report.get("contracts") instanceof List<?> contracts)) {
      throw new IllegalArgumentException("not a report: it has no contracts");
    }
    List<ContractResult> results = new ArrayList<>();
    for (Object contract : contracts) {
      results.add(result((Map<?, ?>) contract));
    }
    providers.put(text(report, "provider"), results);
  }

  private static ContractResult result(Map<?, ?> contract) {
    String need = text(contract, "need");
    return new ContractResult(
        text(contract, "area"),
        text(contract, "contract"),
        need.equals("required") ? Optional.empty() : Optional.of(need),
        Result.valueOf(text(contract, "result")),
        text(contract, "reason"));
  }

  private static String text(Map<?, ?> object, String name) {
    if (object.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("not a report: " + name + " is missing");
  }

  /** The table: a row per provider. */
  public String render() {
    Set<String> capabilities = new TreeSet<>();
    providers
        .values()
        .forEach(all -> all.forEach(one -> one.capability().ifPresent(capabilities::add)));
    StringBuilder text = new StringBuilder("| provider | required");
    capabilities.forEach(name -> text.append(" | ").append(name));
    text.append(" | NOT RUN |\n|---|---").append("|---".repeat(capabilities.size() + 1));
    text.append("|\n");
    providers.forEach((name, all) -> row(text, name, all, capabilities));
    return text.toString();
  }

  private static void row(
      StringBuilder text, String provider, List<ContractResult> all, Set<String> names) {
    text.append("| ").append(provider).append(" | ");
    text.append(
        ConformanceReport.score(all.stream().filter(one -> one.capability().isEmpty()).toList()));
    for (String name : names) {
      List<ContractResult> some =
          all.stream().filter(one -> one.capability().equals(Optional.of(name))).toList();
      text.append(" | ").append(ConformanceReport.score(some));
    }
    text.append(" | ").append(ConformanceReport.count(all, Result.NOT_RUN)).append(" |\n");
  }

  /**
   * A Markdown text with the table between its markers.
   *
   * @throws IllegalArgumentException when the markers are not there
   */
  public String into(String markdown) {
    int begin = markdown.indexOf(BEGIN);
    int end = markdown.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the file has no markers " + BEGIN + " and " + END);
    }
    return markdown.substring(0, begin + BEGIN.length())
        + "\n"
        + render()
        + markdown.substring(end);
  }
}
