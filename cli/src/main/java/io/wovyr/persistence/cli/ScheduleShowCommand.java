/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Schedule;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
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
      Instant now = console().clock().instant();
      Optional<String> unreadable = unreadable(repositories, found, now);
      answer(
          new View(
              found,
              PayloadView.of(found.input(), values, () -> repositories.schedules().input(found)),
              unreadable.or(() -> problem(repositories, found)),
              now,
              again("schedule next " + ShellWord.of(found.name()))));
      return unreadable.isPresent() ? ExitCode.NEWER_VERSION : ExitCode.OK;
    }
  }

  /** Why this version does not know when it fires, or of what. */
  private static Optional<String> unreadable(
      Repositories repositories, Schedule schedule, Instant now) {
    try {
      List<Instant> unusedTimes = repositories.schedules().next(schedule, now, 1);
      DefinitionRef unusedDefinition = schedule.definition();
      return Optional.empty();
    } catch (UnsupportedVersion e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** What its next fire would fail of, as far as can be told without one. */
  private static Optional<String> problem(Repositories repositories, Schedule schedule) {
    try {
      Optional<Payload> unused = repositories.schedules().input(schedule);
    } catch (PersistenceException e) {
      return Optional.of("its input cannot be opened with the settings here: " + e.getMessage());
    }
    DefinitionRef definition = schedule.definition();
    return repositories
        .definitions()
        .find(definition.name(), definition.version())
        .filter(found -> !found.status().allowsCreation())
        .map(
            found ->
                "definition %s@%d is %s: nothing is created from it"
                    .formatted(definition.name(), definition.version(), found.status()));
  }

  private record View(
      Schedule schedule,
      Optional<PayloadView> input,
      Optional<String> problem,
      Instant now,
      String preview)
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
          .addIf("late", late())
          .addIf("problem", problem)
          .add("last", schedule.lastFireAt().map(this::time).orElse(Human.NOTHING))
          .add("fires", Human.count(schedule.fires()))
          .add(
              "changed",
              time(schedule.header().updatedAt()) + " by " + schedule.header().updatedBy())
          .print(out);
      out.println("when it fires: " + preview);
    }

    private Optional<String> late() {
      return ScheduleText.late(schedule, now)
          .map(
              by ->
                  "by %s: no scheduler looks, or its fires fail%s"
                      .formatted(
                          Human.duration(by),
                          problem.isPresent() ? "" : "; 'wovyr schedule run --once' says why"));
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
          .put("lateBy", ScheduleText.late(schedule, now))
          .put("problem", problem)
          .put("input", input.map(PayloadView::json));
    }
  }
}
