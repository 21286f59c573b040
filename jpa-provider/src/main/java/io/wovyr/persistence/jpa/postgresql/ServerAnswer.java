/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * What the server itself said when a statement failed. In a container the driver may be the
 * container's own copy, whose classes are not ours: then it is asked by their names. Immutable.
 *
 * @param severity such as {@code ERROR} or {@code FATAL}
 * @param message in the server's words
 */
record ServerAnswer(String severity, String message) {
  /** Empty when the failure is not an answer of the server. */
  static Optional<ServerAnswer> of(SQLException e) {
    if (e instanceof PSQLException answered) {
      return Optional.ofNullable(answered.getServerErrorMessage())
          .map(
              said ->
                  new ServerAnswer(
                      String.valueOf(said.getSeverity()), String.valueOf(said.getMessage())));
    }
    return isOfDriver(e) ? ofOtherCopy(e) : Optional.empty();
  }

  /** Whether the driver made it, be it our copy or another. */
  static boolean isOfDriver(SQLException e) {
    return e.getClass().getName().equals(PSQLException.class.getName());
  }

  private static Optional<ServerAnswer> ofOtherCopy(SQLException e) {
    try {
      Object said = call(e, "getServerErrorMessage");
      return said == null
          ? Optional.empty()
          : Optional.of(
              new ServerAnswer(
                  String.valueOf(call(said, "getSeverity")),
                  String.valueOf(call(said, "getMessage"))));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
      return Optional.empty();
    }
  }

  private static @Nullable Object call(Object target, String method)
      throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
    return target.getClass().getMethod(method).invoke(target);
  }
}
