/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import java.sql.SQLException;

/**
 * What is wrong with a server or role, on its way through the pool, which knows SQL errors only.
 */
final class SetupFailure extends SQLException {
  private static final long serialVersionUID = 1L;
  private final PersistenceException failure;

  SetupFailure(PersistenceException failure) {
    super(failure.getMessage(), failure);
    this.failure = failure;
  }

  /** What the server's answer to a statement turned out to mean. */
  SetupFailure(PersistenceException failure, SQLException answer) {
    super(failure.getMessage(), answer.getSQLState(), answer);
    this.failure = failure;
  }

  PersistenceException failure() {
    return failure;
  }
}
