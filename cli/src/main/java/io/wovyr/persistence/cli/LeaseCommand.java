/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "lease",
    description = "Leases: who works on what.",
    subcommands = LeaseListCommand.class)
final class LeaseCommand extends CommandGroup {}
