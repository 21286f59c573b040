/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands share: the console, the settings, the way to the store and to the output. */
abstract class StoreCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  private @Nullable Settings settings;

  /** Does the work. */
  abstract ExitCode run();

  @Override
  public final Integer call() {
    Logging.configure(console().error(), options().verbose());
    return exitCode();
  }

  /** What the shell sees. */
  int exitCode() {
    return run().number();
  }

  private WovyrCommand root() {
    return (WovyrCommand) spec().root().userObject();
  }

  final CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("the command was not made by picocli");
    }
    return spec;
  }

  final Console console() {
    return root().console();
  }

  final GlobalOptions options() {
    return root().options();
  }

  final boolean json() {
    return options().format() == GlobalOptions.Format.json;
  }

  final PrintStream out() {
    return console().out();
  }

  /** Prints the answer in the form asked for. */
  final ExitCode answer(Answer answer) {
    if (json()) {
      Json.print(out(), answer.json());
    } else {
      answer.text(out());
    }
    return ExitCode.OK;
  }

  /** The settings, read once. */
  final Settings settings() {
    if (settings == null) {
      Settings read = Settings.read(options().settings(), console());
      settings = read.orElse(Settings.PROVIDER, GlobalOptions.DEFAULT_PROVIDER);
      if (GlobalOptions.DEFAULT_PROVIDER.equals(settings.get(Settings.PROVIDER, ""))) {
        settings =
            settings
                .orElse(Settings.PATH, GlobalOptions.DEFAULT_STORE)
                .orElse(Settings.HIBERNATE_START, "on-demand");
      }
    }
    return settings;
  }

  /** The provider chosen. */
  final StorageProvider provider() {
    return Providers.named(settings().get(Settings.PROVIDER, ""));
  }

  /** Which store, for people. */
  final String storeName() {
    String path = settings().get(Settings.PATH, "");
    String provider = settings().get(Settings.PROVIDER, "");
    return path.isEmpty() ? provider : provider + " " + path;
  }

  /** A command line for the same store and tenant, to be shown to a person. */
  final String again(String command) {
    return options().again(command);
  }

  final String tenant() {
    return settings().get(Settings.TENANT, GlobalOptions.DEFAULT_TENANT);
  }

  final Persistence open() {
    return WovyrPersistence.builder().provider(provider()).settings(settings().library()).build();
  }

  /** What the tenant's reader sees. */
  final Repositories repositories(Persistence persistence) {
    return repositories(persistence, tenant());
  }

  static Repositories repositories(Persistence persistence, String tenant) {
    return persistence.as(Caller.of(tenant, "wovyr command", Role.READER));
  }
}
