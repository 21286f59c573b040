/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import java.util.logging.Level;
import liquibase.logging.Logger;
import liquibase.logging.core.AbstractLogService;
import liquibase.logging.core.AbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Liquibase's own log, to SLF4J and one level down: what it tells is for who looks into a
 * migration, and what goes wrong is thrown. Thread-safe.
 */
final class LiquibaseLog extends AbstractLogService {
  @Override
  public int getPriority() {
    return PRIORITY_NOT_APPLICABLE;
  }

  @Override
  public Logger getLog(@SuppressWarnings("rawtypes") Class source) {
    return new Quiet(LoggerFactory.getLogger(source));
  }

  private static final class Quiet extends AbstractLogger {
    /** Of a lock that means nothing here, after a failure that is thrown. */
    private static final String UNTOLD = "Could not release lock";

    private final org.slf4j.Logger logger;

    Quiet(org.slf4j.Logger logger) {
      this.logger = logger;
    }

    @Override
    public void close() {}

    @Override
    public void log(Level level, @Nullable String message, @Nullable Throwable e) {
      if (level.equals(Level.OFF)) {
        return;
      }
      if (level.intValue() >= Level.SEVERE.intValue() && !UNTOLD.equals(message)) {
        logger.warn(message, e);
      } else if (level.intValue() > Level.CONFIG.intValue()) {
        logger.debug(message, e);
      } else {
        logger.trace(message, e);
      }
    }
  }
}
