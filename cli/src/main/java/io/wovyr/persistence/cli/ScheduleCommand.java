/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "schedule",
    description = "Schedules: what begins by the clock.",
    subcommands = {
      ScheduleAddCommand.class,
      ScheduleListCommand.class,
      ScheduleShowCommand.class,
      ScheduleNextCommand.class,
      SchedulePauseCommand.class,
      ScheduleResumeCommand.class,
      ScheduleRunCommand.class,
      ScheduleRemoveCommand.class
    })
final class ScheduleCommand extends CommandGroup {}
