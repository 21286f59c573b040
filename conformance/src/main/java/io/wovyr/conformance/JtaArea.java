/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.conformance.StorageUnderTest.Jta;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CallersTransaction;
import io.wovyr.persistence.storage.spi.CallersTransaction.End;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches inside a JTA transaction of the caller's, beside rows of its own. */
@Needs(Capability.JTA)
class JtaArea extends Area {
  private Optional<Jta> offered = Optional.empty();
  private boolean begun;

  JtaArea(StorageContract contract) {
    super(contract);
  }

  @BeforeEach
  void askForTransactions() {
    offered = subject().jta();
    assumeTrue(offered.isPresent(), "the fixture offers no JTA transactions");
  }

  @AfterEach
  void endTheTransaction() {
    if (begun) {
      rollback();
    }
  }

  private Jta jta() {
    return offered.orElseThrow();
  }

  private void begin() {
    jta().begin();
    begun = true;
  }

  private void commit() {
    begun = false;
    jta().commit();
  }

  private void rollback() {
    begun = false;
    jta().rollback();
  }

  private Enlisted enlist(Batch batch) {
    return storage().enlist(batch, KitTenant.deadline());
  }

  private Enlisted.Applied applied(Batch batch) {
    return assertInstanceOf(Enlisted.Applied.class, enlist(batch));
  }

  private List<Failed> conflict(Batch batch) {
    return assertInstanceOf(Enlisted.Conflict.class, enlist(batch)).failed();
  }

  private static UUID executionOf(Row head) {
    return (UUID) head.key().values().get(0);
  }

  @Test
  void whatIsAppliedIsThereWithTheRowsOfTheCallerWhenHeCommits() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    UUID own = UUID.randomUUID();
    begin();
    jta().write(own);
    applied(tenant.step(head));
    assertEquals(head, tenant.stored(head.key()), "others see nothing yet");
    commit();

