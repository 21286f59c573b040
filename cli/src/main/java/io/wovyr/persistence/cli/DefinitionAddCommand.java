/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.payload.Payload;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a version of a definition. */
@Command(
    name = "add",
    description = {
      "Stores a version of a definition: this one, or the next. The same body at the same",
      "version again changes nothing."
    })
final class DefinitionAddCommand extends StoreCommand implements Changing {
  @Parameters(paramLabel = "FILE", description = "Its body, of any content type.")
  private String file = "";

  @Option(
      names = "--name",
      paramLabel = "NAME[@VERSION]",
      required = true,
      description = "Its name, and its version; by default one more than there is.")
  private String name = "";

  @Option(
      names = "--content-type",
      paramLabel = "TYPE",
      description = "Of the body; default: by the ending of the file's name.")
  private @Nullable String contentType;

  @Option(
      names = "--checksum",
      paramLabel = "SHA256",
      description = "Refuse the body if it does not have this checksum.")
  private @Nullable String checksum;

  @Option(names = "--draft", description = "Not to be used yet; its body may still change.")
  private boolean draft;

  @Option(
      names = "--policy",
      paramLabel = "KEY=VALUE",
      description = "A policy, such as retention.keep-latest=5. Repeatable.")
  private List<String> policies = new ArrayList<>();

  @Override
  ExitCode run() {
    NewDefinition definition = definition();
    try (Persistence persistence = open()) {
      CommitResult result =
          RoleCaller.as(Role.ADMIN, persistence, tenant()).definitions().add(definition);
      if (result instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS)) {
        throw taken();
      }
      Applied committed = result.orThrow();
      WorkflowDefinition stored = committed.records(WorkflowDefinition.class).get(0);
      boolean others =
          !policies.isEmpty() && !stored.policies().equals(definition.policies().entries());
      return answer(new Added(stored, others));
    }
  }

  private NewDefinition definition() {
    Payload body = InputFile.read(console().directory(), file, contentType);
    DefinitionName wanted = DefinitionName.of(name);
    NewDefinition definition =
        NewDefinition.of(wanted.name(), body).withPolicies(DefinitionPolicies.of(policies()));
    if (wanted.version().isPresent()) {
      definition = definition.withVersion(wanted.version().get());
    }
    if (checksum != null) {
      definition = definition.withChecksum(withAlgorithm(checksum));
    }
    return draft ? definition.asDraft() : definition;
  }

  private Map<String, String> policies() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String policy : policies) {
      int end = policy.indexOf('=');
      if (end < 1) {
        throw new InvalidInput(
            "--policy takes KEY=VALUE, such as retention.keep-latest=5, not '" + policy + "'");
      }
      if (values.put(policy.substring(0, end), policy.substring(end + 1)) != null) {
        throw new InvalidInput(
            "--policy says %s twice: say it once".formatted(policy.substring(0, end)));
      }
    }
    return values;
  }

  private static String withAlgorithm(String checksum) {
    String lower = checksum.toLowerCase(Locale.ROOT);
    return lower.contains(":") ? lower : "sha-256:" + lower;
  }

  private CommandFailure taken() {
    return new CommandFailure(
        ExitCode.FAILED,
        "definition %s is there already, with another body: name no version to add the next, or see %s"
            .formatted(name, again("definition show " + ShellWord.of(name))));
  }

  private final class Added implements Answer {
    private final WorkflowDefinition definition;
    private final boolean othersGiven;

    /**
     * @param othersGiven it was there before, and keeps policies that are not those given now
     */
    Added(WorkflowDefinition definition, boolean othersGiven) {
      this.definition = definition;
      this.othersGiven = othersGiven;
    }

    @Override
    public void text(PrintStream out) {
      String which = definition.name() + "@" + definition.definitionVersion();
      out.println(
          "definition %s is stored: %s, %s"
              .formatted(Human.oneLine(which), definition.status(), definition.checksum()));
      if (othersGiven) {
        out.println("it was there before and keeps its policies: those given now are not stored");
      }
      out.println("see it: " + again("definition show " + ShellWord.of(which)));
    }

    @Override
    public JsonObject json() {
      return DefinitionJson.summary(definition);
    }
  }
}
