/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection for somebody who may run statements in a transaction, but neither end it nor close
 * the connection: asking for that does nothing.
 */
public final class BorrowedConnection implements InvocationHandler {
  private static final Set<String> NOT_FOR_BORROWERS =
      Set.of("commit", "rollback", "setAutoCommit", "close");

  private final Connection connection;

  private BorrowedConnection(Connection connection) {
    this.connection = connection;
  }

  /** The connection, lent. */
  public static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            BorrowedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new BorrowedConnection(connection));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    if (NOT_FOR_BORROWERS.contains(method.getName())) {
      return null;
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
