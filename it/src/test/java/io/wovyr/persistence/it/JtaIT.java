/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Joined;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.postgresql.TestContainer;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.secret.SecretRef;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Steps of workflows inside JTA transactions of an application, beside its own rows: real
 * transactions (Narayana) over pooled DataSources (Agroal) and PostgreSQL.
 */
final class JtaIT {
  private static final Duration TTL = Duration.ofMinutes(10);
  private static PostgresServer.Database database;
  private static TestContainer container;
  private static TransactionManager transactions;
  private static DataSource application;
  private static Persistence persistence;
  private static Repositories orders;

  @BeforeAll
  static void open() throws SQLException {
    database = PostgresServer.shared().newStore();
    database.run(
        "CREATE TABLE application_order (name text PRIMARY KEY)",
        "GRANT SELECT, INSERT ON application_order TO wovyr_test_runtime");
    container = new TestContainer();
    transactions = container.transactions();
    Map<String, String> settings = new HashMap<>();
    container
        .settings(database, 40)
        .forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    application = container.bound(settings.get("wovyr.storage.datasource"));
    settings.put("wovyr.sealing.provider", "none");
    settings.put("wovyr.commit.deadline", "PT4S");
    persistence =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .settings(settings)
            .build();
    orders = as("acme");
  }

  @AfterAll
  static void close() {
    persistence.close();
    container.close();
    database.close();
  }

