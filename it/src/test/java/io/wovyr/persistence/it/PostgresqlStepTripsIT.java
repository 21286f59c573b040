/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often the steps of an activity wait for the server, through the repositories and with sealed
 * values: counted on the wire from making the change to the answer, when all is prepared.
 */
final class PostgresqlStepTripsIT {
  private static final Duration TTL = Duration.ofMinutes(10);
  private static final Payload VALUE = Payload.text("of a person");

  /** Rounds until every statement is prepared and the data key is there. */
  private static final int WARM = 11;

  /** And the fewest trips of these: where the machine stood still, the pool looks for itself. */
  private static final int COUNTED = 3;

  @TempDir private Path directory;
  private PostgresServer.Database database;
  private FaultyWire wire;
  private Persistence persistence;
  private Repositories orders;
  private Lease lease;
  private long trips;
  private final Map<String, Long> fewest = new HashMap<>();

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    wire = database.wire();
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.sealing.keystore.path", directory.resolve("keys.p12").toString())
            .setting("wovyr.sealing.keystore.create", "true");
    database.through(wire).forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    persistence = builder.build();
    orders = persistence.as(Caller.of("acme", "worker-1", Role.READER, Role.WRITER));
  }

  @AfterEach
  void close() {
    persistence.close();
    wire.close();
    database.close();
  }

  private void acquireNew() {
    UUID id =
        orders
            .executions()
            .create(NewExecution.of(DefinitionRef.of("order", 1)))
            .orThrow()
            .records(WorkflowExecution.class)
            .get(0)
            .id();
    lease = ((Acquired) orders.leases().acquire(id, "worker-1", TTL)).lease();
  }

  /** A step with its event; counts the trips of making and of committing it. */
  private <T> T step(Class<T> type, Supplier<Change> change) {
    long before = wire.roundTrips();
    Applied done =
        orders
            .unitOfWork()
            .append(lease.executionId(), Append.next(lease), NewEvent.of("Step").withPayload(VALUE))
            .with(change.get())
            .commit()
            .orThrow();
    trips = wire.roundTrips() - before;
    return done.records(type).get(0);
  }

  private ActivityExecution step(Supplier<Change> change) {
    return step(ActivityExecution.class, change);
  }

  private void assertTrips(int round, String what, long expected) {
    if (round > WARM) {
      fewest.merge(what, trips, Math::min);
    }
    if (round == WARM + COUNTED) {
      assertThat(fewest).as("round trips").containsEntry(what, expected);
    }
  }

  @Test
  void eachStepOfAnActivityIsOneTrip() {
    var activities = orders.activities();
    for (int round = 1; round <= WARM + COUNTED; round++) {
      acquireNew();
      UUID id = lease.executionId();
      NewActivity charge = NewActivity.of("charge", "t").withInput(VALUE);
      ActivityExecution scheduled = step(() -> activities.schedule(id, charge));
      assertTrips(round, "scheduled, with an input", 1);
      ActivityExecution begun = step(() -> activities.start(scheduled, "worker-1"));
      assertTrips(round, "started", 1);
      ActivityExecution waiting = step(() -> activities.failAndReschedule(begun, VALUE));
      assertTrips(round, "failed, to be tried again", 1);
      ActivityExecution again = step(() -> activities.start(waiting, "worker-1"));
      ActivityExecution done = step(() -> activities.complete(again, Optional.of(VALUE)));
      assertTrips(round, "completed, with a result", 1);
      assertThat(done.result().orElseThrow().sealing()).isNotEqualTo(StoredPayload.UNSEALED);
      assertThat(activities.result(done)).contains(VALUE);
    }
  }

  @Test
  void aHeartbeatUnderTheLeaseIsOneTrip() {
    var activities = orders.activities();
    for (int round = 1; round <= WARM + COUNTED; round++) {
      acquireNew();
      UUID id = lease.executionId();
      ActivityExecution begun =
          step(() -> activities.begin(id, NewActivity.of("charge", "t"), "worker-1"));
      long before = wire.roundTrips();
      orders
          .unitOfWork()
          .renew(lease)
          .with(activities.heartbeat(begun, Optional.of(VALUE)))
          .commit()
          .orThrow();
      trips = wire.roundTrips() - before;
      assertTrips(round, "a heartbeat, with details", 1);
    }
  }

  @Test
  void whatIsUndoneIsInAHistoryAndTakesMore() {
    var undos = orders.compensations();
    for (int round = 1; round <= WARM + COUNTED; round++) {
      acquireNew();
      UUID id = lease.executionId();
      NewCompensation refund = NewCompensation.of("charge", "refund").withInput(VALUE);
      CompensationRecord pushed = step(CompensationRecord.class, () -> undos.push(id, refund));
      assertTrips(round, "pushed", 6);
      CompensationRecord begun = step(CompensationRecord.class, () -> undos.start(pushed));
      assertTrips(round, "begun", 7);
      step(CompensationRecord.class, () -> undos.complete(begun, Optional.of(VALUE)));
      assertTrips(round, "undone", 5);
    }
  }

  @Test
  void aFailureIsDecidedByWhatIsStoredAndReadsItInOneMore() {
    var retries = orders.retries();
    RetryPolicy policy = RetryPolicy.ofAttempts(9);
    for (int round = 1; round <= WARM + COUNTED; round++) {
      acquireNew();
      UUID id = lease.executionId();
      for (int attempt = 1; attempt <= 3; attempt++) {
        step(Object.class, () -> retries.failed(id, "charge", policy, "E", VALUE).change());
        assertTrips(round, "failure " + attempt + " of a retry", 2);
      }
    }
  }
}
