/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Joined;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.Config;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.Driver;

/**
 * A step of a workflow and a row of the application's own in one JTA transaction of the server,
 * however that ends.
 */
@ExtendWith(ArquillianExtension.class)
class TransactionsInServerIT {
  private static final Duration TTL = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Inject Persistence persistence;
  @Inject UserTransaction transaction;
  @Inject Cards cards;
  @Inject Config config;

  private final long card = ThreadLocalRandom.current().nextLong(1000, Long.MAX_VALUE);

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.with(
        "test.admin-url=" + Surroundings.database().adminUrl() + "\n",
        TransactionsInServerIT.class,
        Card.class,
        Cards.class,
        CardEncryption.class,
        CardKeys.class,
        NoteConverter.class,
        StoreSql.class,
        UnansweredCommits.class);
  }

  @AfterEach
  void nobodyIsLeftInATransaction() throws Exception {
    if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
      transaction.rollback();
      throw new AssertionError("a transaction was left open");
    }
  }

  @Test
  void aStepAndARowAreThereTogether() throws Exception {
    Lease lease = lease();
    transaction.begin();
    cards.save(card, "4111", "paid");
    Joined joined = (Joined) step(lease);
    assertThat(oneOf("SELECT count(*) FROM shop.card WHERE id = " + card)).isEqualTo("0");
    transaction.commit();

    assertThat(rowIsThere()).isTrue();
    assertThat(steps(lease)).isEqualTo(1);
    assertThat(orders().outcome(joined.reference())).isEqualTo(Resolution.APPLIED);
    assertThat(step(lease).isCommitted()).isTrue();
  }

  @Test
  void aRollbackTakesBoth() throws Exception {
    Lease lease = lease();
    transaction.begin();
    cards.save(card, "4111", "paid");
    Joined joined = (Joined) step(lease);
    transaction.rollback();

    assertNothingOf(lease, joined.reference());
  }

  @Test
  void whatIsMarkedForRollbackTakesBothAndNothingMoreJoins() throws Exception {
    Lease lease = lease();
    transaction.begin();
    cards.save(card, "4111", "paid");
    Joined joined = (Joined) step(lease);
    transaction.setRollbackOnly();
    assertThatThrownBy(() -> step(lease)).isInstanceOf(Unavailable.class);
    assertThatThrownBy(() -> transaction.commit())
        .isInstanceOf(jakarta.transaction.RollbackException.class);

    assertNothingOf(lease, joined.reference());
  }

  @Test
  void aConflictLeavesTheTransactionAsItWas() throws Exception {
    Lease lease = lease();
    transaction.begin();
    cards.save(card, "4111", "paid");
    CommitResult stale =
        orders().events().append(lease.executionId(), Append.after(lease, 7), NewEvent.of("Stale"));
    assertThat(stale).isInstanceOf(Conflict.class);
    assertThat(step(lease)).isInstanceOf(Joined.class);
    transaction.commit();

    assertThat(rowIsThere()).isTrue();
    assertThat(steps(lease)).isEqualTo(1);
  }

  @Test
  void aTransactionThatTimesOutAppliesNothing() throws Exception {
    Lease lease = lease();
    // What a first transaction has to prepare is prepared now: its time is short.
    assertThat(rowIsThere()).isFalse();
    assertThat(steps(lease)).isZero();
    transaction.setTransactionTimeout(5);
    CommitReference reference;
    try {
      transaction.begin();
      cards.save(card, "4111", "paid");
      reference = ((Joined) step(lease)).reference();
      await(() -> transaction.getStatus() != Status.STATUS_ACTIVE);
      assertThatThrownBy(() -> transaction.commit()).isInstanceOf(Exception.class);
    } finally {
      transaction.setTransactionTimeout(0);
      if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transaction.rollback();
      }
    }

    assertNothingOf(lease, reference);
  }

  @Test
  @DisplayName("A connection that is killed before the commit takes both; the lease goes on")
  void aKilledConnectionTakesBoth() throws Exception {
    Lease lease = lease();
    transaction.begin();
    cards.save(card, "4111", "paid");
    Joined joined = (Joined) step(lease);
    assertThat(
            oneOf(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND state = 'idle in transaction'"))
        .isEqualTo("1");
    assertThatThrownBy(() -> transaction.commit()).isInstanceOf(Exception.class);

    assertThat(rowIsThere()).isFalse();
    assertThat(steps(lease)).isZero();
    assertThat(orders().outcome(joined.reference())).isEqualTo(Resolution.NEVER_APPLIED);
  }

  @Test
  @DisplayName("An end that nobody was told of is known by its reference, and the work goes on")
  void anUnknownEndIsKnownAfterwards() throws Exception {
    Lease lease = lease(Duration.ofSeconds(20));
    transaction.begin();
    cards.save(card, "4111", "paid");
    Joined joined = (Joined) step(lease);
    CompletableFuture<Void> killed;
    try (UnansweredCommits unanswered = UnansweredCommits.of(this::oneOf)) {
      killed = CompletableFuture.runAsync(unanswered::killTheNext);
      assertThatThrownBy(() -> transaction.commit()).isInstanceOf(Exception.class);
      killed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(rowIsThere()).isTrue();
    assertThat(orders().outcome(joined.reference())).isEqualTo(Resolution.APPLIED);
    assertThat(steps(lease)).isEqualTo(1);
    // WildFly took it for rolled back: the lease is as before. Liberty says that it does not know:
    // then the lease is lost, and acquired again when its time is over.
    CommitResult next = step(lease);
    if (next instanceof Conflict lost) {
      assertThat(lost.has(Reason.LEASE_LOST)).as(lost.describe()).isTrue();
      AtomicReference<@Nullable Lease> again = new AtomicReference<>();
      await(
          () -> {
            if (orders().leases().acquire(lease.executionId(), "worker-1", TTL)
                instanceof Acquired acquired) {
              again.set(acquired.lease());
            }
            return again.get() != null;
          });
      next = step(Objects.requireNonNull(again.get()));
    }
    assertThat(next.isCommitted()).isTrue();
    assertThat(steps(lease)).isEqualTo(2);
  }

  private void assertNothingOf(Lease lease, CommitReference reference) {
    assertThat(rowIsThere()).isFalse();
    assertThat(steps(lease)).isZero();
    // The lease is as before.
    assertThat(step(lease).isCommitted()).isTrue();
    assertThat(orders().outcome(reference)).isEqualTo(Resolution.NEVER_APPLIED);
    assertThat(steps(lease)).isEqualTo(1);
  }

  private boolean rowIsThere() {
    return !cards.stored(card).isEmpty();
  }

  private long steps(Lease lease) {
    return orders().executions().head(lease.executionId()).orElseThrow().lastSequence() - 1;
  }

  private CommitResult step(Lease lease) {
    return orders()
        .events()
        .append(lease.executionId(), Append.next(lease), NewEvent.of("Charged"));
  }

  private Lease lease() {
    return lease(TTL);
  }

  private Lease lease(Duration ttl) {
    UUID id = UUID.randomUUID();
    orders()
        .executions()
        .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id))
        .orThrow();
    return ((Acquired) orders().leases().acquire(id, "worker-1", ttl)).lease();
  }

  private Repositories orders() {
    return persistence.as(Caller.of("acme", "order-service", Role.READER, Role.WRITER));
  }

  /** The first value of a statement of the database's superuser. */
  private @Nullable String oneOf(String sql) throws SQLException {
    String url = config.getValue("test.admin-url", String.class);
    try (Connection connection = new Driver().connect(url, new Properties());
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return null;
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /** Something that is true in the end. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
