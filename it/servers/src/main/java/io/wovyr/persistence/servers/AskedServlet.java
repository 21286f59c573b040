/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.Repositories;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Says on whose behalf a request is, and uses the injected repositories on it: {@code tenant actor
 * [roles]}, and with {@code ?text=} what was written and read again.
 */
@WebServlet("/asked")
public class AskedServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject private transient Repositories repositories;
  @Inject private transient EveryRepository every;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      response.getWriter().print(String.join("\n", answer(request.getParameter("text"))));
    } catch (AccessDenied e) {
      response.setStatus(HttpServletResponse.SC_FORBIDDEN);
      response.getWriter().print(e.getMessage());
    }
  }

  private List<String> answer(@Nullable String text) {
    if (text != null) {
      return every.writeAndReadAll(text);
    }
    Caller caller = repositories.caller();
    return List.of(
        caller.tenant().value() + " " + caller.actor() + " " + new TreeSet<>(caller.roles()));
  }
}
