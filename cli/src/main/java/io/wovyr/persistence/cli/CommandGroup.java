/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups others: without one of them it is wrong usage. */
abstract class CommandGroup implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public final void run() {
    if (spec == null) {
      throw new IllegalStateException("the command was not made by picocli");
    }
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: "
            + String.join(", ", spec.subcommands().keySet().stream().sorted().toList()));
  }
}
