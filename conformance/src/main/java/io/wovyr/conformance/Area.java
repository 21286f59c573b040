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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One area of the contract. The subclasses of {@link StorageContract} run all of them. */
abstract class Area {
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
    return new KitTenant(storage(), Scope.tenant(contract.freshPrefix() + suffix));
  }

  boolean can(Capability capability) {
    return storage().capabilities().contains(capability);
  }

  /** Makes writers of a row wait, or leaves the contract NOT RUN. */
  StorageUnderTest.RowLock lock(KitTenant tenant, Key key) {
    StorageUnderTest.RowLock lock = subject().lock(tenant.scope(), key).orElse(null);
    assumeTrue(lock != null, "the fixture offers no lock on a row");
    return java.util.Objects.requireNonNull(lock);
  }

  /** Rounds of a race that is dear, at least 20. */
  int rounds(int part) {
    return Math.max(20, subject().rounds() / part);
  }

  static long committed(List<CommitOutcome> outcomes) {
    return outcomes.stream().filter(CommitOutcome.Committed.class::isInstance).count();
  }

  /** Waits for what must come true within a generous time. */
  static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    while (!condition.getAsBoolean()) {
      if (deadline.isOver()) {
        fail("waited 30 seconds in vain: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
