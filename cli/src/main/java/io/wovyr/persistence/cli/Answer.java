/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;

/** What a command found, in both forms. */
interface Answer {
  /** For a person. */
  void text(PrintStream out);

  /** For a program: members may be added later, none goes or changes its meaning. */
  JsonObject json();
}
