/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.ActivityExecution;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists activities of one execution, or the open ones of all. */
@Command(
    name = "list",
    description = "Lists the activities of an execution, or the open ones of all, oldest first.")
final class ActivityListCommand extends ListCommand<ActivityExecution> {
  @Parameters(
      arity = "0..1",
      paramLabel = "EXECUTION",
      description = "Id of the execution, or the workflow id while it is live.")
  private @Nullable String execution;

  @Option(names = "--open", description = "The open ones of all executions; the default.")
  private boolean open;

  @Override
  Source<ActivityExecution> source(Repositories repositories) {
    if (execution == null) {
      return repositories.activities()::open;
    }
    if (open) {
      throw new InvalidInput("give an execution or --open, not both");
    }
    UUID id = ExecutionLookup.find(repositories, execution, again("execution list")).id();
    return (limit, after) -> repositories.activities().list(id, limit, after);
  }

  @Override
  String command() {
    return "activity list" + (execution == null ? " --open" : " " + ShellWord.of(execution));
  }

  @Override
  String member() {
    return "activities";
  }

  @Override
  JsonObject item(ActivityExecution activity) {
    return new JsonObject()
        .put("executionId", activity.executionId())
        .put("activityId", activity.activityId())
        .put("type", activity.activityType())
        .put("status", activity.status())
        .put("attempt", activity.attempt())
        .put("worker", activity.worker())
        .put("scheduledAt", activity.scheduledAt())
        .put("startedAt", activity.startedAt())
        .put("heartbeatAt", activity.heartbeatAt())
        .put("closedAt", activity.closedAt())
        .put("timesOutAt", activity.timesOutAt());
  }

  @Override
  Table table() {
    return new Table(
        "EXECUTION",
        "ACTIVITY",
        "TYPE",
        "STATUS",
        ">ATTEMPT",
        "WORKER",
        "SCHEDULED (UTC)",
        "STARTED (UTC)",
        "TIMES OUT");
  }

  @Override
  void row(Table table, ActivityExecution activity) {
    table.row(
        activity.executionId(),
        activity.activityId(),
        activity.activityType(),
        activity.status(),
        activity.attempt(),
        activity.worker().orElse(Human.NOTHING),
        Human.time(activity.scheduledAt()),
        Human.time(activity.startedAt()),
        activity
            .timesOutAt()
            .map(at -> Human.fromNow(at, console().clock().instant()))
            .orElse(Human.NOTHING));
  }

  @Override
  String nothing() {
    return execution == null
        ? "no activities are open for tenant '%s' in %s; its executions: %s"
            .formatted(tenant(), storeName(), again("execution list"))
        : "that execution has no activities; its events: "
            + again("execution events " + ShellWord.of(execution));
  }
}
