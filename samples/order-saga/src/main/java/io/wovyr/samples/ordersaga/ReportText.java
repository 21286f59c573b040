/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report for a person to read. */
final class ReportText {
  private static final int LINES_SHOWN = 10;

  private final Report report;
  private final StringBuilder text = new StringBuilder();

  private ReportText(Report report) {
    this.report = report;
  }

  static String of(Report report) {
    ReportText writer = new ReportText(report);
    writer.input();
    writer.log();
    writer.strikes();
    writer.speed();
    writer.proofs();
    return writer.text.toString();
  }

  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private void input() {
    Report.Input input = report.input();
    line("");
    line(
        "orders         %,d from %s, %,d malformed line%s left out",
        input.orders(),
        input.file(),
        input.malformedLines(),
        input.malformedLines() == 1 ? "" : "s");
    input.malformed().stream().limit(LINES_SHOWN).forEach(one -> line("               %s", one));
    if (input.malformedLines() > LINES_SHOWN) {
      line("               and %,d more", input.malformedLines() - LINES_SHOWN);
    }
    line("ended          %s", byStatus(report.executions()));
  }

  private static String byStatus(Map<String, Integer> counts) {
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .map(entry -> "%,d %s".formatted(entry.getValue(), entry.getKey()))
            .collect(Collectors.joining(", "));
  }

  private void log() {
    Report.Log log = report.log();
    line(
        "log            %,d events; %,d attempts, %,d of them retries; %,d compensations",
        log.events(), log.attempts(), log.retries(), log.compensations());
    line("ledger         %,d effects", log.effects());
    Report.Records records = report.records();
    line("activities     %s", byStatus(records.activities()));
    line("retries        %s", byStatus(records.retries()));
    line("stack          %s", byStatus(records.compensations()));
    line("settlements    %,d, begun by the schedule", records.fires());
  }

  private void strikes() {
    Report.Strikes strikes = report.strikes();
    line("kills          %s", byPhase(strikes.kills()));
    line("stalls         %s", byPhase(strikes.stalls()));
    if (strikes.missing() > 0) {
      line(
          "               %d more were wanted: there were too few orders to strike at",
          strikes.missing());
    }
    line(
        "takeovers      %,d; %,d attempts repeated under a newer token",
        report.log().takeovers(), report.log().repetitions());
    Report.LateWrites late = report.lateWrites();
    line(
        "late writes    %d refused%s, %d accepted",
        late.refused(),
        late.refused() == 0
            ? ""
            : late.refusedBy().entrySet().stream()
                .map(entry -> entry.getValue() + " by the " + entry.getKey())
                .collect(Collectors.joining(", ", " (", ")")),
        late.accepted());
  }

  private static String byPhase(Map<String, Integer> strikes) {
    int sum = strikes.values().stream().mapToInt(Integer::intValue).sum();
    return strikes.isEmpty()
        ? "0"
        : strikes.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", ", sum + " (", ")"));
  }

  private void speed() {
    Report.Speed speed = report.speed();
    line(
        "speed          %,d steps in %.1f s, %,.0f steps/s; first order ended after %.1f s",
        speed.steps(), speed.workSeconds(), speed.stepsPerSecond(), speed.firstProgressSeconds());
    line("elapsed        %.1f s with the undisturbed run and the proofs", speed.totalSeconds());
    line("store          %s", report.store());
    line("kept in        %s", report.directory());
  }

  private void proofs() {
    line("");
    List<Proof> proofs = report.proofs();
    for (int i = 0; i < proofs.size(); i++) {
      Proof proof = proofs.get(i);
      line(
          "proof %d  %s  %s (%,d checks%s)",
          i + 1,
          proof.holds() ? "holds " : "FAILED",
          proof.claim(),
          proof.checked(),
          proof.holds() ? "" : ", %,d violations".formatted(proof.violations()));
      proof.examples().forEach(example -> line("                 %s", example));
    }
    if (!report.sabotage().equals("none")) {
      line("");
      line("The storage was sabotaged on purpose: %s.", report.sabotage());
    }
  }
}
