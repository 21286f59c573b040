/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemorySettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.core.contract.RepositoryContract;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.lease.Lease;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two stores in one process, as after a copy: the same tenant, execution and versions. */
final class TwoStoresTest extends RepositoryContract {
  TwoStoresTest() {
    super(time -> new MemoryTestStore(MemorySettings.defaults().withClock(time::now)));
  }

  @Test
  void aLeaseOrAChangeOfAnotherStoreIsRefused() {
    Repositories there = newNodeOfAnotherStore().as(tenant());
    UUID id = UUID.randomUUID();
    NewExecution execution = NewExecution.of(ORDER).withId(id);
    committed(repositories().executions().create(execution));
    committed(there.executions().create(execution));
    Lease here = acquire(id);
    Lease owner = acquire(there, id, "owner");

    assertThatThrownBy(() -> there.unitOfWork().renew(here))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("another store");
    assertThatThrownBy(() -> there.events().append(id, Append.next(here), event("Told")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("another store");
    assertThatThrownBy(
            () ->
                there
                    .unitOfWork()
                    .renew(owner)
                    .with(repositories().activities().begin(id, NewActivity.of("b", "Bill"), "w")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("store");
    committed(there.events().append(id, Append.next(owner), event("GoesOn")));
  }
}
