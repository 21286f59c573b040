/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.retry.RetryPolicy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SagaRecordsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"activity", "compensation"})
  void whatANewerVersionWroteIsNotTakenForWhatWasNeverDone(String table) throws SQLException {
    String store = directory.resolve("orders.db").toString();
    SqliteStorageProvider provider = new SqliteStorageProvider();
    Objects.requireNonNull(provider.migrator()).migrate(Map.of("path", store), step -> {});
    try (Persistence persistence =
        WovyrPersistence.builder()
            .provider(provider)
            .setting("wovyr.storage.path", store)
            .setting("wovyr.sealing.provider", "none")
            .build()) {
      Repositories orders = persistence.as(Caller.of("orders", "worker-1", Role.WRITER));
      UUID id = UUID.randomUUID();
      begun(orders, id);
      SagaRecords records = new SagaRecords(orders, id, "worker-1", RetryPolicy.ofAttempts(3));
      records.load();
      SagaState known = records.state(Workflow.ORDER_SAGA);

      sql(store, "UPDATE " + table + " SET entity_version = 99");

      SagaRecords others = new SagaRecords(orders, id, "worker-2", RetryPolicy.ofAttempts(3));
      assertThatThrownBy(others::load)
          .isInstanceOf(UnsupportedVersion.class)
          .hasMessageContaining(table);
      assertThat(known).as("with it").isNotEqualTo(others.state(Workflow.ORDER_SAGA));
    }
  }

  private static void begun(Repositories orders, UUID id) {
    orders.executions().create(NewExecution.of(DefinitionRef.of("o", 1)).withId(id)).orThrow();
    Lease lease =
        ((Acquired) orders.leases().acquire(id, "worker-1", Duration.ofMinutes(1))).lease();
    String charge = Activity.CHARGE.text();
    Change begun = orders.activities().begin(id, NewActivity.of(charge, charge), "worker-1");
    NewCompensation refund = NewCompensation.of(charge, Activity.REFUND.text());
    orders
        .unitOfWork()
        .append(id, Append.next(lease), NewEvent.of("Begun"))
        .with(begun)
        .with(orders.compensations().push(id, refund))
        .commit()
        .orThrow();
  }

  private static void sql(String store, String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(text)).isEqualTo(1);
    }
  }
}
