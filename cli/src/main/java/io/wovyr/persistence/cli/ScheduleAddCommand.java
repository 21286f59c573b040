/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Adds a schedule, or replaces one. */
@Command(
    name = "add",
    description = {
      "Adds a schedule: when it fires, an execution of the definition is created.",
      "Durations and times are in ISO 8601: PT10M, 2026-03-08T07:30:00Z."
    })
final class ScheduleAddCommand extends ScheduleChangeCommand {
  /** As {@link Misfire}, spelled for a shell. */
  enum Missed {
    FIRE_ONCE(Misfire.FIRE_ONCE),
    FIRE_ALL(Misfire.FIRE_ALL),
    SKIP(Misfire.SKIP);

    private final Misfire misfire;

    Missed(Misfire misfire) {
      this.misfire = misfire;
    }

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  @Mixin private ScheduleParameter schedule = new ScheduleParameter();
  @Mixin private TimingOptions timing = new TimingOptions();

  @Option(
      names = "--definition",
      required = true,
      paramLabel = "NAME[@VERSION]",
      description = {
        "What is executed; without a version the newest that is stored,",
        "and that one from then on."
      })
  private String definition = "";

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "The input of every execution is what stands in this file now.")
  private @Nullable String input;

  @Option(
      names = "--content-type",
      paramLabel = "TYPE",
      description = "Of the input; default ${DEFAULT-VALUE}.")
  private String contentType = "application/json";

  @Option(
      names = "--misfire",
      paramLabel = "RULE",
      description = "Of fires that were missed: ${COMPLETION-CANDIDATES}; default fire-once.")
  private Missed missed = Missed.FIRE_ONCE;

  @Option(
      names = "--misfire-after",
      paramLabel = "DURATION",
      description = "How late a fire may be before it counts as missed; default PT1M.")
  private Duration missedAfter = Duration.ofMinutes(1);

  @Option(names = "--not-before", paramLabel = "TIME", description = "No fire is earlier.")
  private @Nullable Instant notBefore;

  @Option(names = "--not-after", paramLabel = "TIME", description = "No fire is later.")
  private @Nullable Instant notAfter;

  @Option(names = "--replace", description = "Change the schedule of this name.")
  private boolean replace;

  @Override
  Answer change(Repositories administrator) {
    NewSchedule wanted = wanted(administrator);
    if (replace) {
      Schedule before = schedule.find(administrator, again("schedule list"));
      Schedule replaced = stored(administrator.schedules().replace(before, wanted));
      warnIfNotStored(administrator, replaced);
      return changed("replaced", replaced);
    }
    CommitResult result = administrator.schedules().add(wanted);
    if (result instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "there is a schedule '%s' already: change it with --replace".formatted(wanted.name()));
    }
    Schedule added = stored(result);
    warnIfNotStored(administrator, added);
    return changed("added", added);
  }

  private Answer changed(String what, Schedule now) {
    return new Changed(
        "schedule %s is %s, next: %s".formatted(now.name(), what, ScheduleText.nextInFull(now)),
        now);
  }

  private NewSchedule wanted(Repositories administrator) {
    NewSchedule wanted =
        NewSchedule.of(
                schedule.name(),
                timing.timing(console().clock().instant()),
                definition(administrator))
            .withMisfire(missed.misfire, missedAfter)
            .within(Optional.ofNullable(notBefore), Optional.ofNullable(notAfter));
    return input == null ? wanted : wanted.withInput(read(input));
  }

  private Payload read(String file) {
    return InputFile.read(console().directory(), file, contentType);
  }

  /** An engine may keep its definitions elsewhere, so it is no error. */
  private void warnIfNotStored(Repositories administrator, Schedule now) {
    String name = now.definitionName();
    int version = now.definitionVersion();
    if (administrator.definitions().find(name, version).isEmpty()) {
      console()
          .error()
          .println(
              "warning: definition %s@%d is not stored here: what the schedule creates needs an engine that keeps it elsewhere"
                  .formatted(Human.oneLine(name), version));
    }
  }

  private DefinitionRef definition(Repositories administrator) {
    Optional<DefinitionRef> versioned = DefinitionName.of(definition).reference();
    if (versioned.isPresent()) {
      return versioned.get();
    }
    WorkflowDefinition newest =
        administrator
            .definitions()
            .latest(definition)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.NOT_FOUND,
                        "no definition '%s' that can be executed is stored; one that is kept elsewhere is named with its version: %s@1"
                            .formatted(definition, definition)));
    return DefinitionRef.of(newest.name(), newest.definitionVersion());
  }
}
