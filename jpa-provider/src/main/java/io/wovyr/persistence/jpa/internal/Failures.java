/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import java.sql.SQLException;

/** What a database's errors mean, told by code and never by text. Thread-safe. */
public interface Failures {
  /** A key or unique entry is taken. */
  boolean taken(SQLException e);
}
