/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What was prepared in another epoch is refused for that alone, on each path to the tables: here
 * all else it was built on is as it was.
 */
class EpochIT {
  private PostgresServer.Database database;
  private Storage storage;
  private Samples acme;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().newStore();
    storage = new PostgresqlStorageProvider().open(database.settings());
    acme = Samples.of(storage, "acme");
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  private void raiseEpoch() throws SQLException {
    database.run("UPDATE wovyr_store SET epoch = epoch + 1");
  }

  private void isRefused(Batch prepared) throws SQLException {
    raiseEpoch();
    long epoch = prepared.epoch();
    assertThatThrownBy(() -> storage.commit(prepared, Samples.deadline()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("epoch " + epoch)
        .hasMessageContaining("epoch " + (epoch + 1));
    assertThat(storage.identity().epoch()).as("learnt from the refusal").isEqualTo(epoch + 1);
  }

  @Test
  void aStepOfAnotherEpochIsRefused() throws SQLException {
    Row head = acme.inserted(acme.owned(UUID.randomUUID()));
    isRefused(acme.batch(acme.step(head, 1)));
    assertThat(acme.stored(head.key())).isEqualTo(head);
    acme.committed(acme.step(head, 1));
  }

  @Test
  void anInsertOfAnotherEpochIsRefused() throws SQLException {
    Row event = acme.event(UUID.randomUUID(), 1);
    isRefused(acme.batch(new Mutation.Insert(event)));
    assertThat(storage.read(acme.scope(), List.of(event.key()), Samples.strong()).get(0)).isEmpty();
    acme.committed(new Mutation.Insert(event));
  }

  @Test
  void aTransitionOfAnotherEpochIsRefused() throws SQLException {
    Row execution = acme.inserted(acme.execution());
    isRefused(acme.batch(new Mutation.Update(execution, Samples.next(execution))));
    assertThat(acme.stored(execution.key())).isEqualTo(execution);
    acme.committed(new Mutation.Update(execution, Samples.next(execution)));
  }

  @Test
  void aPurgeOfAnotherEpochIsRefused() throws SQLException {
    Row event = acme.inserted(acme.event(UUID.randomUUID(), 1));
    Object execution = event.key().values().get(0);
    Purge purge = new Purge(acme.batch(), RecordTypes.EVENT, List.of(execution), 1L, 2L, List.of());
    raiseEpoch();
    assertThatThrownBy(() -> storage.purge(acme.scope(), purge, Samples.deadline()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("epoch");
    assertThat(acme.stored(event.key())).isEqualTo(event);
  }

  /** It is the store that tells whether there is such an epoch: a handle may not know it yet. */
  @Test
  void aFeedCursorOfAnEpochTheStoreHasNotReachedIsRefused() throws SQLException {
    acme.inserted(acme.event(UUID.randomUUID(), 1));
    FeedCursor now =
        storage.feed(acme.scope(), Optional.empty(), 10, Samples.deadline()).next().orElseThrow();
    Optional<FeedCursor> later = Optional.of(new FeedCursor(now.epoch() + 1, now.position()));

    assertThatThrownBy(() -> storage.feed(acme.scope(), later, 10, Samples.deadline()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("another store");

    raiseEpoch();
    assertThat(storage.feed(acme.scope(), later, 10, Samples.deadline()).entries()).isEmpty();
  }
}
