/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "activity",
    description = "Activities of executions.",
    subcommands = {ActivityListCommand.class})
final class ActivityCommand extends CommandGroup {}
