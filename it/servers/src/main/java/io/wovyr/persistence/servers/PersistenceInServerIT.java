/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Timing;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An application in the EAR works with the store that the server's settings name. */
@ExtendWith(ArquillianExtension.class)
class PersistenceInServerIT {
  private static final Duration TTL = Duration.ofSeconds(30);

  @Inject Persistence persistence;
  @Inject Config config;

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.of(PersistenceInServerIT.class, StoreSql.class);
  }

  @Test
  void theSettingsOfTheServerSayWhichStore() {
    assertThat(persistence.provider()).isEqualTo("postgresql");
  }

  @Test
  void aWholeStepIsTakenAndReadAgain() {
    Repositories orders = as("acme");
    UUID id = create(orders);
    Lease lease = acquire(orders, id);
    NewEvent charged =
        NewEvent.of("Charged").put(Section.VARIABLES, "charge", Payload.text("EUR 42"));
    orders.events().append(id, Append.next(lease), charged).orThrow();

    var state = as("acme").executions().state(id);
    assertThat(as("acme").open(state.get(Section.VARIABLES, "charge").orElseThrow()))
        .isEqualTo(Payload.text("EUR 42"));
    assertThat(as("other").executions().find(id)).isEmpty();
  }

  @Test
  @DisplayName("Envers writes the lifecycle's history, and it is behind the tenant's wall")
  void theLifecycleLeavesItsHistory() throws SQLException {
    Repositories orders = as("acme");
    UUID id = create(orders);
    Lease lease = acquire(orders, id);
    WorkflowExecution created = orders.executions().find(id).orElseThrow();
    orders
        .executions()
        .transition(created, Transition.to(ExecutionStatus.RUNNING), Append.next(lease))
        .orThrow();

    String history = "SELECT status FROM execution_aud WHERE id = ? ORDER BY rev";
    assertThat(StoreSql.asTenant(config, "acme", history, id))
        .containsExactly("CREATED", "RUNNING");
    assertThat(StoreSql.asTenant(config, "other", history, id)).isEmpty();
  }

  @Test
  void twoTenantsWorkAtOnceAndSeeTheirOwnOnly() throws Exception {
    List<String> tenants = List.of("north-" + UUID.randomUUID(), "south-" + UUID.randomUUID());
    int each = 20;
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<UUID>> steps = new ArrayList<>();
      for (int i = 0; i < each * tenants.size(); i++) {
        Repositories orders = as(tenants.get(i % tenants.size()));
        steps.add(threads.submit(() -> step(orders)));
      }
      for (int i = 0; i < steps.size(); i++) {
        UUID id = steps.get(i).get();
        assertThat(as(tenants.get(i % 2)).executions().find(id)).isPresent();
        assertThat(as(tenants.get((i + 1) % 2)).executions().find(id)).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
    for (String tenant : tenants) {
      assertThat(as(tenant).executions().find(ExecutionQuery.all(), 100, Optional.empty()).items())
          .hasSize(each);
    }
  }

  @Test
  void backgroundWorkIsDoneByTheContainersThreads() throws Exception {
    Repositories orders = persistence.as(Caller.of("acme", "order-service", Role.ADMIN));
    NewSchedule once =
        NewSchedule.of(
            "once-" + UUID.randomUUID(),
            new Timing.Once(Instant.now()),
            DefinitionRef.of("order", 1));
    orders.schedules().add(once).orThrow();
    BlockingQueue<String> threads = new LinkedBlockingQueue<>();
    try (Scheduler scheduler = persistence.scheduler(SchedulerOptions.of("node-1"))) {
      scheduler.start(outcome -> threads.add(Thread.currentThread().getName()));
      assertThat(threads.poll(TTL.toSeconds(), TimeUnit.SECONDS))
          .isNotNull()
          .doesNotStartWith("wovyr-");
    }
  }

  private static UUID step(Repositories orders) {
    UUID id = create(orders);
    orders.events().append(id, Append.next(acquire(orders, id)), NewEvent.of("Charged")).orThrow();
    return id;
  }

  private static UUID create(Repositories orders) {
    UUID id = UUID.randomUUID();
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    return id;
  }

  private static Lease acquire(Repositories orders, UUID id) {
    return ((Acquired) orders.leases().acquire(id, "worker-1", TTL)).lease();
  }

  private Repositories as(String tenant) {
    return persistence.as(Caller.of(tenant, "order-service", Role.READER, Role.WRITER));
  }
}
