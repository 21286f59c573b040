/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the events of one execution, in order. */
@Command(name = "events", description = "Shows the events of one execution, in order.")
final class ExecutionEventsCommand extends StoreCommand {
  private static final int PAGE = 500;

  @Mixin private ExecutionParameter execution = new ExecutionParameter();

  @Option(
      names = "--from",
      paramLabel = "N",
      defaultValue = "1",
      description = "From event number N on; default ${DEFAULT-VALUE}.")
  private long from;

  @Mixin private LimitOption limit = new LimitOption();

  @Option(names = "--values", description = "Show payloads, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      WorkflowExecution found =
          ExecutionLookup.find(repositories, execution.name(), again("execution list"));
      List<WorkflowEvent> events = new ArrayList<>();
      boolean more;
      do {
        int wanted = Math.min(PAGE, limit.value() - events.size());
        Page<WorkflowEvent> page =
            repositories.events().read(found.id(), from + events.size(), wanted);
        events.addAll(page.items());
        more = page.next().isPresent();
      } while (more && events.size() < limit.value());
      return answer(new Listing(repositories, found.id(), events, more));
    }
  }

  private final class Listing implements Answer {
    private final EventPrinter printer = new EventPrinter(values);
    private final Repositories repositories;
    private final UUID id;
    private final List<WorkflowEvent> events;
    private final boolean more;

    Listing(Repositories repositories, UUID id, List<WorkflowEvent> events, boolean more) {
      this.repositories = repositories;
      this.id = id;
      this.events = events;
      this.more = more;
    }

    private Optional<Long> next() {
      return more ? Optional.of(from + events.size()) : Optional.empty();
    }

    @Override
    public void text(PrintStream out) {
      if (events.isEmpty()) {
        out.println("no events of execution " + id + " from " + from + " on");
        return;
      }
      Table table =
          new Table(
              ">SEQ", "COMMITTED (UTC)", "TYPE", "ACTOR", ">TOKEN", "STATE CHANGES", "PAYLOAD");
      for (WorkflowEvent event : events) {
        table.row(
            event.sequence(),
            Human.time(event.committedAt()),
            event.type(),
            event.actor(),
            event.fencingToken() == 0 ? Human.NOTHING : event.fencingToken(),
            EventPrinter.changes(event),
            PayloadView.text(printer.payload(repositories, event)));
      }
      table.print(out);
      next()
          .ifPresent(
              place ->
                  out.println(
                      "more: "
                          + again("execution events " + id + " --from " + place + limit.again())));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("executionId", id)
          .put("events", events.stream().map(e -> printer.json(repositories, e)).toList())
          .put("next", next());
    }
  }
}
