/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.schedule.Schedule;
import java.io.PrintStream;

/** Changes a schedule, as an administrator of the tenant. */
abstract class ScheduleChangeCommand extends StoreCommand implements Changing {
  /** Changes it, and answers how it is now. */
  abstract Answer change(Repositories administrator);

  @Override
  final ExitCode run() {
    try (Persistence persistence = open()) {
      Caller caller = Caller.of(tenant(), "wovyr command", Role.ADMIN);
      return answer(change(persistence.as(caller)));
    }
  }

  static Schedule stored(CommitResult result) {
    return result.orThrow().records(Schedule.class).get(0);
  }

  /** What was done in a line, and the schedule. */
  record Changed(String line, Schedule schedule) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(Human.oneLine(line));
    }

    @Override
    public JsonObject json() {
      return ScheduleText.json(schedule).put("tenant", schedule.header().tenantId());
    }
  }
}
