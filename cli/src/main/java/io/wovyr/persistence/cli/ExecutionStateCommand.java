/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.state.WorkflowState;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the state of an execution, now or after an earlier event. */
@Command(
    name = "state",
    description = {
      "Shows the state of an execution and its two hashes.",
      "The state hash proves what was stored; the content hash is equal for two",
      "executions that did the same."
    })
final class ExecutionStateCommand extends StoreCommand {
  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Option(
      names = "--at",
      paramLabel = "N",
      description = "As it was after event number N; 0 is the beginning.")
  private @Nullable Long at;

  @Option(names = "--values", description = "Show the values, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      WorkflowExecution found =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      long last = repositories.executions().head(found.id()).orElseThrow().lastSequence();
      long sequence = at == null ? last : at;
      if (sequence < 0 || sequence > last) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND,
            "execution %s has no event %d: its events end at %d"
                .formatted(found.id(), sequence, last));
      }
      WorkflowState state = repositories.executions().state(found.id(), sequence);
      StateHash content = state.contentHash(repositories::open);
      return answer(new View(found.id(), sequence, state, content, items(state, repositories)));
    }
  }

  private List<Item> items(WorkflowState state, Repositories repositories) {
    List<Item> items = new ArrayList<>();
    state.forEach(
        (key, leaf) ->
            items.add(
                new Item(
                    key,
                    leaf,
                    PayloadView.of(leaf.payload(), values ? repositories.open(leaf) : null))));
    return items;
  }

  private record Item(WorkflowState.Key key, WorkflowState.Leaf leaf, PayloadView value) {}

  private record View(
      UUID id, long sequence, WorkflowState state, StateHash content, List<Item> items)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      new Fields()
          .add("execution", id)
          .add("after event", sequence)
          .add("state hash", state.hash())
          .add("content hash", content)
          .print(out);
      out.println();
      if (items.isEmpty()) {
        out.println("the state is empty");
        return;
      }
      boolean opened = items.get(0).value().plain() != null;
      Table table = new Table("SECTION", "KEY", ">SIZE", "TYPE", ">EVENT", opened ? "VALUE" : "");
      for (Item item : items) {
        table.row(
            EventPrinter.section(item.key().section()),
            item.key().name(),
            Human.size(item.leaf().payload().length()),
            item.leaf().payload().contentType(),
            item.leaf().origin().sequence(),
            item.value().content());
      }
      table.print(out);
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("executionId", id)
          .put("sequence", sequence)
          .put("stateHash", state.hash())
          .put("contentHash", content)
          .put("entries", items.stream().map(View::entry).toList());
    }

    private static JsonObject entry(Item item) {
      return new JsonObject()
          .put("section", item.key().section())
          .put("key", item.key().name())
          .put("value", Optional.of(item.value().json()))
          .put("sequence", item.leaf().origin().sequence())
          .put("eventId", item.leaf().origin().eventId());
    }
  }
}
