/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.report;

import io.wovyr.conformance.report.ContractResult.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of one provider: {@code <provider>.json} and {@code <provider>.md}. The same results
 * give the same bytes: no times, no machine, everything sorted. Thread-safe.
 *
 * @since 0.1
 */
public final class ConformanceReport {
  /**
   * Name of this system property: the folder of the reports; {@code target/conformance} if unset.
   */
  public static final String FOLDER = "wovyr.kit.report";

  private static final Comparator<ContractResult> ORDER =
      Comparator.comparing(ContractResult::area).thenComparing(ContractResult::contract);

  private final List<ContractResult> results = new ArrayList<>();

  /** A report without results. */
  public ConformanceReport() {}

  /** Where reports are written. */
  public static Path folder() {
    return Path.of(System.getProperty(FOLDER, "target/conformance"));
  }

  /** Adds a result. */
  public synchronized void add(ContractResult result) {
    results.add(result);
  }

  /** All results, by area and contract. */
  public synchronized List<ContractResult> results() {
    return results.stream().sorted(ORDER).toList();
  }

  /**
   * Writes both files, replacing those of a former run.
   *
   * @throws IOException when the folder cannot be written
   */
  public void write(String provider, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(provider + ".json"), json(provider));
    Files.writeString(folder.resolve(provider + ".md"), markdown(provider));
  }

  /** The report for machines. */
  public String json(String provider) {
    List<Object> contracts = new ArrayList<>();
    for (ContractResult result : results()) {
      Map<String, Object> contract = new LinkedHashMap<>();
      contract.put("area", result.area());
      contract.put("contract", result.contract());
      contract.put("need", result.capability().orElse("required"));
      contract.put("result", result.result().name());
      contract.put("reason", result.reason());
      contracts.add(contract);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("provider", provider);
    report.put("contracts", contracts);
    return Json.write(report) + "\n";
  }

  /** The report for people: one line per area, then what failed and what was not run. */
  public String markdown(String provider) {
    StringBuilder text = new StringBuilder();
    text.append("# Conformance of ").append(provider).append("\n\n");
    text.append("| area | required | optional | NOT RUN |\n|---|---|---|---|\n");
    Map<String, List<ContractResult>> areas = new TreeMap<>();
    results().forEach(one -> areas.computeIfAbsent(one.area(), a -> new ArrayList<>()).add(one));
    areas.forEach(
        (area, all) ->
            text.append("| ")
                .append(area)
                .append(" | ")
                .append(score(all.stream().filter(one -> one.capability().isEmpty()).toList()))
                .append(" | ")
                .append(optional(all))
                .append(" | ")
                .append(count(all, Result.NOT_RUN))
                .append(" |\n"));
    list(text, "FAILED", Result.FAILED);
    list(text, "NOT RUN", Result.NOT_RUN);
    return text.toString();
  }

  private static String optional(List<ContractResult> all) {
    Map<String, List<ContractResult>> byCapability = new TreeMap<>();
    for (ContractResult one : all) {
      one.capability()
          .ifPresent(name -> byCapability.computeIfAbsent(name, n -> new ArrayList<>()).add(one));
    }
    StringBuilder text = new StringBuilder();
    byCapability.forEach(
        (name, some) ->
            text.append(text.isEmpty() ? "" : ", ").append(name).append(": ").append(score(some)));
    return text.isEmpty() ? "—" : text.toString();
  }

  /** Passed of run; what was not run counts in neither. */
  static String score(List<ContractResult> some) {
    long run = some.size() - count(some, Result.NOT_RUN);
    if (run == 0) {
      return some.isEmpty() ? "—" : "NOT RUN";
    }
    long passed = count(some, Result.PASSED);
    return passed + " of " + run + (passed == run ? "" : " FAILED");
  }

  static long count(List<ContractResult> some, Result result) {
    return some.stream().filter(one -> one.result() == result).count();
  }

  private void list(StringBuilder text, String title, Result which) {
    List<ContractResult> some = results().stream().filter(one -> one.result() == which).toList();
    if (some.isEmpty()) {
      return;
    }
    text.append("\n## ").append(title).append("\n\n");
    some.forEach(
        one ->
            text.append("- ")
                .append(one.area())
                .append(": ")
                .append(one.contract())
                .append(one.reason().isEmpty() ? "" : " (" + one.reason() + ")")
                .append("\n"));
  }
}
