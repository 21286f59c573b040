/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command without anything after it: its options and what it can do. */
@Command(
    name = "wovyr",
    description = "Looks into and looks after a Wovyr Persistence store.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    scope = picocli.CommandLine.ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ExecutionCommand.class,
      LeaseCommand.class,
      ScheduleCommand.class,
      DefinitionCommand.class,
      ActivityCommand.class,
      RetryCommand.class,
      CompensationCommand.class,
      SecretCommand.class,
      QuarantineCommand.class,
      FeedCommand.class,
      ProviderCommand.class,
      MigrateCommand.class,
      BackupCommand.class,
      SweepCommand.class,
      KeysCommand.class,
      BenchCommand.class,
      CompletionCommand.class
    },
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0  ok",
      "  1  a proof or an operation failed",
      "  2  wrong usage, or a wrong setting",
      "  3  the store cannot be used, or is not migrated",
      "  4  written by a newer version",
      "  5  not found",
      "  6  stored data is damaged",
      "  7  purged",
      "  8  not allowed",
      " 70  a defect of wovyr",
      "130  interrupted (demo)"
    })
final class WovyrCommand implements Runnable {
  private final Console console;

  @Mixin private GlobalOptions options = new GlobalOptions();
  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  WovyrCommand(Console console) {
    this.console = console;
  }

  Console console() {
    return console;
  }

  GlobalOptions options() {
    return options;
  }

  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().usage(console.out());
    }
  }
}
