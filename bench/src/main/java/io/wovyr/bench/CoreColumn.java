/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** The whole layer: an append under a lease, and reading events, through the repositories. */
final class CoreColumn implements Column {
  private static final Payload PAYLOAD = Payload.of("application/cbor", new byte[200]);
  private static final int PAGE = 1_000;

  private final Persistence persistence;
  private final Repositories repositories;

  CoreColumn(Path file) {
    persistence =
        WovyrPersistence.builder()
            .provider(new SqliteStorageProvider())
            .setting("wovyr.storage.path", file.toString())
            .build();
    repositories = persistence.as(Caller.of("bench", "bench", Role.WRITER));
  }

  @Override
  public String name() {
    return "Events.append / read";
  }

  @Override
  public Execution create(UUID id) {
    NewExecution execution = NewExecution.of(DefinitionRef.of("bench", 1)).withId(id);
    CommitResult created = repositories.executions().create(execution);
    created.orThrow();
    AcquireResult acquired = repositories.leases().acquire(id, "worker", Duration.ofMinutes(10));
    if (acquired instanceof AcquireResult.Acquired lease) {
      return new CoreExecution(id, lease.lease());
    }
    throw new IllegalStateException("nobody else takes this execution: " + acquired);
  }

  private final class CoreExecution implements Execution {
    private final UUID id;
    private final Lease lease;

    CoreExecution(UUID id, Lease lease) {
      this.id = id;
      this.lease = lease;
    }

    @Override
    public void step() {
      NewEvent event =
          NewEvent.of("StepDone")
              .withCorrelationId(id)
              .withCausationId(UUID.randomUUID())
              .withPayload(PAYLOAD)
              .putPayload(Section.VARIABLES, "step");
      repositories.events().append(id, Append.next(lease), event).orThrow();
    }

    @Override
    public long load() {
      long bytes = 0;
      long from = 1;
      Page<WorkflowEvent> page;
      do {
        page = repositories.events().read(id, from, PAGE);
        for (WorkflowEvent event : page.items()) {
          bytes += event.payload().map(StoredPayload::length).orElse(0L);
          from = event.sequence() + 1;
        }
      } while (page.next().isPresent());
      return bytes;
    }
  }

  @Override
  public void close() {
    persistence.close();
  }
}
