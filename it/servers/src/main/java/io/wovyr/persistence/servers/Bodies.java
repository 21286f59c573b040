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
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Work that goes on when its application is undeployed; leases are for much longer. */
@ApplicationScoped
public class Bodies {
  private static final Duration TTL = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofSeconds(2);

  @Inject Persistence persistence;

  @SuppressWarnings("NullAway.Init") // Set by open().
  private Repositories orders;

  @SuppressWarnings("NullAway.Init") // Set by open().
  private LeaseKeeper keeper;

  @PostConstruct
  void open() {
    orders = persistence.as(Caller.of("bodies", "bodies", Role.READER, Role.WRITER));
    keeper = orders.leases().keeper(Duration.ofSeconds(1));
  }

  /** A body that ends by itself after a while; its last step is an event. */
  UUID shortOne() {
    Lease lease = lease();
    LeaseKeeper.Kept kept = keeper.keep(lease, () -> {});
    new Thread(
            () -> {
              LockSupport.parkNanos(SHORT.toNanos());
              orders
                  .events()
                  .append(lease.executionId(), Append.next(lease), NewEvent.of("Finished"))
                  .orThrow();
              kept.close();
              orders.leases().release(lease, Wake.onSignal());
            },
            "short-body")
        .start();
    return lease.executionId();
  }

  /** A body that ends when it is told to. */
  UUID endlessOne() {
    Lease lease = lease();
    Thread body = new Thread(Bodies::waitForTheEnd, "endless-body");
    body.setDaemon(true);
    body.start();
    keeper.keep(lease, body::interrupt);
    return lease.executionId();
  }

  private static void waitForTheEnd() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
  }

  private Lease lease() {
    UUID id = UUID.randomUUID();
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    return ((Acquired) orders.leases().acquire(id, "body", TTL)).lease();
  }
}
