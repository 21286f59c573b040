/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "definition",
    description = "Definitions of workflows: add, list, show, archive them.",
    subcommands = {
      DefinitionAddCommand.class,
      DefinitionListCommand.class,
      DefinitionShowCommand.class,
      DefinitionArchiveCommand.class
    })
final class DefinitionCommand extends CommandGroup {}
