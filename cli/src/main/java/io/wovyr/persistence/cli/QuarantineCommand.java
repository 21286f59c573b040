/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "quarantine",
    description = "Records that this version cannot read.",
    subcommands = {QuarantineListCommand.class, QuarantineShowCommand.class})
final class QuarantineCommand extends CommandGroup {}
