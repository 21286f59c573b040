/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "execution",
    description = "Executions: list them, follow one, see its events and its state.",
    subcommands = {
      ExecutionListCommand.class,
      ExecutionShowCommand.class,
      ExecutionEventsCommand.class,
      ExecutionTailCommand.class,
      ExecutionStateCommand.class
    })
final class ExecutionCommand extends CommandGroup {}
