/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;

/** See the commands it groups. */
@Command(
    name = "backup",
    description = {
      "Backups of a store that has no tool of its own for them (RocksDB), in a directory:",
      "made, listed, verified and restored. Keystores are kept elsewhere, on purpose."
    },
    subcommands = {
      BackupCreateCommand.class,
      BackupListCommand.class,
      BackupVerifyCommand.class,
      BackupRestoreCommand.class,
      BackupBeginEpochCommand.class
    })
final class BackupCommand extends CommandGroup {}