    assertTrue(jta().isWritten(own));
    assertEquals(head.version() + 1, tenant.stored(head.key()).version());
    assertEquals(1, tenant.events(executionOf(head)).size());
  }

  @Test
  void nothingOfItIsThereWhenHeRollsBack() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    UUID own = UUID.randomUUID();
    begin();
    applied(tenant.step(head));
    jta().write(own);
    rollback();

    assertFalse(jta().isWritten(own));
    assertEquals(head, tenant.stored(head.key()));
    assertEquals(List.of(), tenant.events(executionOf(head)));
    tenant.committed(tenant.step(head));
  }

  @Test
  void aConflictAppliesNothingAndLeavesTheTransactionUsable() {
    KitTenant tenant = tenant();
    Row stale = tenant.insert(tenant.head(UUID.randomUUID()));
    tenant.committed(tenant.step(stale));
    Row other = tenant.insert(tenant.head(UUID.randomUUID()));
    UUID before = UUID.randomUUID();
    UUID after = UUID.randomUUID();
    begin();
    jta().write(before);
    Row added = tenant.head(UUID.randomUUID());
    List<Failed> failed =
        conflict(
            tenant.batch(
                new Mutation.Update(stale, SampleRows.next(stale)), new Mutation.Insert(added)));
    assertEquals(stale.key(), failed.get(0).key());
    assertEquals(new Expectation.VersionIs(stale.version()), failed.get(0).expectation());
    applied(tenant.step(other));
    jta().write(after);
    commit();

    assertTrue(jta().isWritten(before) && jta().isWritten(after));
    assertEquals(Optional.empty(), tenant.read(added.key()));
    assertEquals(other.version() + 1, tenant.stored(other.key()).version());
  }

  @Test
  void aTakenKeyOrUniqueEntryIsAConflictToo() {
    KitTenant tenant = tenant();
    Row taken = tenant.insert(tenant.head(UUID.randomUUID()));
    Row holder = SampleRows.full(tenant.id(), SampleRows.key(RecordTypes.EXECUTION));
    tenant.insert(holder);
    Row rival =
        SampleRows.full(tenant.id(), SampleRows.key(RecordTypes.EXECUTION))
            .with("liveWorkflowId", holder.get("liveWorkflowId"));
    UUID own = UUID.randomUUID();
    begin();
    jta().write(own);
    List<Failed> key = conflict(tenant.batch(new Mutation.Insert(taken)));
    assertEquals(new Expectation.Absent(), key.get(0).expectation());
    List<Failed> entry = conflict(tenant.batch(new Mutation.Insert(rival)));
    assertEquals(new Expectation.UniqueKeyFree("live_workflow"), entry.get(0).expectation());
    Row free = tenant.head(UUID.randomUUID());
    applied(tenant.batch(new Mutation.Insert(free)));
    commit();

    assertTrue(jta().isWritten(own));
    assertEquals(Optional.empty(), tenant.read(rival.key()));
    assertTrue(tenant.read(free.key()).isPresent());
  }

  @Test
  void theNextBatchBuildsOnWhatWasAppliedBefore() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Row second = SampleRows.next(head);
    Row third = SampleRows.next(second);
    begin();
    applied(tenant.batch(new Mutation.Update(head, second)));
    List<Failed> failed = conflict(tenant.batch(new Mutation.Update(head, second)));
    assertEquals(Optional.of(second), failed.get(0).actual(), "what the transaction itself sees");
    applied(tenant.batch(new Mutation.Update(second, third)));
    commit();

    assertEquals(third, tenant.stored(head.key()));
  }

  @Test
  void everyTypeOfRecordCanBePartOfIt() {
    KitTenant tenant = tenant();
    List<Key> keys = new ArrayList<>();
    begin();
    for (var type : RecordTypes.all()) {
      Row row = SampleRows.full(tenant.id(), SampleRows.key(type));
      keys.add(row.key());
      applied(tenant.batch(new Mutation.Insert(row)));
    }
    keys.forEach(key -> assertEquals(Optional.empty(), tenant.read(key), "before the commit"));
    commit();
    keys.forEach(key -> assertTrue(tenant.read(key).isPresent(), key + " after the commit"));
  }

  @Test
  void tenantsInOneTransactionStayApart() {
    KitTenant one = tenant();
    KitTenant other = tenant();
    Row head = one.insert(one.head(UUID.randomUUID()));
    begin();
    applied(other.batch(new Mutation.Insert(other.head(UUID.randomUUID()))));
    applied(one.step(head));
    Row foreign = other.head(executionOf(head));
    List<Failed> failed =
        conflict(other.batch(new Mutation.Update(foreign, SampleRows.next(foreign))));
    assertEquals(Optional.empty(), failed.get(0).actual(), "a row of another tenant is not there");
    commit();
    assertEquals(head.version() + 1, one.stored(head.key()).version());
  }

  @Test
  void whatIsCommittedMeanwhileIsNotUndoneWithIt() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    begin();
    applied(tenant.step(head));
    Row apart = tenant.insert(tenant.head(UUID.randomUUID()));
    rollback();

    assertTrue(tenant.read(apart.key()).isPresent());
    assertEquals(head, tenant.stored(head.key()));
  }

  @Test
  void nobodyIsInATransactionButWhoBeganOne() {
    assertEquals(Optional.empty(), storage().callersTransaction());
    begin();
    CallersTransaction first = storage().callersTransaction().orElseThrow();
    assertTrue(first.isActive());
    assertEquals(first.key(), storage().callersTransaction().orElseThrow().key());
    rollback();
    assertEquals(Optional.empty(), storage().callersTransaction());
    begin();
    assertFalse(first.key().equals(storage().callersTransaction().orElseThrow().key()));
    KitTenant tenant = tenant();
    Batch batch = tenant.batch(new Mutation.Insert(tenant.head(UUID.randomUUID())));
    rollback();
    assertThrows(Unavailable.class, () -> enlist(batch));
  }

  @Test
  void theEndIsTold() {
    List<End> ends = new ArrayList<>();
    begin();
    storage().callersTransaction().orElseThrow().onEnd(ends::add);
    commit();
    begin();
    storage().callersTransaction().orElseThrow().onEnd(ends::add);
    rollback();
    assertEquals(List.of(End.COMMITTED, End.ROLLED_BACK), ends);
  }

  @Test
  void aTransactionThatCanOnlyBeRolledBackIsNotJoined() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    begin();
    jta().setRollbackOnly();
    assertFalse(storage().callersTransaction().orElseThrow().isActive());
    assertThrows(Unavailable.class, () -> enlist(tenant.step(head)));
    rollback();
    assertEquals(head, tenant.stored(head.key()));
  }

  @Test
  void racingTransactionsHaveOneWinnerAndTheOthersGoOn() {
    KitTenant tenant = tenant();
    try (Race race = new Race()) {
      for (int round = 0; round < Math.max(5, subject().rounds() / 40); round++) {
        Row head = tenant.insert(tenant.head(UUID.randomUUID()));
        List<UUID> own = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          own.add(UUID.randomUUID());
        }
        List<Boolean> won =
            race.round(
                number -> {
                  jta().begin();
                  boolean applied = enlist(tenant.step(head)) instanceof Enlisted.Applied;
                  jta().write(own.get(number));
                  jta().commit();
                  return applied;
                });
        assertEquals(1, won.stream().filter(one -> one).count());
        assertEquals(head.version() + 1, tenant.stored(head.key()).version());
        assertEquals(1, tenant.events(executionOf(head)).size());
        own.forEach(id -> assertTrue(jta().isWritten(id), "the caller's own row"));
      }
    }
  }
}
