/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows events as they are committed, until the execution has ended. */
@Command(
    name = "tail",
    description = {
      "Follows the events of one execution until it has ended.",
      "With --output json: one document a line."
    })
final class ExecutionTailCommand extends StoreCommand {
  private static final int PAGE = 500;
  private static final int LAST = 10;

  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "Begin with event number N; default: the last " + LAST + ".")
  private @Nullable Long from;

  @Option(names = "--values", description = "Show payloads, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      WorkflowExecution found =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      follow(repositories, found.id());
      return ExitCode.OK;
    }
  }

  private void follow(Repositories repositories, UUID id) {
    EventPrinter printer = new EventPrinter(values);
    long next = from != null ? from : begin(head(repositories, id));
    Follow follow = new Follow(out());
    do {
      // The head first: when it is closed, everything up to its last event is there to be read.
      ExecutionHead head = head(repositories, id);
      while (next <= head.lastSequence()) {
        List<WorkflowEvent> events = repositories.events().read(id, next, PAGE).items();
        for (WorkflowEvent event : events) {
          print(printer, repositories, event);
        }
        next += events.size();
      }
      if (head.closed()) {
        end(repositories, id);
        return;
      }
    } while (follow.pause());
  }

  private void print(EventPrinter printer, Repositories repositories, WorkflowEvent event) {
    if (json()) {
      Json.print(out(), printer.json(repositories, event));
    } else {
      out().println(printer.line(repositories, event));
    }
  }

  private void end(Repositories repositories, UUID id) {
    Optional<WorkflowExecution> ended = repositories.executions().find(id);
    if (!json()) {
      ended.ifPresent(execution -> out().println("ended: " + execution.status()));
    }
  }

  private static long begin(ExecutionHead head) {
    return Math.max(head.lowWaterMark(), head.lastSequence() - LAST + 1);
  }

  private ExecutionHead head(Repositories repositories, UUID id) {
    return repositories
        .executions()
        .head(id)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "execution " + id + " is gone: see " + again("execution list")));
  }
}
