/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.conformance.fault.WireFault;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The wire to PostgreSQL breaks, or the server ends sessions: whatever happens to a commit, it is
 * applied exactly once, or the caller is told that it cannot be known yet and can ask later.
 */
final class PostgresqlFaultsIT {
  private static final Duration TTL = Duration.ofMinutes(10);

  private final AtomicLong stepsDone = new AtomicLong();
  private final String tenant = "tenant-" + UUID.randomUUID();
  private PostgresServer.Database database;
  private FaultyWire wire;
  private Persistence broken;
  private Persistence sound;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    wire = database.wire();
    broken = persistence(database.through(wire));
    sound = persistence(database.settings());
  }

  @AfterEach
  void close() {
    broken.close();
    sound.close();
    wire.close();
    database.close();
  }

  private static Persistence persistence(Map<String, String> storage) {
    Map<String, String> settings = new HashMap<>();
    storage.forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    settings.put("wovyr.sealing.provider", "none");
    settings.put("wovyr.storage.connect-timeout", "PT1S");
    settings.put("wovyr.commit.deadline", "PT4S");
    settings.put("wovyr.read.deadline", "PT4S");
    return WovyrPersistence.builder()
        .provider(new PostgresqlStorageProvider())
        .settings(settings)
        .build();
  }

  private Repositories through(Persistence persistence) {
    return persistence.as(Caller.of(tenant, "test", Role.READER, Role.WRITER, Role.OPERATOR));
  }

  private WorkflowExecution created() {
    CommitResult result =
        through(broken).executions().create(NewExecution.of(DefinitionRef.of("order", 1)));
    return ((CommitResult.Committed) result).records(WorkflowExecution.class).get(0);
  }

  private Lease lease(UUID id) {
    return ((AcquireResult.Acquired) through(broken).leases().acquire(id, "worker", TTL)).lease();
  }

  /** Acquires until it can be had and is known to be: the wire is broken all the time. */
  private Lease leaseAgain(UUID id) {
    while (true) {
      try {
        if (through(broken).leases().acquire(id, "worker", TTL)
            instanceof AcquireResult.Acquired got) {
          return got.lease();
        }
      } catch (Unavailable | OutcomeUnknown e) {
        // Not had, or not known to be: again.
      }
    }
  }

  private List<String> types(UUID id) {
    return through(sound).events().read(id, 1, 1_000).items().stream()
        .map(WorkflowEvent::type)
        .toList();
  }

  /** Every fault but those of which the client learns only by waiting. */
  private static WireFault[] quick() {
    return new WireFault[] {
      WireFault.BEFORE_REQUEST,
      WireFault.DURING_REQUEST,
      WireFault.BEFORE_REPLY,
      WireFault.DURING_REPLY,
      WireFault.AFTER_REPLY
    };
  }

  /** This fault, after so many requests that go well. */
  private void failAfter(int requests, WireFault fault) {
    for (int i = 0; i < requests; i++) {
      wire.failNext(WireFault.NONE);
    }
    wire.failNext(fault);
  }

  @ParameterizedTest
  @EnumSource(
      value = WireFault.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "HELD"})
  @DisplayName("C008: a commit whose wire breaks is resolved, and applied exactly once")
  void aStepIsAppliedExactlyOnce(WireFault fault) {
    UUID id = created().id();
    Lease lease = lease(id);
    List<String> expected = new ArrayList<>(types(id));
    for (int round = 0; round < 5; round++) {
      through(broken).executions().head(id);
      failAfter(0, fault);

      CommitResult result =
          through(broken).events().append(id, Append.next(lease), NewEvent.of("Step" + round));

      assertThat(result.isCommitted()).as("%s in round %d: %s", fault, round, result).isTrue();
      expected.add("Step" + round);
    }
    assertThat(types(id)).isEqualTo(expected);
    assertThat(wire.struck()).isEqualTo(5);
  }

  @Test
  @DisplayName("C008: so is a commit of several round trips, whichever of them breaks")
  void aTransitionIsAppliedExactlyOnceWhicheverTripBreaks() {
    for (WireFault fault : quick()) {
      for (int trip = 0; trip < 3; trip++) {
        WorkflowExecution execution = created();
        Lease lease = lease(execution.id());
        through(broken).executions().head(execution.id());
        failAfter(trip, fault);

        CommitResult result =
            through(broken)
                .executions()
                .transition(execution, Transition.to(ExecutionStatus.RUNNING), Append.next(lease));

        assertThat(result.isCommitted()).as("%s in trip %d: %s", fault, trip, result).isTrue();
        assertThat(types(execution.id())).hasSize(2);
        assertThat(through(sound).executions().find(execution.id()).orElseThrow().status())
            .isEqualTo(ExecutionStatus.RUNNING);
      }
    }
  }

  @Test
  @DisplayName("C042: an execution is created once, whichever trip of its creation breaks")
  void aCreationIsAppliedExactlyOnceWhicheverTripBreaks() {
    created();
    for (WireFault fault : quick()) {
      for (int trip = 0; trip < 3; trip++) {
        UUID id = new UUID(UUID.randomUUID().getMostSignificantBits(), trip);
        NewExecution wanted = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
        through(broken).executions().head(id);
        failAfter(trip, fault);

        CommitResult result = through(broken).executions().create(wanted);

        assertThat(result.isCommitted()).as("%s in trip %d: %s", fault, trip, result).isTrue();
        assertThat(types(id)).hasSize(1);
      }
    }
  }

  @Test
  void whatLandsAfterTheCallerGaveUpIsFoundByItsReference() {
    UUID id = created().id();
    Lease lease = lease(id);
    wire.failNext(WireFault.HELD);
    OutcomeUnknown unknown =
        catchThrowableOfType(
            OutcomeUnknown.class,
            () -> through(broken).events().append(id, Append.next(lease), NewEvent.of("Late")));
    assertThat(types(id)).hasSize(1);

    wire.letGo();

    CommitReference reference = unknown.reference().orElseThrow();
    await(() -> types(id).contains("Late"));
    assertThat(through(sound).outcome(reference)).isEqualTo(Resolution.APPLIED);
  }

  @Test
  void whatWasFoundNeverToHaveAppliedCannotLandAnyMore() {
    UUID id = created().id();
    Lease lease = lease(id);
    wire.failNext(WireFault.HELD);
    OutcomeUnknown unknown =
        catchThrowableOfType(
            OutcomeUnknown.class,
            () -> through(broken).events().append(id, Append.next(lease), NewEvent.of("Late")));

    assertThat(through(sound).outcome(unknown.reference().orElseThrow()))
        .isEqualTo(Resolution.NEVER_APPLIED);
    wire.letGo();

    long landed = wire.roundTrips();
    through(broken).events().append(id, Append.signal("after"), NewEvent.of("After"));
    assertThat(wire.roundTrips()).isGreaterThan(landed);
    assertThat(types(id)).doesNotContain("Late").contains("After");
  }

  @Test
  void aServerThatCannotBeReachedIsUnavailableAndComesBack() {
    UUID id = created().id();
    wire.refuse(true);
    wire.reset();

    assertThatThrownBy(
            () -> through(broken).events().append(id, Append.signal("one"), NewEvent.of("One")))
        .isInstanceOfAny(Unavailable.class, OutcomeUnknown.class);

    wire.refuse(false);
    assertThat(
            through(broken)
                .events()
                .append(id, Append.signal("one"), NewEvent.of("One"))
                .isCommitted())
        .isTrue();
    assertThat(types(id)).containsOnlyOnce("One");
  }

  @Test
  void aNetworkThatSwallowsEverythingEndsWithTheDeadline() {
    UUID id = created().id();
    wire.swallow(true);
    long begun = System.nanoTime();

    assertThatThrownBy(
            () -> through(broken).events().append(id, Append.signal("one"), NewEvent.of("One")))
        .isInstanceOfAny(Unavailable.class, OutcomeUnknown.class);

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
    wire.swallow(false);
    assertThat(
            through(broken)
                .events()
                .append(id, Append.signal("one"), NewEvent.of("One"))
                .isCommitted())
        .isTrue();
    assertThat(types(id)).containsOnlyOnce("One");
  }

  @Test
  void aSlowNetworkSlowsCommitsDownAndBreaksNone() {
    UUID id = created().id();
    Lease lease = lease(id);
    wire.delay(Duration.ofMillis(100));
    for (int i = 0; i < 5; i++) {
      long begun = System.nanoTime();
      CommitResult result =
          through(broken).events().append(id, Append.next(lease), NewEvent.of("Slow" + i));
      assertThat(result.isCommitted()).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(200));
    }
    wire.delay(Duration.ZERO);
    assertThat(types(id)).endsWith("Slow0", "Slow1", "Slow2", "Slow3", "Slow4").hasSize(6);
  }

  @Test
  void aNetworkSlowerThanTheDeadlineLeavesAnOutcomeThatCanBeAskedFor() {
    UUID id = created().id();
    Lease lease = lease(id);
    wire.delay(Duration.ofSeconds(3));
    OutcomeUnknown unknown =
        catchThrowableOfType(
            OutcomeUnknown.class,
            () -> through(broken).events().append(id, Append.next(lease), NewEvent.of("Late")));
    wire.delay(Duration.ZERO);

    Resolution outcome = through(sound).outcome(unknown.reference().orElseThrow());
    assertThat(outcome).isIn(Resolution.APPLIED, Resolution.NEVER_APPLIED);
    assertThat(types(id).contains("Late")).isEqualTo(outcome == Resolution.APPLIED);
  }

  @Test
  @DisplayName("C008: sessions that the server ends and wires that break lose and double nothing")
  void nothingIsLostOrDoubledWhileSessionsAreEndedAndWiresBreak() throws Exception {
    int writers = 6;
    int each = 40;
    List<UUID> executions = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      executions.add(created().id());
    }
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(writers + 1);
    try {
      Future<?> trouble = threads.submit(() -> trouble(over));
      List<Future<?>> running = new ArrayList<>();
      for (UUID id : executions) {
        running.add(threads.submit(() -> write(id, each)));
      }
      for (Future<?> one : running) {
        one.get(5, TimeUnit.MINUTES);
      }
      over.set(true);
      trouble.get(1, TimeUnit.MINUTES);
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
    assertThat(wire.struck()).isPositive();
    for (UUID id : executions) {
      List<WorkflowEvent> events = through(sound).events().read(id, 1, 1_000).items();
      assertThat(events.stream().map(WorkflowEvent::sequence))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, each + 1L).boxed().toList());
      assertThat(events.stream().skip(1).map(WorkflowEvent::type))
          .containsExactlyElementsOf(LongStream.range(0, each).mapToObj(i -> "Step" + i).toList());
    }
  }

  /** Appends under one lease each; asks again what cannot be known, as a caller would. */
  private void write(UUID id, int steps) {
    Lease lease = lease(id);
    for (int i = 0; i < steps; i++) {
      NewEvent event = NewEvent.of("Step" + i);
      boolean done = false;
      while (!done) {
        try {
          CommitResult result = through(broken).events().append(id, Append.next(lease), event);
          if (result instanceof Conflict conflict && conflict.has(Reason.LEASE_EXPIRED)) {
            lease =
                leaseAgain(id); // Nothing was written: the trouble lasted longer than the lease.
            continue;
          }
          result.orThrow();
          done = true;
        } catch (Unavailable e) {
          // Nothing was written: again.
        } catch (OutcomeUnknown e) {
          done = asked(e.reference().orElseThrow()) == Resolution.APPLIED;
        }
      }
      stepsDone.incrementAndGet();
    }
  }

  private Resolution asked(CommitReference reference) {
    while (true) {
      try {
        return through(sound).outcome(reference);
      } catch (Unavailable e) {
        // The session that asked was ended, too.
      }
    }
  }

  private void trouble(AtomicBoolean over) {
    Random random = new Random(7);
    long seen = -1;
    while (!over.get()) {
      LockSupport.parkNanos(30_000_000L);
      // However slow the machine is: some step gets done between two strikes.
      if (stepsDone.get() == seen) {
        continue;
      }
      seen = stepsDone.get();
      if (random.nextInt(3) == 0) {
        try {
          database.run(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename ="
                  + " 'wovyr_test_runtime' AND datname = current_database()");
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      } else {
        wire.failNext(quick()[random.nextInt(quick().length)]);
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).as("waited in vain").isNegative();
    }
  }
}
