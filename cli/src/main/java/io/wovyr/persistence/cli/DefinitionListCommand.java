/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.WorkflowDefinition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists definitions. */
@Command(name = "list", description = "Lists definitions by name and version, not the archived.")
final class DefinitionListCommand extends ListCommand<WorkflowDefinition> {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only of this status: ${COMPLETION-CANDIDATES}.")
  private @Nullable DefinitionStatus status;

  @Override
  Source<WorkflowDefinition> source(Repositories repositories) {
    return (limit, after) ->
        repositories.definitions().list(Optional.ofNullable(status), limit, after);
  }

  @Override
  String command() {
    return "definition list" + (status == null ? "" : " --status " + status);
  }

  @Override
  String member() {
    return "definitions";
  }

  @Override
  JsonObject item(WorkflowDefinition definition) {
    return DefinitionJson.summary(definition);
  }

  @Override
  Table table() {
    return new Table(
        "NAME", ">VERSION", "STATUS", ">SIZE", "TYPE", ">POLICIES", "CREATED (UTC)", "CHECKSUM");
  }

  @Override
  void row(Table table, WorkflowDefinition definition) {
    table.row(
        definition.name(),
        definition.definitionVersion(),
        definition.status(),
        definition.body().map(body -> Human.size(body.length())).orElse(Human.NOTHING),
        definition.body().map(body -> body.contentType()).orElse(Human.NOTHING),
        definition.policies().size(),
        Human.time(definition.header().createdAt()),
        Human.shortened(definition.checksum(), 16));
  }

  @Override
  String nothing() {
    String what = status == null ? "no definitions" : "no definitions that are " + status;
    return "%s of tenant '%s' in %s; to add one: %s"
        .formatted(what, tenant(), storeName(), again("definition add FILE --name NAME"));
  }
}
