/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionQuery.By;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Lists executions, in id order. */
@Command(
    name = "list",
    description = "Lists executions in id order, which for generated ids is oldest first.")
final class ExecutionListCommand extends StoreCommand {
  private static final int PAGE = 500;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only of this status: ${COMPLETION-CANDIDATES}.")
  private @Nullable ExecutionStatus status;

  @Option(
      names = "--workflow-id",
      paramLabel = "ID",
      description = "Only of this workflow id, live or ended, newest first.")
  private @Nullable String workflowId;

  @Mixin private LimitOption limit = new LimitOption();

  @Option(names = "--after", paramLabel = "PLACE", description = "Go on where a former list ended.")
  private @Nullable String after;

  @Override
  ExitCode run() {
    if (status != null && workflowId != null) {
      throw new ParameterException(
          spec().commandLine(), "give either --status or --workflow-id, not both");
    }
    try (Persistence persistence = open()) {
      List<WorkflowExecution> found = new ArrayList<>();
      Optional<String> next = Optional.ofNullable(after);
      do {
        int wanted = Math.min(PAGE, limit.value() - found.size());
        Page<WorkflowExecution> page = page(repositories(persistence).executions(), wanted, next);
        found.addAll(page.items());
        next = page.next();
      } while (next.isPresent() && found.size() < limit.value());
      return answer(new Listing(found, next));
    }
  }

  private Page<WorkflowExecution> page(Executions executions, int most, Optional<String> next) {
    return workflowId == null
        ? executions.list(Optional.ofNullable(status), most, next)
        : executions.find(ExecutionQuery.by(new By.WorkflowId(workflowId)), most, next);
  }

  private final class Listing implements Answer {
    private final List<WorkflowExecution> executions;
    private final Optional<String> next;

    Listing(List<WorkflowExecution> executions, Optional<String> next) {
      this.executions = executions;
      this.next = next;
    }

    @Override
    public void text(PrintStream out) {
      if (executions.isEmpty()) {
        out.println(nothing());
        return;
      }
      Table table =
          new Table("ID", "STATUS", "WORKFLOW ID", "DEFINITION", "CREATED (UTC)", "CLOSED (UTC)");
      for (WorkflowExecution execution : executions) {
        table.row(
            execution.id(),
            execution.status(),
            execution.workflowId(),
            execution.definitionName() + " " + execution.definitionVersion(),
            Human.time(execution.header().createdAt()),
            Human.time(execution.closedAt()));
      }
      table.print(out);
      next.ifPresent(
          place ->
              out.println(
                  "more: "
                      + again(
                          "execution list"
                              + filter()
                              + limit.again()
                              + " --after "
                              + ShellWord.of(place))));
    }

    private String filter() {
      return (status == null ? "" : " --status " + status)
          + (workflowId == null ? "" : " --workflow-id " + ShellWord.of(workflowId));
    }

    private String nothing() {
      String what =
          status != null
              ? "no executions that are " + status
              : workflowId != null
                  ? "no executions with the workflow id '" + Human.oneLine(workflowId) + "'"
                  : "no executions";
      String more =
          status == null && workflowId == null
              ? "; another tenant's: --tenant NAME; the demo makes some: wovyr demo"
              : "; see all: " + again("execution list");
      return what + " of tenant '" + tenant() + "' in " + storeName() + more;
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put("executions", executions.stream().map(Listing::item).toList())
          .put("next", next);
    }

    private static JsonObject item(WorkflowExecution execution) {
      return ExecutionJson.summary(execution);
    }
  }
}
