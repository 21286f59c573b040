/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;

/** A durable step and the application's own row of it, in one transaction of the server. */
@ApplicationScoped
public class Charges {
  /** Short: when the server is killed, its leases are to run out soon. */
  private static final Duration TTL = Duration.ofSeconds(2);

  private static final String CHARGE =
      "INSERT INTO charge (token, execution_id) VALUES (?, ?) ON CONFLICT DO NOTHING";

  private final Map<UUID, Lease> leases = new ConcurrentHashMap<>();

  @Inject Persistence persistence;
  @Inject Config config;

  private Repositories orders() {
    return persistence.as(Caller.of("load", "load", Role.READER, Role.WRITER));
  }

  /** The lease of an execution, kept from step to step while it is held. */
  Lease lease(UUID execution) {
    Lease known = leases.get(execution);
    if (known != null && known.isHeld()) {
      return known;
    }
    AcquireResult acquired = orders().leases().acquire(execution, "load", TTL);
    if (acquired instanceof AcquireResult.Acquired taken) {
      leases.put(execution, taken.lease());
      return taken.lease();
    }
    throw new Unavailable("not now: " + acquired, null);
  }

  /**
   * Charges once for a token.
   *
   * @return {@code charged}, or {@code already} when that was done before
   */
  @Transactional
  String charge(Lease lease, UUID token) {
    if (!isNew(token, lease.executionId())) {
      return "already";
    }
    orders()
        .events()
        .append(
            lease.executionId(),
            Append.next(lease),
            NewEvent.of("Charged").withCorrelationId(token))
        .orThrow();
    return "charged";
  }

  private boolean isNew(UUID token, UUID execution) {
    try (Connection connection = StoreSql.dataSource(config).getConnection();
        PreparedStatement statement = connection.prepareStatement(CHARGE)) {
      statement.setObject(1, token);
      statement.setObject(2, execution);
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new Unavailable("the application's own table is not to be had", e);
    }
  }
}
