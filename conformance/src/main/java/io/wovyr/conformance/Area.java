/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One area of the contract. The subclasses of {@link StorageContract} run all of them. */
abstract class Area {
  /** How long a writer is given to come to a locked row. */
  static final long WAITING_MILLIS = 150;

  private final StorageContract contract;

  Area(StorageContract contract) {
    this.contract = contract;
  }

  StorageUnderTest subject() {
    return contract.subject();
  }

  Storage storage() {
    return contract.storage();
  }

  /** Closes the store's only handle and opens it again. */
  Storage reopen() {
    return contract.reopen();
  }

  /** A tenant that nobody used before. */
  KitTenant tenant() {
    return tenant("t");
  }

  /** A tenant that nobody used before, whose name ends so. */
  KitTenant tenant(String suffix) {
    return of(Scope.tenant(contract.freshPrefix() + suffix));
  }

  /** The tenant of a scope. */
  KitTenant of(Scope scope) {
    return new KitTenant(storage(), scope, subject().patience());
  }

  boolean can(Capability capability) {
    return storage().capabilities().contains(capability);
  }

  /** Runs while writers of a row have to wait, or leaves the contract NOT RUN. */
  <T> T whileLocked(KitTenant tenant, Key key, Supplier<T> work) {
    Optional<StorageUnderTest.RowLock> lock = subject().lock(tenant.scope(), key);
    assumeTrue(lock.isPresent(), "the fixture offers no lock on a row");
    try {
      return work.get();
    } finally {
      lock.get().close();
    }
  }

  /** Rounds of a race that is dear, at least 20. */
  int rounds(int part) {
    return Math.max(20, subject().rounds() / part);
  }

  static long committed(List<CommitOutcome> outcomes) {
    return outcomes.stream().filter(CommitOutcome.Committed.class::isInstance).count();
  }

  /** Gives a writer on another thread the time to come to a locked row. */
  final void letArrive() {
    long end = System.nanoTime() + WAITING_MILLIS * 1_000_000;
    await("a writer to arrive", () -> System.nanoTime() - end > 0);
  }

  /** Waits for what must come true within a generous time. */
  final void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.after(subject().patience());
    while (!condition.getAsBoolean()) {
      if (deadline.isOver()) {
        fail("waited " + subject().patience() + " in vain for " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
