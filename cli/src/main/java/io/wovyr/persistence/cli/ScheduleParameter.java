/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedule;
import picocli.CommandLine.Parameters;

/** Names one schedule. Filled in by picocli. */
final class ScheduleParameter {
  @Parameters(paramLabel = "NAME", description = "Name of the schedule.")
  private String name = "";

  String name() {
    return name;
  }

  /**
   * The schedule.
   *
   * @param list the command that shows what is there
   */
  Schedule find(Repositories repositories, String list) {
    return find(repositories, name, list);
  }

  /** The schedule of a name. */
  static Schedule find(Repositories repositories, String name, String list) {
    return repositories
        .schedules()
        .find(name)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "there is no schedule '%s' of tenant '%s': see %s"
                        .formatted(name, repositories.caller().tenant(), list)));
  }
}
