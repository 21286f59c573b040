/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** What concerns keys. */
@Command(
    name = "keys",
    description = "Keys: a new keystore, which data keys there are, and whether they open.",
    subcommands = {KeysListCommand.class, KeysCheckCommand.class, KeysCreateCommand.class})
final class KeysCommand extends CommandGroup {}