  @AfterEach
  void nobodyIsLeftInATransaction() throws Exception {
    if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
      transactions.rollback();
      throw new AssertionError("a transaction was left open");
    }
  }

  private static Repositories as(String tenant) {
    return persistence.as(
        Caller.of(tenant, "worker-1", Role.READER, Role.WRITER, Role.OPERATOR, Role.ADMIN));
  }

  private static WorkflowExecution created(Repositories by) {
    return by.executions()
        .create(NewExecution.of(DefinitionRef.of("order", 1)))
        .orThrow()
        .records(WorkflowExecution.class)
        .get(0);
  }

  private static Lease leased(Repositories by, UUID id) {
    return ((Acquired) by.leases().acquire(id, "worker-1", TTL)).lease();
  }

  private static Lease leased() {
    return leased(orders, created(orders).id());
  }

  private static CommitResult step(Lease lease) {
    return orders.events().append(lease.executionId(), Append.next(lease), NewEvent.of("Charged"));
  }

  private static Joined joined(CommitResult result) {
    assertThat(result).isInstanceOf(Joined.class);
    return (Joined) result;
  }

  private static int events(Repositories by, UUID id) {
    return by.events().read(id, 1, 100).items().size();
  }

  private static void order(String name) throws SQLException {
    try (Connection connection = application.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO application_order VALUES ('" + name + "')");
    }
  }

  private static boolean isOrdered(String name) throws SQLException {
    return !database
        .query("SELECT name FROM application_order WHERE name = '" + name + "'")
        .isEmpty();
  }

  private static String name() {
    return "order-" + UUID.randomUUID();
  }

  @Test
  void aStepIsThereWithTheRowsOfTheApplicationAndItsOutcomeCanBeAsked() throws Exception {
    Lease lease = leased();
    String name = name();
    transactions.begin();
    order(name);
    Joined joined = joined(step(lease));
    assertThat(joined.isCommitted()).isFalse();
    assertThat(joined.isApplied()).isTrue();
    assertThat(joined.records(WorkflowEvent.class).get(0).sequence()).isEqualTo(2);
    assertThat(joined.records(ExecutionHead.class).get(0).lastSequence()).isEqualTo(2);
    assertThat(events(orders, lease.executionId())).as("seen by others before").isEqualTo(1);
    transactions.commit();

    assertThat(isOrdered(name)).isTrue();
    assertThat(events(orders, lease.executionId())).isEqualTo(2);
    assertThat(orders.outcome(joined.reference())).isEqualTo(Resolution.APPLIED);
    assertThat(step(lease).isCommitted()).as("and the lease goes on").isTrue();
  }

  @Test
  void nothingIsThereAfterARollbackAndTheLeaseIsAsBefore() throws Exception {
    Lease lease = leased();
    ExecutionHead before = lease.head();
    String name = name();
    transactions.begin();
    Joined joined = joined(step(lease));
    order(name);
    transactions.rollback();

    assertThat(isOrdered(name)).isFalse();
    assertThat(events(orders, lease.executionId())).isEqualTo(1);
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.head()).isEqualTo(before);
    assertThat(step(lease).isCommitted()).isTrue();
    assertThat(orders.outcome(joined.reference())).isEqualTo(Resolution.NEVER_APPLIED);
  }

  @Test
  void severalCommitsBuildUponEachOtherAndAreThereOrGoneTogether() throws Exception {
    for (boolean commits : new boolean[] {true, false}) {
      Lease lease = leased();
      UUID id = lease.executionId();
      UUID child = UUID.randomUUID();
      transactions.begin();
      joined(step(lease));
      joined(orders.events().append(id, Append.signal("s-" + commits), NewEvent.of("Paid")));
      joined(orders.events().append(id, Append.after(lease, 3), NewEvent.of("Shipped")));
      joined(
          orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(child)));
      joined(orders.events().append(child, Append.signal("c"), NewEvent.of("Paid")));
      if (commits) {
        transactions.commit();
      } else {
        transactions.rollback();
      }
      assertThat(events(orders, id)).isEqualTo(commits ? 4 : 1);
      assertThat(orders.executions().find(child).isPresent()).isEqualTo(commits);
      assertThat(lease.head().lastSequence()).isEqualTo(commits ? 4 : 1);
      assertThat(step(lease).isCommitted()).isTrue();
    }
  }

  private static CommitResult step(Lease lease, Change change) {
    return orders
        .unitOfWork()
        .append(lease.executionId(), Append.next(lease), NewEvent.of("Step"))
        .with(change)
        .commit();
  }

  private static CompensationRecord entry(CommitResult result) {
    return joined(result).records(CompensationRecord.class).get(0);
  }

  @Test
  void aRollbackSeesWhatItsTransactionPushedAndUndid() throws Exception {
    Compensations undos = orders.compensations();
    Lease lease = leased();
    UUID id = lease.executionId();
    step(lease, undos.push(id, NewCompensation.of("reserve", "release"))).orThrow();
    CompensationRecord reserve = undos.next(id).orElseThrow();

    transactions.begin();
    Change tooEarly = undos.start(reserve);
    CompensationRecord charge =
        entry(step(lease, undos.push(id, NewCompensation.of("charge", "refund"))));
    CompensationRecord ship =
        entry(step(lease, undos.push(id, NewCompensation.of("ship", "recall"))));
    assertThat(List.of(charge.position(), ship.position())).containsExactly(2, 3);
    assertThatThrownBy(() -> step(lease, undos.start(reserve)))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("to be undone before");
    assertThatThrownBy(() -> step(lease, tooEarly)).isInstanceOf(IllegalTransition.class);
    assertThatThrownBy(() -> step(lease, undos.start(charge)))
        .isInstanceOf(IllegalTransition.class);
    CompensationRecord recalling = entry(step(lease, undos.start(ship)));
    entry(step(lease, undos.complete(recalling, Optional.empty())));
    CompensationRecord refunding = entry(step(lease, undos.start(charge)));
    entry(step(lease, undos.complete(refunding, Optional.empty())));
    CompensationRecord releasing = entry(step(lease, undos.start(reserve)));
    entry(step(lease, undos.complete(releasing, Optional.empty())));
    transactions.commit();

    assertThat(undos.next(id)).isEmpty();
    assertThat(undos.all(id))
        .hasSize(3)
        .allMatch(entry -> entry.status() == CompensationStatus.COMPENSATED);
  }

  @Test
  void aPushThatIsMadeAfterAnUndoWasStagedIsUndoneFirst() throws Exception {
    Compensations undos = orders.compensations();
    Lease lease = leased();
    UUID id = lease.executionId();
    step(lease, undos.push(id, NewCompensation.of("reserve", "release"))).orThrow();
    CompensationRecord reserve = undos.next(id).orElseThrow();

    transactions.begin();
    UnitOfWork undo =
        orders
            .unitOfWork()
            .append(id, Append.next(lease), NewEvent.of("Undo"))
            .with(undos.start(reserve));
    entry(step(lease, undos.push(id, NewCompensation.of("charge", "refund"))));
    CommitResult late = undo.commit();
    transactions.commit();

    assertThat(late).isInstanceOf(Conflict.class);
    assertThat(((Conflict) late).has(CommitResult.Reason.STALE_VERSION)).isTrue();
    assertThat(undos.next(id).orElseThrow().activityId()).isEqualTo("charge");
    assertThat(undos.find(id, 1).orElseThrow().status()).isEqualTo(CompensationStatus.REGISTERED);
  }

  @Test
  void anExecutionIsEndedFromOutsideInTheTransactionThatEndedAnActivityOfIt() throws Exception {
    Activities activities = orders.activities();
    Lease lease = leased();
    UUID id = lease.executionId();
    for (String name : List.of("charge", "ship")) {
      step(lease, activities.begin(id, NewActivity.of(name, "t"), "worker-1")).orThrow();
    }

    transactions.begin();
    ActivityExecution charge = activities.find(id, "charge").orElseThrow();
    joined(step(lease, activities.complete(charge, Optional.empty())));
    joined(
        orders
            .executions()
            .transition(
                orders.executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.CANCELLED),
                Append.signal("cancel")));
    transactions.commit();

    assertThat(activities.all(id))
        .extracting(ActivityExecution::status)
        .containsExactly(ActivityStatus.COMPLETED, ActivityStatus.CANCELLED);
  }

  @Test
  void aLargeValueThatIsReplacedInItsTransactionExpiresWithIt() throws Exception {
    Activities activities = orders.activities();
    Lease lease = leased();
    UUID id = lease.executionId();
    step(lease, activities.begin(id, NewActivity.of("scan", "t"), "worker-1")).orThrow();
    ActivityExecution begun = activities.find(id, "scan").orElseThrow();

    transactions.begin();
    ActivityExecution first =
        joined(step(lease, activities.heartbeat(begun, Optional.of(noise(1)))))
            .records(ActivityExecution.class)
            .get(0);
    joined(step(lease, activities.heartbeat(first, Optional.of(noise(2)))));
    transactions.commit();

    assertThat(
            database.query(
                "SELECT status FROM large_value WHERE execution_id = '" + id + "' ORDER BY 1"))
        .containsExactly("ABANDONED", "PUBLISHED");
    ActivityExecution stored = activities.find(id, "scan").orElseThrow();
    assertThat(activities.heartbeatDetails(stored)).contains(noise(2));
  }

  private static Payload noise(int seed) {
    byte[] noise = new byte[1_500_000];
    new Random(seed).nextBytes(noise);
    return Payload.of("application/octet-stream", noise);
  }

  @Test
  void aConflictLeavesTheTransactionUsable() throws Exception {
    Lease lease = leased();
    UUID id = lease.executionId();
    WorkflowExecution stale = orders.executions().find(id).orElseThrow();
    orders
        .executions()
        .transition(stale, Transition.to(ExecutionStatus.RUNNING), Append.next(lease))
        .orThrow();
    String name = name();
    transactions.begin();
    order(name);
    CommitResult wrong = orders.events().append(id, Append.after(lease, 7), NewEvent.of("E"));
    assertThat(wrong).isInstanceOfSatisfying(Conflict.class, c -> c.has(Reason.WRONG_SEQUENCE));
    CommitResult lost =
        orders
            .unitOfWork()
            .append(id, Append.next(lease), NewEvent.of("E"))
            .transition(stale, Transition.to(ExecutionStatus.RUNNING), Append.next(lease))
            .commit();
    assertThat(((Conflict) lost).has(Reason.STALE_VERSION)).isTrue();
    CommitResult taken =
        orders
            .executions()
            .create(
                NewExecution.of(DefinitionRef.of("order", 1)).withWorkflowId(stale.workflowId()));
    assertThat(((Conflict) taken).has(Reason.UNIQUE_KEY_TAKEN)).isTrue();
    joined(step(lease));
    transactions.commit();

    assertThat(isOrdered(name)).isTrue();
    assertThat(events(orders, id)).isEqualTo(3);
  }

  @Test
  void aTransitionAndItsHistoryFollowTheTransaction() throws Exception {
    for (boolean commits : new boolean[] {true, false}) {
      WorkflowExecution execution = created(orders);
      Lease lease = leased(orders, execution.id());
      String name = name();
      transactions.begin();
      WorkflowExecution running =
          joined(
                  orders
                      .executions()
                      .transition(
                          execution, Transition.to(ExecutionStatus.RUNNING), Append.next(lease)))
              .records(WorkflowExecution.class)
              .get(0);
      order(name);
      joined(
          orders
              .executions()
              .transition(running, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)));
      if (commits) {
        transactions.commit();
      } else {
        transactions.rollback();
      }
      assertThat(isOrdered(name)).isEqualTo(commits);
      assertThat(orders.executions().find(execution.id()).orElseThrow().status())
          .isEqualTo(commits ? ExecutionStatus.COMPLETED : ExecutionStatus.CREATED);
      assertThat(
              database.query(
                  "SELECT status FROM execution_aud WHERE id = '"
                      + execution.id()
                      + "' ORDER BY rev"))
          .isEqualTo(commits ? List.of("CREATED", "RUNNING", "COMPLETED") : List.of("CREATED"));
      assertThat(lease.isHeld()).as("closing gives the lease up").isEqualTo(!commits);
    }
  }

  @Test
  void aReleaseCountsWhenTheTransactionIsCommitted() throws Exception {
    for (boolean commits : new boolean[] {false, true}) {
      Lease lease = leased();
      transactions.begin();
      joined(orders.unitOfWork().release(lease, Wake.now()).commit());
      assertThat(step(lease)).as("it was freed in this transaction").isInstanceOf(Conflict.class);
      assertThat(lease.isHeld()).isTrue();
      if (commits) {
        transactions.commit();
      } else {
        transactions.rollback();
      }
      assertThat(lease.isHeld()).isEqualTo(!commits);
      assertThat(step(lease).isCommitted()).isEqualTo(!commits);
    }
  }

  @Test
  void besideATransactionThatHasNotEndedALeaseIsNotUsedElsewhere() throws Exception {
    Lease lease = leased();
    transactions.begin();
    joined(step(lease));
    assertThat(orders.leases().heartbeat(lease)).as("nothing to send").isTrue();
    var suspended = transactions.suspend();
    assertThatThrownBy(() -> step(lease))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("has not ended yet");
    transactions.begin();
    assertThatThrownBy(() -> step(lease)).isInstanceOf(Unavailable.class);
    transactions.rollback();
    transactions.resume(suspended);
    joined(step(lease));
    transactions.commit();
    assertThat(events(orders, lease.executionId())).isEqualTo(3);
    assertThat(orders.leases().heartbeat(lease)).isTrue();
  }

  @Test
  void aTransactionThatCanOnlyBeRolledBackIsTold() throws Exception {
    Lease lease = leased();
    transactions.begin();
    transactions.setRollbackOnly();
    assertThatThrownBy(() -> step(lease))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("can only be rolled back");
    assertThat(events(orders, lease.executionId())).as("reads go on").isEqualTo(1);
    transactions.rollback();
    assertThat(step(lease).isCommitted()).isTrue();
  }

  @Test
  void aTransactionWhoseTimeIsOverIsTold() throws Exception {
    Lease lease = leased();
    transactions.setTransactionTimeout(4);
    try {
      transactions.begin();
      joined(step(lease));
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (transactions.getStatus() == Status.STATUS_ACTIVE && System.nanoTime() < end) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThatThrownBy(() -> step(lease)).isInstanceOf(Unavailable.class);
    } finally {
      transactions.setTransactionTimeout(0);
      transactions.rollback();
    }
    assertThat(events(orders, lease.executionId())).isEqualTo(1);
    assertThat(step(lease).isCommitted()).isTrue();
  }

  @Test
  void retryingRunsOnceInsideATransaction() throws Exception {
    Lease lease = leased();
    AtomicInteger runs = new AtomicInteger();
    transactions.begin();
    CommitResult result =
        orders.retrying(
            Duration.ofSeconds(2),
            by -> {
              runs.incrementAndGet();
              return by.events()
                  .append(lease.executionId(), Append.after(lease, 9), NewEvent.of("E"));
            });
    transactions.rollback();
    assertThat(result).isInstanceOf(Conflict.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void tenantsInTurnOnPooledConnectionsAndInOneTransactionStayApart() throws Exception {
    Repositories globex = as("globex");
    for (int i = 0; i < 10; i++) {
      Lease ours = leased();
      Lease theirs = leased(globex, created(globex).id());
      transactions.begin();
      joined(step(ours));
      joined(
          globex
              .events()
              .append(theirs.executionId(), Append.next(theirs), NewEvent.of("Charged")));
      try (Connection connection = application.getConnection();
          Statement statement = connection.createStatement();
          var rows = statement.executeQuery("SELECT count(*) FROM execution_head")) {
        rows.next();
        assertThat(rows.getLong(1)).as("rows the application sees, of no tenant").isZero();
      }
      transactions.commit();
      assertThat(events(orders, ours.executionId())).isEqualTo(2);
      assertThat(events(globex, theirs.executionId())).isEqualTo(2);
      assertThat(orders.executions().find(theirs.executionId())).isEmpty();
    }
  }

  @Test
  void ofSixteenRacingTransactionsOneAppends() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    CyclicBarrier together = new CyclicBarrier(16);
    try {
      for (int round = 0; round < 10; round++) {
        UUID id = created(orders).id();
        List<Future<Boolean>> running = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String key = "signal-" + round;
        for (int i = 0; i < 16; i++) {
          String name = name();
          names.add(name);
          UUID eventId = UUID.randomUUID();
          running.add(
              threads.submit(
                  () -> {
                    together.await(60, TimeUnit.SECONDS);
                    transactions.begin();
                    CommitResult result =
                        orders
                            .unitOfWork()
                            .append(id, Append.signal(key), NewEvent.of("Paid").withId(eventId))
                            .within(Duration.ofSeconds(60)) // All the others may be first.
                            .commit();
                    order(name);
                    transactions.commit();
                    return result instanceof Joined;
                  }));
        }
        int won = 0;
        for (Future<Boolean> one : running) {
          won += one.get(120, TimeUnit.SECONDS) ? 1 : 0;
        }
        assertThat(won).isEqualTo(1);
        assertThat(events(orders, id)).isEqualTo(2);
        for (String name : names) {
          assertThat(isOrdered(name)).isTrue();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theReferenceGivenBeforeSendingIsTheOneAnswered() throws Exception {
    Lease lease = leased();
    AtomicReference<CommitReference> told = new AtomicReference<>();
    transactions.begin();
    Joined joined =
        joined(
            orders
                .unitOfWork()
                .append(lease.executionId(), Append.next(lease), NewEvent.of("E"))
                .beforeSend(told::set)
                .commit());
    transactions.commit();
    assertThat(joined.reference()).isEqualTo(told.get());
  }

  @Test
  void ofAProcessThatIsKilledBeforeTheEndNeitherIsThereAndAfterItBoth() throws Exception {
    for (boolean commits : new boolean[] {false, true}) {
      UUID id = created(orders).id();
      String name = name();
      CommitReference reference;
      Process process = KilledInJta.start(database.url(), id, name, commits);
      try {
        reference = new CommitReference(KilledInJta.awaitReference(process));
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(orders.outcome(reference))
          .isEqualTo(commits ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
      assertThat(isOrdered(name)).isEqualTo(commits);
      assertThat(events(orders, id)).isEqualTo(commits ? 2 : 1);
    }
  }

  @Test
  void secretsReadInsideATransactionAreAuditedWhateverBecomesOfIt() throws Exception {
    Repositories office =
        persistence.as(
            Caller.of("acme", "officer", Role.SECURITY_OFFICER, Role.AUDITOR, Role.ADMIN));
    office.secrets().put("card-api", Payload.text("key")).orThrow();
    SecretRef secret = office.secrets().latest("card-api").orElseThrow();
    transactions.begin();
    office.secrets().open(secret);
    assertThat(office.audit().append(NewAuditRecord.done("look", "order", "4711")).isCommitted())
        .isTrue();
    transactions.rollback();
    assertThat(
            office.audit().list(Instant.MIN, Instant.MAX, 100, Optional.empty()).items().stream()
                .map(AuditRecord::action))
        .contains("secret.open", "look");
  }
}
