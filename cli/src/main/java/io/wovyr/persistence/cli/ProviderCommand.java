/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "provider",
    description = "Storage providers: which there are, and how the store is.",
    subcommands = {ProviderListCommand.class, ProviderCheckCommand.class})
final class ProviderCommand extends CommandGroup {}
