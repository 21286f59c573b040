/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedule;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows one schedule. */
@Command(name = "show", description = "Shows one schedule, and when it fires next.")
final class ScheduleShowCommand extends StoreCommand {
  @Mixin private ScheduleParameter schedule = new ScheduleParameter();

  @Option(names = "--values", description = "Show the input, not only its size.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      Schedule found = schedule.find(repositories, again("schedule list"));
      return answer(
          new View(
              found,
              PayloadView.of(found.input(), values, () -> repositories.schedules().input(found)),
              console().clock().instant(),
              again("schedule next " + ShellWord.of(found.name()))));
    }
  }

  private record View(Schedule schedule, Optional<PayloadView> input, Instant now, String preview)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      new Fields()
          .add("schedule", schedule.name())
          .add("timing", ScheduleText.timing(schedule))
          .addIf("counted from", schedule.anchor().map(this::time))
          .add("definition", ScheduleText.definition(schedule))
          .add("input", PayloadView.text(input))
          .add(
              "missed fires",
              "%s, missed after %s"
                  .formatted(
                      ScheduleText.misfire(schedule), Human.duration(schedule.misfireAfter())))
          .addIf("not before", schedule.notBefore().map(this::time))
          .addIf("not after", schedule.notAfter().map(this::time))
          .add("next", schedule.nextFireAt().map(this::time).orElse(ScheduleText.next(schedule)))
          .add("last", schedule.lastFireAt().map(this::time).orElse(Human.NOTHING))
          .add("fires", Human.count(schedule.fires()))
          .add(
              "changed",
              time(schedule.header().updatedAt()) + " by " + schedule.header().updatedBy())
          .print(out);
      out.println("when it fires: " + preview);
    }

    private String time(Instant instant) {
      return Human.time(instant) + " UTC, " + Human.fromNow(instant, now);
    }

    @Override
    public JsonObject json() {
      return ScheduleText.json(schedule)
          .put("tenant", schedule.header().tenantId())
          .put("version", schedule.header().version())
          .put("createdAt", schedule.header().createdAt())
          .put("updatedAt", schedule.header().updatedAt())
          .put("updatedBy", schedule.header().updatedBy())
          .put("input", input.map(PayloadView::json));
    }
  }
}
