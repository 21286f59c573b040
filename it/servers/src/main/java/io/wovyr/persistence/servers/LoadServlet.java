/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.PersistenceException;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/** An application under load, by HTTP. What the store refuses is answered 503. */
@WebServlet("/load")
public class LoadServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject private transient Charges charges;
  @Inject private transient Work work;
  @Inject private transient Bodies bodies;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("ready");
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      response.getWriter().print(answer(request));
    } catch (PersistenceException e) {
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, e.toString());
    }
  }

  private String answer(HttpServletRequest request) {
    return switch (request.getParameter("do")) {
      case "create" ->
          String.join(" ", work.create(request.getParameter("tenant"), number(request, "count")));
      case "charge" -> {
        UUID execution = UUID.fromString(request.getParameter("execution"));
        yield charges.charge(
            charges.lease(execution), UUID.fromString(request.getParameter("token")));
      }
      case "work" ->
          work.share(number(request, "threads"), Duration.ofSeconds(number(request, "seconds")));
      case "hold" -> String.join(" ", bodies.shortOne().toString(), bodies.endlessOne().toString());
      default -> throw new IllegalArgumentException("do what?");
    };
  }

  private static int number(HttpServletRequest request, String name) {
    return Integer.parseInt(request.getParameter(name));
  }
}
