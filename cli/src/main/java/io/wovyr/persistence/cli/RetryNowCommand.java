/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.retry.RetryRecord;
import java.io.PrintStream;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a retry due. */
@Command(
    name = "retry-now",
    description = {
      "Makes a retry due now; one that gave up gets another attempt. A worker makes it, not",
      "this command."
    })
final class RetryNowCommand extends StoreCommand implements Changing {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Parameters(index = "1", paramLabel = "ACTIVITY", description = "Id of the activity.")
  private String activity = "";

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = RoleCaller.as(Role.OPERATOR, persistence, tenant());
      WorkflowExecution owner =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      UUID id = owner.id();
      RetryRecord before = find(repositories, id, activity, again("retry list " + id));
      if (owner.status().isFinal()) {
        throw new CommandFailure(
            ExitCode.FAILED,
            "execution %s has ended (%s): nothing of it is tried again"
                .formatted(id, owner.status()));
      }
      RetryRecord after =
          repositories.retries().retryNow(before).orThrow().records(RetryRecord.class).get(0);
      return answer(new Due(after, again("retry list " + id)));
    }
  }

  /** The retry of an activity, or how to find one. */
  static RetryRecord find(Repositories repositories, UUID id, String activity, String list) {
    return repositories
        .retries()
        .find(id, activity)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "activity '%s' of execution %s is not retried: see %s"
                        .formatted(activity, id, list)));
  }

  private record Due(RetryRecord retry, String next) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(
          "the retry of activity %s is due now: attempt %d of %d"
              .formatted(
                  Human.oneLine(retry.activityId()), retry.attempts() + 1, retry.maxAttempts()));
      out.println("what comes of it: " + next);
    }

    @Override
    public JsonObject json() {
      return RetryListCommand.json(retry);
    }
  }
}
