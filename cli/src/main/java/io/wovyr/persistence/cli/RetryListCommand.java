/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.retry.RetryRecord;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists retries of one execution, or the pending or exhausted ones of all. */
@Command(
    name = "list",
    description = {
      "Lists the retries of an execution, or those of all that are pending (soonest first) or",
      "exhausted (longest ago first)."
    })
final class RetryListCommand extends ListCommand<RetryRecord> {
  @Parameters(
      arity = "0..1",
      paramLabel = "EXECUTION",
      description = "Id of the execution, or the workflow id while it is live.")
  private @Nullable String execution;

  @Option(names = "--pending", description = "The pending ones of all executions; the default.")
  private boolean pending;

  @Option(names = "--exhausted", description = "Those of all executions that gave up.")
  private boolean exhausted;

  @Override
  Source<RetryRecord> source(Repositories repositories) {
    if ((execution == null ? 0 : 1) + (pending ? 1 : 0) + (exhausted ? 1 : 0) > 1) {
      throw new InvalidInput("give one of: an execution, --pending, --exhausted");
    }
    if (execution == null) {
      return exhausted ? repositories.retries()::exhausted : repositories.retries()::pending;
    }
    UUID id = ExecutionLookup.find(repositories, execution, again("execution list")).id();
    return (limit, after) -> repositories.retries().list(id, limit, after);
  }

  @Override
  String command() {
    if (execution != null) {
      return "retry list " + ShellWord.of(execution);
    }
    return "retry list " + (exhausted ? "--exhausted" : "--pending");
  }

  @Override
  String member() {
    return "retries";
  }

  @Override
  JsonObject item(RetryRecord retry) {
    return json(retry);
  }

  static JsonObject json(RetryRecord retry) {
    return new JsonObject()
        .put("executionId", retry.executionId())
        .put("activityId", retry.activityId())
        .put("status", retry.status())
        .put("attempts", retry.attempts())
        .put("maxAttempts", retry.maxAttempts())
        .put("lastError", retry.lastError())
        .put("firstFailureAt", retry.firstFailureAt())
        .put("lastFailureAt", retry.lastFailureAt())
        .put("lastDelay", retry.lastDelay())
        .put("nextAttemptAt", retry.nextAttemptAt());
  }

  @Override
  Table table() {
    return new Table(
        "EXECUTION", "ACTIVITY", "STATUS", ">FAILED", ">OF", "LAST ERROR", "FAILED (UTC)", "DUE");
  }

  @Override
  void row(Table table, RetryRecord retry) {
    table.row(
        retry.executionId(),
        retry.activityId(),
        retry.status(),
        retry.attempts(),
        retry.maxAttempts(),
        retry.lastError(),
        Human.time(retry.lastFailureAt()),
        retry
            .nextAttemptAt()
            .map(at -> Human.fromNow(at, console().clock().instant()))
            .orElse(Human.NOTHING));
  }

  @Override
  String nothing() {
    if (execution != null) {
      return "no activity of that execution was retried";
    }
    return "no retries are %s for tenant '%s' in %s"
        .formatted(exhausted ? "exhausted" : "pending", tenant(), storeName());
  }
}
