/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import com.github.luben.zstd.Zstd;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.payload.Payload;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.eclipse.microprofile.config.Config;

/**
 * Uses everything that a redeployment could leave behind: both stores, with their threads and
 * Hibernate, and both native libraries. Answers with the number of bytes that came back.
 */
@WebServlet("/native")
public class NativeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject private transient Persistence postgresql;
  @Inject private transient Config config;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Watched.add(NativeServlet.class.getClassLoader(), WovyrPersistence.class.getClassLoader());
    byte[] text = "again and again ".repeat(1000).getBytes(StandardCharsets.UTF_8);
    byte[] back = Zstd.decompress(Zstd.compress(text), text.length);
    create(postgresql);
    // Made outside of the server: whoever migrates inside leaves Liquibase in the thread that did.
    Path file =
        Path.of(config.getValue("wovyr.sealing.keystore.path", String.class))
            .resolveSibling("orders.db");
    try (Persistence sqlite =
        WovyrPersistence.builder()
            .provider(new SqliteStorageProvider())
            .setting("wovyr.storage.path", file.toString())
            .build()) {
      create(sqlite);
    }
    response.getWriter().print(back.length);
  }

  /** A compressed, sealed input; the lifecycle wakes Hibernate. */
  private static void create(Persistence persistence) {
    persistence
        .as(Caller.of("acme", "redeployer", Role.READER, Role.WRITER))
        .executions()
        .create(
            NewExecution.of(DefinitionRef.of("order", 1))
                .withId(UUID.randomUUID())
                .withInput(Payload.text("again and again ".repeat(1000))))
        .orThrow();
  }
}
