/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "feed",
    description = "The feed: every event of the store, in order per execution.",
    subcommands = {FeedStatusCommand.class, FeedTailCommand.class})
final class FeedCommand extends CommandGroup {}
