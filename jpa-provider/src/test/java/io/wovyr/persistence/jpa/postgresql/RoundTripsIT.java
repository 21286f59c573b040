/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static io.wovyr.persistence.jpa.postgresql.Samples.next;
import static io.wovyr.persistence.jpa.postgresql.Samples.strong;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How often each call waits for the server, counted on the wire, when all is prepared. */
class RoundTripsIT {
  private static PostgresServer.Database database;
  private static FaultyWire wire;
  private static Storage storage;
  private static Samples acme;

  @BeforeAll
  static void open() {
    database = PostgresServer.shared().newStore();
    wire = database.wire();
    storage = new PostgresqlStorageProvider().open(database.through(wire));
    acme = Samples.of(storage, "acme");
  }

  @AfterAll
  static void close() {
    storage.close();
    wire.close();
    database.close();
  }

  private static final int WARM = 7;
  private static final int COUNTED = 3;

  /**
   * Of calls that are made after what prepares their statements the fewest trips: where the machine
   * stood still, the pool asks whether a connection is alive, and that is a trip more.
   */
  private static long trips(Runnable call) {
    return tripsOf(() -> call);
  }

  private static long tripsOf(Supplier<Runnable> calls) {
    long fewest = Long.MAX_VALUE;
    for (int i = 1; i <= WARM + COUNTED; i++) {
      Runnable ready = calls.get();
      long before = wire.roundTrips();
      ready.run();
      long trips = wire.roundTrips() - before;
      fewest = i <= WARM ? fewest : Math.min(fewest, trips);
    }
    return fewest;
  }

  /** The trips of committing what is built anew each time, without those of building it. */
  private static long tripsOfCommit(Supplier<Mutation[]> mutations) {
    return tripsOf(
        () -> {
          Mutation[] ready = mutations.get();
          return () -> acme.committed(ready);
        });
  }

  private static Row owned() {
    return acme.inserted(acme.owned(UUID.randomUUID()));
  }

  @Test
  void aStepIsOne() {
    for (int events : new int[] {1, 2, 5, 100}) {
      assertThat(tripsOfCommit(() -> acme.step(owned(), events)))
          .as(events + " events")
          .isEqualTo(1);
    }
  }

  @Test
  void eachStepOfAnActivityIsOneWithTheHeadInIt() {
    assertThat(
            tripsOfCommit(
                () ->
                    with(
                        acme.step(owned(), 1),
                        new Mutation.Insert(acme.any(RecordTypes.ACTIVITY)))))
        .as("scheduled")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> {
                  Row activity = acme.inserted(acme.any(RecordTypes.ACTIVITY));
                  return with(acme.step(owned(), 1), new Mutation.Update(activity, next(activity)));
                }))
        .as("started, completed")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> {
                  Row activity = acme.inserted(acme.any(RecordTypes.ACTIVITY));
                  return with(
                      acme.step(owned(), 1),
                      new Mutation.Update(activity, next(activity)),
                      new Mutation.Insert(acme.any(RecordTypes.RETRY)));
                }))
        .as("failed, to be tried again")
        .isEqualTo(1);
  }

  private static Mutation[] with(Mutation[] step, Mutation... more) {
    return Stream.concat(Arrays.stream(step), Arrays.stream(more)).toArray(Mutation[]::new);
  }

  @Test
  void everyCommitOfUnauditedRecordsIsOne() {
    assertThat(tripsOfCommit(() -> acme.step(owned(), 0))).as("a heartbeat").isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> new Mutation[] {new Mutation.Insert(acme.owned(UUID.randomUUID()))}))
        .as("a head")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> new Mutation[] {new Mutation.Insert(acme.event(UUID.randomUUID(), 1))}))
        .as("an event without its head")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> {
                  Row lease =
                      acme.inserted(acme.row(RecordTypes.NAMED_LEASE, "n" + UUID.randomUUID()));
                  return new Mutation[] {new Mutation.Update(lease, next(lease))};
                }))
        .as("a named lease")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> {
                  Row marker =
                      acme.inserted(acme.row(RecordTypes.COMMIT_MARKER, UUID.randomUUID()));
                  return new Mutation[] {new Mutation.Delete(marker)};
                }))
        .as("a marker swept")
        .isEqualTo(1);
    assertThat(
            tripsOfCommit(
                () -> {
                  List<Mutation> mutations = new ArrayList<>();
                  for (int i = 0; i < 5; i++) {
                    Row head = owned();
                    mutations.add(new Mutation.Update(head, next(head)));
                  }
                  return mutations.toArray(Mutation[]::new);
                }))
        .as("five heads")
        .isEqualTo(1);
  }

  @Test
  void aConflictIsTwoTheSecondTellsWhy() {
    Row head = owned();
    acme.committed(acme.step(head, 1));
    Batch stale = acme.batch(acme.step(head, 1));

    // The clock is asked for a third: this head is also judged by its expiry.
    assertThat(trips(() -> storage.commit(stale, deadline()))).isLessThanOrEqualTo(3);
  }

  @Test
  void readsAreOneHoweverManyRecords() {
    List<Key> keys = new ArrayList<>();
    Row first = owned();
    keys.add(first.key());
    assertThat(trips(() -> storage.read(acme.scope(), keys, strong()))).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      keys.add(owned().key());
      keys.add(Key.of(RecordTypes.EXECUTION, UUID.randomUUID()));
    }
    assertThat(trips(() -> storage.read(acme.scope(), keys, strong()))).isEqualTo(1);
    UUID execution = (UUID) first.key().values().get(0);
    Scan events = Scan.byKey(RecordTypes.EVENT, List.of(execution), 100);
    assertThat(trips(() -> storage.scan(acme.scope(), events, strong()))).isEqualTo(1);
    assertThat(
            trips(
                () ->
                    storage.readUnique(
                        acme.scope(),
                        RecordTypes.EXECUTION,
                        "live_workflow",
                        List.of("order"),
                        strong())))
        .isEqualTo(1);
    assertThat(trips(() -> storage.feed(acme.scope(), Optional.empty(), 10, deadline())))
        .isLessThanOrEqualTo(2);
    Scan due = Scan.byPath(RecordTypes.HEAD, "due", List.of(), 10).to(Samples.IN_AN_HOUR);
    assertThat(trips(() -> storage.scanSystem(new Scope.System("test"), due, strong())))
        .isEqualTo(1);
  }

  @Test
  void whatHibernateWritesIsCounted() {
    long creation =
        tripsOfCommit(
            () -> {
              Row execution = acme.execution();
              UUID id = (UUID) execution.key().values().get(0);
              return new Mutation[] {
                new Mutation.Insert(execution),
                new Mutation.Insert(acme.owned(id)),
                new Mutation.Insert(acme.event(id, 1))
              };
            });
    long transition =
        tripsOfCommit(
            () -> {
              Row execution = acme.inserted(acme.execution());
              Row head = acme.inserted(acme.owned((UUID) execution.key().values().get(0)));
              List<Mutation> mutations = new ArrayList<>(List.of(acme.step(head, 1)));
              mutations.add(
                  new Mutation.Update(execution, next(execution).with("status", "RUNNING")));
              return mutations.toArray(Mutation[]::new);
            });
    assertThat(creation).as("creating an execution").isEqualTo(5);
    assertThat(transition).as("a transition with its event").isEqualTo(5);
  }
}
