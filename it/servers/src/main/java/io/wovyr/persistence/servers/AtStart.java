/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;

/** An application without requests: it creates an execution when it starts. */
@ApplicationScoped
public class AtStart {
  static final String TENANT = "at-start";

  @Inject Persistence persistence;

  void create(@Observes Startup started) {
    persistence
        .as(Caller.of(TENANT, "starter", Role.WRITER))
        .executions()
        .create(NewExecution.of(DefinitionRef.of("order", 1)))
        .orThrow();
  }
}
