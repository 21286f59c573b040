/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult.Joined;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.postgresql.TestContainer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** A process that is killed with a JTA transaction open, or just ended. */
final class KilledInJta {
  private static final String READY = "reference ";

  private KilledInJta() {}

  static Process start(String url, UUID execution, String order, boolean commits)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            KilledInJta.class.getName(),
            url,
            execution.toString(),
            order,
            String.valueOf(commits))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** What to ask about, once the process has come to where it is to be killed. */
  static String awaitReference(Process process) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        return line.substring(READY.length());
      }
    }
    throw new AssertionError("the process ended by itself");
  }

  /** Applies a step beside a row of its own, ends the transaction or not, and waits. */
  public static void main(String[] arguments) throws Exception {
    TestContainer container = new TestContainer();
    Map<String, String> settings = container.settings(arguments[0], 4);
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.sealing.provider", "none");
    settings.forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    Persistence persistence = builder.build();
    Repositories orders = persistence.as(Caller.of("acme", "other", Role.READER, Role.OPERATOR));
    container.transactions().begin();
    try (Connection connection = container.bound(settings.get("datasource")).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO application_order VALUES ('" + arguments[2] + "')");
    }
    Joined joined =
        (Joined)
            orders
                .events()
                .append(
                    UUID.fromString(arguments[1]), Append.signal("killed"), NewEvent.of("Paid"));
    if (Boolean.parseBoolean(arguments[3])) {
      container.transactions().commit();
    }
    System.out.println(READY + joined.reference().token());
    Thread.currentThread().join();
  }
}
