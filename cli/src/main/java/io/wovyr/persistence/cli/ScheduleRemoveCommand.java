/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedule;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes a schedule. */
@Command(name = "remove", description = "Removes a schedule; what it has begun goes on.")
final class ScheduleRemoveCommand extends ScheduleChangeCommand {
  @Mixin private ScheduleParameter schedule = new ScheduleParameter();

  @Override
  Answer change(Repositories administrator) {
    Schedule before = schedule.find(administrator, again("schedule list"));
    administrator.schedules().remove(before).orThrow();
    return new Removed(before);
  }

  private record Removed(Schedule schedule) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(
          Human.oneLine(
              "schedule %s is removed; it has fired %s"
                  .formatted(schedule.name(), Human.count(schedule.fires(), "time"))));
    }

    @Override
    public JsonObject json() {
      return ScheduleText.json(schedule)
          .put("tenant", schedule.header().tenantId())
          .put("removed", true);
    }
  }
}
