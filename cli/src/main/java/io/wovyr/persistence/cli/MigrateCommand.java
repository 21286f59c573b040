/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "migrate",
    description = "The store's schema: where it stands, and bringing it up to date.",
    subcommands = {MigrateStatusCommand.class, MigrateUpCommand.class})
final class MigrateCommand extends CommandGroup {}
