/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.EffectivePolicy;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.payload.Payload;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one version of a definition. */
@Command(
    name = "show",
    description = "Shows a version of a definition, by default the newest in use.")
final class DefinitionShowCommand extends StoreCommand {
  @Parameters(paramLabel = "NAME[@VERSION]", description = "Which one.")
  private String name = "";

  @Option(
      names = "--body",
      description = "Its body instead, byte by byte; in JSON beside the rest.")
  private boolean body;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Repositories repositories = repositories(persistence);
      WorkflowDefinition found =
          DefinitionLookup.find(repositories, DefinitionName.of(name), again("definition list"));
      Optional<Payload> opened =
          body ? Optional.of(repositories.definitions().body(found)) : Optional.empty();
      if (opened.isPresent() && !json()) {
        return body(opened.get());
      }
      return answer(new View(found, opened, policies(repositories, found)));
    }
  }

  /** What holds; a definition whose policies a newer version gave is shown all the same. */
  private static Policies policies(Repositories repositories, WorkflowDefinition found) {
    try {
      return new Policies(repositories.definitions().policies(found), Optional.empty());
    } catch (UnsupportedVersion e) {
      return new Policies(List.of(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** The policies that hold, or why it is not known here. */
  private record Policies(List<EffectivePolicy> effective, Optional<String> unknown) {
    static String source(EffectivePolicy policy) {
      return policy.source().name().toLowerCase(Locale.ROOT);
    }

    void print(PrintStream out) {
      if (unknown.isEmpty()) {
        Table table = new Table("POLICY", "FROM", "VALUE");
        effective.forEach(
            policy -> table.row(policy.policy().policyName(), source(policy), policy.value()));
        table.print(out);
      }
    }

    Optional<List<JsonObject>> json() {
      return unknown.isPresent()
          ? Optional.empty()
          : Optional.of(effective.stream().map(Policies::json).toList());
    }

    private static JsonObject json(EffectivePolicy policy) {
      return new JsonObject()
          .put("policy", policy.policy().policyName())
          .put("value", policy.value())
          .put("from", source(policy));
    }
  }

  /** A terminal shows no bytes that could steer it. */
  private ExitCode body(Payload opened) {
    if (console().isTerminal()) {
      opened.content().utf8().lines().map(Human::oneLine).forEach(out()::println);
    } else {
      byte[] bytes = opened.content().toByteArray();
      out().write(bytes, 0, bytes.length);
    }
    return ExitCode.OK;
  }

  private final class View implements Answer {
    private final WorkflowDefinition definition;
    private final Optional<Payload> opened;
    private final Policies policies;

    View(WorkflowDefinition definition, Optional<Payload> opened, Policies policies) {
      this.definition = definition;
      this.opened = opened;
      this.policies = policies;
    }

    @Override
    public void text(PrintStream out) {
      Fields fields = new Fields();
      fields
          .add("definition", definition.name())
          .add("version", definition.definitionVersion())
          .add("status", definition.status())
          .add(
              "body",
              definition
                  .body()
                  .map(stored -> stored.contentType() + ", " + Human.size(stored.length()))
                  .orElse(Human.NOTHING))
          .add("checksum", definition.checksum())
          .add("created", Human.time(definition.header().createdAt()) + " UTC")
          .add(
              "changed",
              Human.time(definition.header().updatedAt())
                  + " UTC by "
                  + definition.header().updatedBy())
          .addIf("archived", definition.archivedAt().map(at -> Human.time(at) + " UTC"))
          .add("policies", "version " + definition.policyVersion())
          .addIf("not known here", policies.unknown());
      fields.print(out);
      policies.print(out);
      String which = definition.name() + "@" + definition.definitionVersion();
      out.println("its body: " + again("definition show " + ShellWord.of(which) + " --body"));
    }

    @Override
    public JsonObject json() {
      return DefinitionJson.summary(definition)
          .put("updatedAt", definition.header().updatedAt())
          .put("updatedBy", definition.header().updatedBy())
          .put("effectivePolicies", policies.json())
          .put(
              "body",
              definition
                  .body()
                  .map(stored -> PayloadView.of(stored, opened.orElse(null)))
                  .map(PayloadView::json));
    }
  }
}
