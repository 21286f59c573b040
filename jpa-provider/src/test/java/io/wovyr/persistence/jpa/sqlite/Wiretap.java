/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

/** Stands between the store and the driver: sees every statement, and may let one fail. */
final class Wiretap implements SqliteConnection.Source {
  private final Tap tap;

  Wiretap(Tap tap) {
    this.tap = tap;
  }

  /** What is done with a statement. */
  interface Tap {
    /** Before a statement of this text runs; what it throws is what the store sees instead. */
    void running(String sql) throws SQLException;

    /** After it ran. */
    default void ran(String sql) throws SQLException {}
  }

  private interface Call {
    Object run() throws InvocationTargetException, IllegalAccessException;
  }

  private static Object unwrapped(Call call) throws Throwable {
    try {
      return call.run();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public Connection open(Path path, SQLiteConfig config) throws SQLException {
    Connection real = SqliteConnection.Source.DRIVER.open(path, config);
    return (Connection)
        Proxy.newProxyInstance(
            Wiretap.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object answer = unwrapped(() -> method.invoke(real, arguments));
              return answer instanceof PreparedStatement statement
                  ? tapped(statement, (String) arguments[0])
                  : answer;
            });
  }

  private PreparedStatement tapped(PreparedStatement real, String sql) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            Wiretap.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              boolean runs = method.getName().startsWith("execute");
              if (runs) {
                tap.running(sql);
              }
              Object answer = unwrapped(() -> method.invoke(real, arguments));
              if (runs) {
                tap.ran(sql);
              }
              return answer;
            });
  }
}
