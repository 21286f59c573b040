/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.internal;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.function.Supplier;

/** What stored attributes come to: no caller gave them, so none is told of bad input. Stateless. */
public final class StoredValues {
  private StoredValues() {}

  /**
   * The typed value of stored attributes.
   *
   * @param what it is and of which record, for the message
   * @throws UnsupportedVersion when this version does not allow it: what stored it did
   */
  public static <T> T typed(String what, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidInput | DateTimeException e) {
      throw new UnsupportedVersion(what + " is not known here: " + e.getMessage());
    }
  }

  /** A stored delay as it may be waited for: a longer one comes to a hundred years. */
  public static Duration atMostACentury(Duration stored) {
    return stored.compareTo(Inputs.LONGEST) > 0 ? Inputs.LONGEST : stored;
  }
}
