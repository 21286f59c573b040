/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import picocli.CommandLine.Parameters;

/** Names one execution. Filled in by picocli. */
final class ExecutionParameter {
  @Parameters(
      paramLabel = "EXECUTION",
      description = "Id of the execution, or the workflow id while it is live.")
  private String name = "";

  String name() {
    return name;
  }
}
