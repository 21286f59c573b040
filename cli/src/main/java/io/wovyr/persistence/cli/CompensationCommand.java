/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "compensation",
    description = "Rollbacks: what is undone, and what is left of it.",
    subcommands = {
      CompensationListCommand.class,
      CompensationShowCommand.class,
      CompensationResumeCommand.class
    })
final class CompensationCommand extends CommandGroup {}
