/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.retry.RetryRecord;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One retry in full. */
@Command(name = "show", description = "Shows one retry and its attempts, the first one first.")
final class RetryShowCommand extends StoreCommand {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Parameters(index = "1", paramLabel = "ACTIVITY", description = "Id of the activity.")
  private String activity = "";

  @Option(names = "--values", description = "Show the reasons, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      UUID id = ExecutionLookup.find(repositories, execution.name(), again("execution list")).id();
      RetryRecord found =
          RetryNowCommand.find(repositories, id, activity, again("retry list " + id));
      return answer(
          new View(
              found,
              AttemptsView.of(() -> repositories.retries().history(found), values),
              console().clock().instant()));
    }
  }

  private record View(RetryRecord retry, AttemptsView attempts, Instant now) implements Answer {
    @Override
    public void text(PrintStream out) {
      new Fields()
          .add("execution", retry.executionId())
          .add("activity", retry.activityId())
          .add("status", retry.status())
          .add("failed", "%d of %d".formatted(retry.attempts(), retry.maxAttempts()))
          .add("last error", retry.lastError())
          .add("first failure", Human.time(retry.firstFailureAt()) + " UTC")
          .add("last failure", Human.time(retry.lastFailureAt()) + " UTC")
          .add("due", due())
          .addIf("attempts", attempts.problem())
          .print(out);
      attempts.print(out);
    }

    private String due() {
      Optional<Instant> due = retry.nextAttemptAt();
      return due.map(at -> Human.time(at) + " UTC, " + Human.fromNow(at, now))
          .orElse(Human.NOTHING);
    }

    @Override
    public JsonObject json() {
      return attempts.addTo(RetryListCommand.json(retry));
    }
  }
}
