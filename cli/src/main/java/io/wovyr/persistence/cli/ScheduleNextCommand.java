/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.core.schedule.FireTimes;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Timing;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows when a schedule, or a timing that is only thought about, fires next. */
@Command(
    name = "next",
    description = {
      "Shows when a schedule fires next; or, with --cron, --every or --at",
      "instead of a name, when such a one would."
    })
final class ScheduleNextCommand extends StoreCommand {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss xxx", Locale.ENGLISH);

  private static final int MOST = 1_000;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the schedule.")
  private @Nullable String name;

  @Mixin private TimingOptions options = new TimingOptions();

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "So many, 1 to 1,000; default ${DEFAULT-VALUE}.")
  private int count = 5;

  @Option(names = "--after", paramLabel = "TIME", description = "From when on; default now.")
  private @Nullable Instant after;

  @Override
  ExitCode run() {
    if ((name == null) != options.given()) {
      throw new ParameterException(
          spec().commandLine(), "give the name of a schedule, or --cron, --every or --at");
    }
    Instant now = console().clock().instant();
    Instant from = after == null ? now : after;
    if (name == null) {
      return answer(thoughtAbout(options.timing(now), from, now));
    }
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      Schedule schedule = found(repositories);
      return answer(
          new Preview(
              Optional.of(schedule),
              schedule.timing(),
              repositories.schedules().next(schedule, from, count),
              now));
    }
  }

  /** Needs no store. */
  private Preview thoughtAbout(Timing timing, Instant from, Instant now) {
    if (count < 1 || count > MOST) {
      throw new ParameterException(
          spec().commandLine(), "--count must be 1 to 1,000, not " + count);
    }
    FireTimes times = FireTimes.of(timing);
    if (times.after(Instant.EPOCH).isEmpty() && timing instanceof Timing.Cron cron) {
      throw new InvalidInput(
          "cron expression '%s' never fires: no date has such a day and month"
              .formatted(cron.expression()));
    }
    Instant start = Inputs.calendar("the start of a preview", from);
    return new Preview(Optional.empty(), timing, times.after(start, count), now);
  }

  private Schedule found(Repositories repositories) {
    String wanted = String.valueOf(name);
    return ScheduleParameter.find(repositories, wanted, again("schedule list"));
  }

  private record Preview(
      Optional<Schedule> schedule, Timing timing, List<Instant> times, Instant now)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      if (schedule.map(Schedule::paused).orElse(false)) {
        out.println("the schedule is paused; it would fire:");
      }
      if (times.isEmpty()) {
        out.println("it fires no more");
        return;
      }
      Table table = new Table("UTC", "IN " + zone().getId(), "FROM NOW");
      for (Instant time : times) {
        table.row(Human.time(time), LOCAL.format(time.atZone(zone())), Human.fromNow(time, now));
      }
      table.print(out);
    }

    private ZoneId zone() {
      return timing instanceof Timing.Cron cron ? cron.zone() : ZoneOffset.UTC;
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("name", schedule.map(Schedule::name))
          .put("paused", schedule.map(Schedule::paused))
          .put("zone", timing instanceof Timing.Cron cron ? cron.zone().getId() : null)
          .put("times", times);
    }
  }
}
