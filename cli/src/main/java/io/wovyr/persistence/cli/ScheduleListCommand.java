/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.schedule.Schedule;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the schedules of a tenant. */
@Command(name = "list", description = "Lists the schedules by name, with their next fire.")
final class ScheduleListCommand extends StoreCommand {
  private static final int PAGE = 500;

  @Mixin private LimitOption limit = new LimitOption();

  @Option(names = "--after", paramLabel = "PLACE", description = "Go on where a former list ended.")
  private @Nullable String after;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      List<Schedule> found = new ArrayList<>();
      Optional<String> next = Optional.ofNullable(after);
      do {
        int wanted = Math.min(PAGE, limit.value() - found.size());
        Page<Schedule> page = repositories(persistence).schedules().list(wanted, next);
        found.addAll(page.items());
        next = page.next();
      } while (next.isPresent() && found.size() < limit.value());
      return answer(new Listing(found, next));
    }
  }

  private final class Listing implements Answer {
    private final List<Schedule> schedules;
    private final Optional<String> next;

    Listing(List<Schedule> schedules, Optional<String> next) {
      this.schedules = schedules;
      this.next = next;
    }

    @Override
    public void text(PrintStream out) {
      if (schedules.isEmpty()) {
        out.println(
            "there are no schedules of tenant '%s' in %s; to make one: %s"
                .formatted(
                    tenant(),
                    storeName(),
                    again("schedule add NAME --definition NAME@VERSION --cron '0 3 * * *'")));
        return;
      }
      Table table = new Table("NAME", "TIMING", "DEFINITION", "NEXT (UTC)", "LAST (UTC)", ">FIRES");
      for (Schedule schedule : schedules) {
        table.row(
            schedule.name(),
            ScheduleText.timing(schedule),
            ScheduleText.definition(schedule),
            ScheduleText.next(schedule, now()),
            Human.time(schedule.lastFireAt()),
            Human.count(schedule.fires()));
      }
      table.print(out);
      next.ifPresent(
          place ->
              out.println(
                  "more: "
                      + again(
                          "schedule list" + limit.again() + " --after " + ShellWord.of(place))));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put("schedules", schedules.stream().map(this::item).toList())
          .put("next", next);
    }

    private JsonObject item(Schedule schedule) {
      return ScheduleText.json(schedule).put("lateBy", ScheduleText.late(schedule, now()));
    }

    private Instant now() {
      return console().clock().instant();
    }
  }
}
