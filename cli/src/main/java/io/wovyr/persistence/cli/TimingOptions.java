/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** When something fires, in one of three ways. Filled in by picocli. */
final class TimingOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = {
        "By minute, hour, day of month, month and day of week,",
        "such as '30 2 * * MON-FRI'."
      })
  private @Nullable String cron;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Whose clocks --cron goes by, such as Europe/Berlin; default UTC.")
  private @Nullable String zone;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description = "Again and again after this time, such as PT10M.")
  private @Nullable Duration every;

  @Option(
      names = "--anchor",
      paramLabel = "TIME",
      description = "What --every counts from; default now.")
  private @Nullable Instant anchor;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Once, such as at 2026-03-08T07:30:00Z.")
  private @Nullable Instant at;

  boolean given() {
    return cron != null || every != null || at != null || zone != null || anchor != null;
  }

  /** What the options say; wrong usage unless they say one thing. */
  Timing timing(Instant now) {
    int ways = (cron == null ? 0 : 1) + (every == null ? 0 : 1) + (at == null ? 0 : 1);
    if (ways != 1) {
      throw wrong("say when, in one of three ways: --cron, --every or --at");
    }
    if (zone != null && cron == null) {
      throw wrong("--zone goes with --cron");
    }
    if (anchor != null && every == null) {
      throw wrong("--anchor goes with --every");
    }
    if (cron != null) {
      return Timing.Cron.of(cron, zone == null ? "UTC" : zone);
    }
    if (every != null) {
      return new Timing.Every(every, anchor == null ? now : anchor);
    }
    return new Timing.Once(java.util.Objects.requireNonNull(at));
  }

  private RuntimeException wrong(String message) {
    return spec == null
        ? new IllegalStateException(message)
        : new ParameterException(spec.commandLine(), message);
  }
}
