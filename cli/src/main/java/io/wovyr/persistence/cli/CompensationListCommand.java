/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists a compensation stack, or entries of all by status. */
@Command(
    name = "list",
    description = {
      "Lists the compensation stack of an execution, what is undone first on top, or the",
      "entries of all executions that have a status."
    })
final class CompensationListCommand extends ListCommand<CompensationRecord> {
  @Parameters(
      arity = "0..1",
      paramLabel = "EXECUTION",
      description = "Id of the execution, or the workflow id while it is live.")
  private @Nullable String execution;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Of all executions, with this status: ${COMPLETION-CANDIDATES}.")
  private @Nullable CompensationStatus status;

  @Override
  Source<CompensationRecord> source(Repositories repositories) {
    CompensationStatus wanted = status;
    String name = execution;
    if (name != null && wanted == null) {
      UUID id = ExecutionLookup.find(repositories, name, again("execution list")).id();
      return (limit, after) -> repositories.compensations().stack(id, limit, after);
    }
    if (name == null && wanted != null) {
      return (limit, after) -> repositories.compensations().list(wanted, limit, after);
    }
    throw new InvalidInput("give either an execution or --status, such as --status FAILED");
  }

  @Override
  String command() {
    return "compensation list "
        + (execution == null ? "--status " + status : ShellWord.of(execution));
  }

  @Override
  String member() {
    return "compensations";
  }

  @Override
  JsonObject item(CompensationRecord entry) {
    return CompensationJson.summary(entry);
  }

  @Override
  Table table() {
    return new Table(
        "EXECUTION",
        ">POSITION",
        "ACTIVITY",
        "ACTION",
        "STATUS",
        ">ATTEMPTS",
        "LAST ERROR",
        "REGISTERED (UTC)",
        "FINISHED (UTC)");
  }

  @Override
  void row(Table table, CompensationRecord entry) {
    table.row(
        entry.executionId(),
        entry.position(),
        entry.activityId(),
        entry.action(),
        entry.status(),
        entry.attempts(),
        entry.lastError().orElse(Human.NOTHING),
        Human.time(entry.registeredAt()),
        Human.time(entry.finishedAt()));
  }

  @Override
  String nothing() {
    return execution == null
        ? "nothing is %s for tenant '%s' in %s".formatted(status, tenant(), storeName())
        : "that execution has nothing to undo";
  }
}
