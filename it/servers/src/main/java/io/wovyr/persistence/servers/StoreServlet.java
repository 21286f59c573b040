/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import io.wovyr.persistence.state.WorkflowState.Leaf;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Writes something into the store, reads it, and says which store that was, and by which key it was
 * sealed, and what wrapped the tenant's keys: {@code postgresql true [key] [wrapping key]}.
 */
@WebServlet("/store")
public class StoreServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String TENANT = "acme";

  @Inject private transient Persistence persistence;
  @Inject private transient DataKeyStore dataKeys;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    UUID id = UUID.randomUUID();
    Repositories orders = persistence.as(Caller.of(TENANT, "tester", Role.READER, Role.WRITER));
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    Payload note = Payload.text("a note");
    orders
        .events()
        .append(
            id, Append.signal("noted"), NewEvent.of("Noted").put(Section.VARIABLES, "note", note))
        .orThrow();
    Leaf leaf = orders.executions().state(id).get(Section.VARIABLES, "note").orElseThrow();
    boolean there = orders.open(leaf).equals(note);
    String key = leaf.payload().keyId().orElse("");
    String store = persistence.provider() + " " + there + " [" + key + "]";
    response.getWriter().print(store + " " + wrappingKeys());
  }

  private SortedSet<String> wrappingKeys() {
    return dataKeys.list(TENANT).stream()
        .map(WrappedDataKey::wrappingKeyId)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
