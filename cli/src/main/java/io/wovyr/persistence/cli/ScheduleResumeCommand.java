/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Resumes a schedule. */
@Command(
    name = "resume",
    description = "Lets a paused schedule fire again; what was missed is left out.")
final class ScheduleResumeCommand extends ScheduleChangeCommand {
  @Mixin private ScheduleParameter schedule = new ScheduleParameter();

  @Override
  Answer change(Repositories administrator) {
    Schedule before = schedule.find(administrator, again("schedule list"));
    Schedule resumed = stored(administrator.schedules().resume(before));
    return new Changed(
        "schedule %s fires again, next: %s"
            .formatted(resumed.name(), ScheduleText.nextInFull(resumed)),
        resumed);
  }
}
