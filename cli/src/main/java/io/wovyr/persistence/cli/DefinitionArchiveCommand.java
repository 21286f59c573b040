/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.WorkflowDefinition;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Hides a version of a definition. */
@Command(
    name = "archive",
    description = {
      "Hides a version of a definition: nothing is created from it any more. Executions of it",
      "go on, and its body stays."
    })
final class DefinitionArchiveCommand extends StoreCommand implements Changing {
  @Parameters(paramLabel = "NAME@VERSION", description = "Which one.")
  private String name = "";

  @Override
  ExitCode run() {
    DefinitionName wanted = DefinitionName.of(name);
    wanted.requireVersion();
    try (Persistence persistence = open()) {
      Repositories repositories = RoleCaller.as(Role.ADMIN, persistence, tenant());
      WorkflowDefinition found =
          DefinitionLookup.find(repositories, wanted, again("definition list"));
      if (found.status() != DefinitionStatus.ARCHIVED) {
        found =
            repositories
                .definitions()
                .move(found, DefinitionStatus.ARCHIVED)
                .orThrow()
                .records(WorkflowDefinition.class)
                .get(0);
      }
      return answer(new Archived(wanted, found));
    }
  }

  private record Archived(DefinitionName wanted, WorkflowDefinition definition) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println("definition %s is archived".formatted(Human.oneLine(wanted.toString())));
    }

    @Override
    public JsonObject json() {
      return DefinitionJson.summary(definition);
    }
  }
}
