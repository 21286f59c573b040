/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.Compensations;
import java.io.PrintStream;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one entry of a compensation stack. */
@Command(
    name = "show",
    description = "Shows one entry of a compensation stack, and how its undo was tried.")
final class CompensationShowCommand extends StoreCommand {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Parameters(index = "1", paramLabel = "POSITION", description = "Place on the stack, from 1.")
  private int position;

  @Option(names = "--values", description = "Show input, result and reasons, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      UUID id = ExecutionLookup.find(repositories, execution.name(), again("execution list")).id();
      var compensations = repositories.compensations();
      CompensationRecord found = compensations.find(id, position).orElseThrow(() -> notFound(id));
      AttemptsView attempts = AttemptsView.of(() -> compensations.history(found), values);
      return answer(
          new View(
              found,
              PayloadView.of(found.input(), values, () -> compensations.input(found)),
              PayloadView.of(found.result(), values, () -> compensations.result(found)),
              failure(compensations, found, attempts),
              attempts));
    }
  }

  /** The newest reason: of a try that failed, or why the entry was left as it is. */
  private Optional<PayloadView> failure(
      Compensations compensations, CompensationRecord found, AttemptsView attempts) {
    if (attempts.problem().isPresent()) {
      return PayloadView.of(found.failure(), false, Optional::empty);
    }
    return compensations.failure(found).map(reason -> PayloadView.of(reason, values));
  }

  private CommandFailure notFound(UUID id) {
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "execution %s has no compensation %d: see %s"
            .formatted(id, position, again("compensation list " + id)));
  }

  private record View(
      CompensationRecord entry,
      Optional<PayloadView> input,
      Optional<PayloadView> result,
      Optional<PayloadView> failure,
      AttemptsView attempts)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      Fields fields = new Fields();
      fields
          .add("execution", entry.executionId())
          .add("position", entry.position())
          .add("undoes activity", entry.activityId())
          .add("by", entry.action())
          .add("status", entry.status())
          .add("attempts", entry.attempts())
          .addIf("last error", entry.lastError())
          .add("registered", Human.time(entry.registeredAt()) + " UTC")
          .addIf("started", entry.startedAt().map(at -> Human.time(at) + " UTC"))
          .addIf("finished", entry.finishedAt().map(at -> Human.time(at) + " UTC"))
          .addIf("tried again", entry.nextAttemptAt().map(at -> Human.time(at) + " UTC"));
      if (!entry.metadata().isEmpty()) {
        fields.add("metadata", String.join(", ", entry.metadata()));
      }
      fields
          .add("input", PayloadView.text(input))
          .add("result", PayloadView.text(result))
          .add("failure", PayloadView.text(failure))
          .addIf("tries", attempts.problem());
      fields.print(out);
      attempts.print(out);
    }

    @Override
    public JsonObject json() {
      return attempts.addTo(
          CompensationJson.summary(entry)
              .put("metadata", entry.metadata())
              .put("input", input.map(PayloadView::json))
              .put("result", result.map(PayloadView::json))
              .put("failure", failure.map(PayloadView::json)));
    }
  }
}
