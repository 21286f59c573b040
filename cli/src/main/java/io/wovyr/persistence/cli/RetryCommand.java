/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "retry",
    description = "Retries of activities: see them, make one due.",
    subcommands = {RetryListCommand.class, RetryShowCommand.class, RetryNowCommand.class})
final class RetryCommand extends CommandGroup {}
