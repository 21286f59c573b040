/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;

/** Writes something into the store, reads it, and says which store that was. */
@WebServlet("/store")
public class StoreServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject private transient Persistence persistence;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    UUID id = UUID.randomUUID();
    Repositories orders = persistence.as(Caller.of("acme", "tester", Role.READER, Role.WRITER));
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    boolean there = orders.executions().find(id).isPresent();
    response.getWriter().print(persistence.provider() + " " + there);
  }
}
