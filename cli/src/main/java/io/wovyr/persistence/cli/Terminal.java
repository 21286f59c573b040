/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.Console;
import java.util.Optional;

/** The terminal a person sits at. */
final class Terminal {
  private Terminal() {}

  /** The terminal, or none where input or output is redirected. */
  @SuppressWarnings("SystemConsoleNull") // Newer Java is asked, too, whether it is a terminal.
  static Optional<Console> get() {
    return Optional.ofNullable(System.console()).filter(Terminal::isTerminal);
  }

  /** From Java 22 on there is a console without a terminal, which then says so. */
  private static boolean isTerminal(Console console) {
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the console does not say whether it is a terminal", e);
    }
  }
}
