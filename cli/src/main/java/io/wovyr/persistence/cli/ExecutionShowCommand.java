/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows one execution: its lifecycle, its lease, when somebody should look at it next. */
@Command(name = "show", description = "Shows one execution, its lease and when it is due.")
final class ExecutionShowCommand extends StoreCommand {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Option(names = "--values", description = "Show input and outcome, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      WorkflowExecution found =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      Optional<ExecutionHead> head = repositories.executions().head(found.id());
      return answer(
          new View(
              found,
              head,
              PayloadView.of(found.input(), values, () -> repositories.executions().input(found)),
              PayloadView.of(
                  found.outcome(), values, () -> repositories.executions().outcome(found)),
              console().clock().instant(),
              again("execution events " + found.id())));
    }
  }

  private record View(
      WorkflowExecution execution,
      Optional<ExecutionHead> head,
      Optional<PayloadView> input,
      Optional<PayloadView> outcome,
      Instant now,
      String next)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      Fields fields = new Fields();
      fields
          .add("execution", execution.id())
          .add("workflow id", execution.workflowId())
          .add("status", status())
          .add("definition", execution.definitionName() + " " + execution.definitionVersion())
          .addIf("parent", execution.parentId())
          .add("created", time(execution.header().createdAt()))
          .add(
              "changed",
              time(execution.header().updatedAt()) + " by " + execution.header().updatedBy())
          .addIf("closed", execution.closedAt().map(this::time));
      if (!execution.searchAttributes().isEmpty()) {
        fields.add("attributes", String.join(", ", execution.searchAttributes()));
      }
      fields.add("input", PayloadView.text(input)).add("outcome", PayloadView.text(outcome));
      head.ifPresent(found -> head(found, fields));
      fields.print(out);
      out.println("its events: " + next);
    }

    private String status() {
      return execution.status()
          + execution.pausedFrom().map(from -> ", was " + from).orElse("")
          + (head.map(ExecutionHead::parked).orElse(false) ? ", parked" : "");
    }

    private void head(ExecutionHead found, Fields fields) {
      fields
          .add("events", events(found))
          .add("lease", lease(found))
          .add("fencing token", found.fencingToken())
          .add(
              "acquisitions",
              Human.count(found.acquisitionsWithoutProgress()) + " since the last progress")
          .add("due", found.dueAt().map(this::time).orElse("not by itself"));
    }

    private static String events(ExecutionHead found) {
      String purged =
          found.lowWaterMark() > 1 ? ", kept from " + Human.count(found.lowWaterMark()) : "";
      return Human.count(found.lastSequence()) + purged;
    }

    private String lease(ExecutionHead found) {
      return found
          .owner()
          .map(
              owner ->
                  owner
                      + found
                          .leaseExpiresAt()
                          .map(
                              at ->
                                  (at.isBefore(now) ? ", ran out " : ", runs out ")
                                      + Human.fromNow(at, now))
                          .orElse(""))
          .orElse("free");
    }

    private String time(Instant instant) {
      return Human.time(instant) + " UTC, " + Human.fromNow(instant, now);
    }

    @Override
    public JsonObject json() {
      return ExecutionJson.summary(execution)
          .put("tenant", execution.header().tenantId())
          .put("version", execution.header().version())
          .put("updatedBy", execution.header().updatedBy())
          .put("pausedFrom", execution.pausedFrom())
          .put("parentId", execution.parentId())
          .put("searchAttributes", execution.searchAttributes())
          .put("input", input.map(PayloadView::json))
          .put("outcome", outcome.map(PayloadView::json))
          .put("head", head.map(View::json));
    }

    private static JsonObject json(ExecutionHead found) {
      return new JsonObject()
          .put("version", found.version())
          .put("lastSequence", found.lastSequence())
          .put("lowWaterMark", found.lowWaterMark())
          .put("closed", found.closed())
          .put("paused", found.paused())
          .put("parked", found.parked())
          .put("fencingToken", found.fencingToken())
          .put("owner", found.owner())
          .put("leaseExpiresAt", found.leaseExpiresAt())
          .put("leaseTtl", found.leaseTtl())
          .put("renewals", found.renewals())
          .put("acquisitionsWithoutProgress", found.acquisitionsWithoutProgress())
          .put("dueAt", found.dueAt())
          .put("lastCheckpointId", found.lastCheckpointId());
    }
  }
}
