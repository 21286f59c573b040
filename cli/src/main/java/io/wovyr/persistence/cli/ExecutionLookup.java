/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the execution a person named. Stateless. */
final class ExecutionLookup {
  private static final Pattern ID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private ExecutionLookup() {}

  /**
   * @param name an id, or the workflow id of a live execution
   * @param list the command that shows what is there
   */
  static WorkflowExecution find(Repositories repositories, String name, String list) {
    boolean isId = ID.matcher(name).matches();
    Optional<WorkflowExecution> found =
        isId
            ? repositories.executions().find(UUID.fromString(name))
            : repositories.executions().findLive(name);
    return found.orElseThrow(() -> notFound(repositories, name, isId, list));
  }

  private static CommandFailure notFound(
      Repositories repositories, String name, boolean isId, String list) {
    String what =
        isId
            ? "there is no execution " + name
            : "there is no live execution with the workflow id '" + name + "'";
    String tenant = " of tenant '" + repositories.caller().tenant() + "'";
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        isId
            ? what + tenant + ": see " + list
            : what
                + tenant
                + "; those that have ended as well: "
                + list.replaceFirst(
                    "execution list",
                    Matcher.quoteReplacement(
                        "execution list --workflow-id " + ShellWord.of(name))));
  }
}
