/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "secret",
    description = "Secrets: store them, see which there are; never their values.",
    subcommands = {SecretPutCommand.class, SecretListCommand.class})
final class SecretCommand extends CommandGroup {}
