/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.io.PrintStream;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a rollback that stands still due. */
@Command(
    name = "resume",
    description = {
      "Makes an execution whose rollback stands still due now, parked or not: a worker then",
      "goes on where it was. Undoes nothing by itself."
    })
final class CompensationResumeCommand extends StoreCommand implements Changing {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = RoleCaller.as(Role.OPERATOR, persistence, tenant());
      WorkflowExecution found =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      repositories.compensations().resume(found.id()).orThrow();
      repositories.leases().unpark(found.id()).orThrow();
      return answer(
          new Resumed(
              found.id(),
              repositories.compensations().next(found.id()),
              repositories.executions().head(found.id()).flatMap(ExecutionHead::owner),
              again("execution tail " + found.id())));
    }
  }

  private record Resumed(
      UUID id, Optional<CompensationRecord> next, Optional<String> owner, String follow)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(
          "execution %s is due now; %s"
              .formatted(
                  id,
                  next.map(
                          entry ->
                              "undone next: %d %s by %s"
                                  .formatted(
                                      entry.position(),
                                      Human.oneLine(entry.activityId()),
                                      Human.oneLine(entry.action())))
                      .orElse("nothing is left to be undone")));
      owner.ifPresent(
          worker -> out.println("it is held by " + Human.oneLine(worker) + ", who goes on first"));
      out.println("what comes of it: " + follow);
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("executionId", id)
          .put("heldBy", owner)
          .put("next", next.map(CompensationJson::summary));
    }
  }
}
