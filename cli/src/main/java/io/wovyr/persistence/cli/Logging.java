/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the libraries log: warnings on one line of standard error each, said once, and with {@code
 * --verbose} all from INFO on. Stateless.
 */
final class Logging {
  /** Says that a store is not sealed; most commands store nothing, the others look themselves. */
  private static final Logger SEALING =
      Logger.getLogger("io.wovyr.encryption.EnvelopeSealingFactory");

  private Logging() {}

  /** Sends everything logged from now on to {@code error}. */
  static void configure(PrintStream error, boolean verbose) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(verbose ? Level.INFO : Level.WARNING);
    root.addHandler(new Lines(error, verbose));
    SEALING.setLevel(verbose ? Level.INFO : Level.SEVERE);
  }

  private static final class Lines extends Handler {
    private final PrintStream error;
    private final boolean verbose;
    private final Formatter messages = new MessageOnly();
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    Lines(PrintStream error, boolean verbose) {
      this.error = error;
      this.verbose = verbose;
    }

    @Override
    public void publish(LogRecord entry) {
      if (!isLoggable(entry)) {
        return;
      }
      String name = verbose ? " " + entry.getLoggerName() : "";
      String level = entry.getLevel().getName().toLowerCase(Locale.ROOT);
      String line = level + name + ": " + Human.oneLine(messages.format(entry));
      if (!verbose && !said.add(line)) {
        return;
      }
      error.println(line);
      if (verbose && entry.getThrown() != null) {
        entry.getThrown().printStackTrace(error);
      }
    }

    @Override
    public void flush() {
      error.flush();
    }

    @Override
    public void close() {
      flush();
    }
  }

  private static final class MessageOnly extends Formatter {
    @Override
    public String format(LogRecord entry) {
      return formatMessage(entry);
    }
  }
}
