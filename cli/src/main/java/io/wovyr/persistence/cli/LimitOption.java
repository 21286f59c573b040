/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many items are shown at most. Filled in by picocli. */
final class LimitOption {
  private static final int MOST = 100_000;
  private static final int DEFAULT = 50;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  private int limit = DEFAULT;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "" + DEFAULT,
      description = "At most so many, 1 to 100,000; default ${DEFAULT-VALUE}.")
  void setLimit(int value) {
    if (value < 1 || value > MOST) {
      String message = "--limit must be 1 to 100,000, not " + value;
      throw spec == null
          ? new IllegalStateException(message)
          : new ParameterException(spec.commandLine(), message);
    }
    limit = value;
  }

  int value() {
    return limit;
  }

  /** To be repeated in a command line; nothing for the default. */
  String again() {
    return limit == DEFAULT ? "" : " --limit " + limit;
  }
}
