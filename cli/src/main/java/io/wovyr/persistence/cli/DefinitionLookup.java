/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.WorkflowDefinition;
import java.util.Optional;

/** Finds the definition a person named. Stateless. */
final class DefinitionLookup {
  private DefinitionLookup() {}

  /**
   * Of this version; without one the newest in use, or the newest of all.
   *
   * @param list the command that shows what is there
   */
  static WorkflowDefinition find(Repositories repositories, DefinitionName wanted, String list) {
    var definitions = repositories.definitions();
    Optional<WorkflowDefinition> found =
        wanted.version().isPresent()
            ? definitions.find(wanted.name(), wanted.version().get())
            : definitions
                .latest(wanted.name())
                .or(
                    () ->
                        definitions.versions(wanted.name(), 1, Optional.empty()).items().stream()
                            .findFirst());
    return found.orElseThrow(
        () ->
            new CommandFailure(
                ExitCode.NOT_FOUND,
                "there is no definition %s of tenant '%s': see %s"
                    .formatted(wanted, repositories.caller().tenant(), list)));
  }
}
