/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Pauses a schedule. */
@Command(name = "pause", description = "Fires a schedule no more until it is resumed.")
final class SchedulePauseCommand extends ScheduleChangeCommand {
  @Mixin private ScheduleParameter schedule = new ScheduleParameter();

  @Override
  Answer change(Repositories administrator) {
    Schedule before = schedule.find(administrator, again("schedule list"));
    Schedule paused = stored(administrator.schedules().pause(before));
    return new Changed(
        "schedule %s is paused; to go on: %s"
            .formatted(paused.name(), again("schedule resume " + ShellWord.of(paused.name()))),
        paused);
  }
}
