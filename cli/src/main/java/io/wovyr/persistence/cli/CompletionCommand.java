/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a completion script for a shell. */
@Command(
    name = "completion",
    description = {
      "Prints a completion script for a shell.",
      "To load it: source <(wovyr completion bash)"
    })
final class CompletionCommand extends StoreCommand {
  /** Shells there is a script for. */
  enum Shell {
    /** Bash 3.2 or newer; zsh after autoload bashcompinit. */
    bash
  }

  @Parameters(paramLabel = "SHELL", description = "bash")
  private Shell shell = Shell.bash;

  @Override
  ExitCode run() {
    String script =
        switch (shell) {
          case bash -> AutoComplete.bash("wovyr", spec().root().commandLine());
        };
    out().print(script);
    return ExitCode.OK;
  }
}
