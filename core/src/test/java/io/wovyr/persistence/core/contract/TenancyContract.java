/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What one tenant has, another neither sees nor touches, whatever ids it knows. */
public abstract class TenancyContract extends RepositoryContract {
  private static final UUID REQUEST = UUID.randomUUID();

  private Repositories others;
  private WorkflowExecution mine;
  private Lease lease;
  private RegisteredCursor cursor;
  private ExecutionHead head;

  protected TenancyContract(TestStore.Factory stores) {
    super(stores);
  }

  @BeforeEach
  void seedBothTenants() {
    others = node().as("other-" + tenant());
    mine =
        only(
            committed(
                repositories()
                    .executions()
                    .create(NewExecution.of(ORDER).withWorkflowId("shared-name"))),
            WorkflowExecution.class);
    lease = running(mine.id());
    committed(
        repositories()
            .events()
            .append(
                mine.id(),
                Append.next(lease),
                event("Secret")
                    .withCorrelationId(REQUEST)
                    .withCausationId(REQUEST)
                    .withPayload(Payload.text("mine"))));
    assertThat(repositories().leases().acquireName("shared-name", "w", TTL)).isPresent();
    committed(
        repositories()
            .feed()
            .cursors()
            .insert(RegisteredCursor.of("shared-name", new FeedCursor(1, "1"))));
    cursor = repositories().feed().cursors().find("shared-name").orElseThrow();
    mine = execution(mine.id());
    head = head(mine.id());
  }

  private void assertMineIsUntouched() {
    assertThat(execution(mine.id())).isEqualTo(mine);
    assertThat(head(mine.id())).isEqualTo(head);
    assertThat(types(mine.id())).endsWith("Secret");
    assertThat(repositories().feed().cursors().find("shared-name")).contains(cursor);
    assertThat(lease.isHeld()).isTrue();
    committed(repositories().events().append(mine.id(), Append.next(lease), event("Goes on")));
  }

  @Test
  @DisplayName("C069: no reading method shows a record of another tenant")
  void readingShowsNothingOfAnother() {
    UUID id = mine.id();
    assertThat(others.executions().find(id)).isEmpty();
    assertThat(others.executions().findLive("shared-name")).isEmpty();
    assertThat(others.executions().head(id)).isEmpty();
    assertThat(others.executions().list(Optional.empty(), 100, Optional.empty()).items()).isEmpty();
    assertThat(
            others
                .executions()
                .list(Optional.of(ExecutionStatus.RUNNING), 100, Optional.empty())
                .items())
        .isEmpty();
    assertThat(others.events().read(id, 1, 100).items()).isEmpty();
    assertThat(others.events().find(id, 1)).isEmpty();
    assertThat(others.events().byCorrelation(REQUEST, 100, Optional.empty()).items()).isEmpty();
    assertThat(others.events().byCausation(REQUEST, 100, Optional.empty()).items()).isEmpty();
    assertThat(others.leases().find(id)).isEmpty();
    assertThat(others.leases().list(100, Optional.empty()).items()).isEmpty();
    assertThat(others.leases().findName("shared-name")).isEmpty();
    assertThat(others.feed().read(Optional.empty(), 100).entries()).isEmpty();
    assertThat(others.feed().cursors().find("shared-name")).isEmpty();
    assertThat(others.feed().listCursors(100, Optional.empty()).items()).isEmpty();
    assertThat(others.unitOfWork().find(WorkflowExecution.class, id)).isEmpty();
  }

  @Test
  @DisplayName("C069: an id of another tenant is told exactly as one that does not exist")
  void foreignIdsAreToldAsUnknownOnes() {
    UUID unknown = UUID.randomUUID();
    UUID id = mine.id();

    assertThat(message(() -> others.executions().state(id), id))
        .isEqualTo(message(() -> others.executions().state(unknown), unknown));
    assertThat(message(() -> others.executions().state(id, 1), id))
        .isEqualTo(message(() -> others.executions().state(unknown, 1), unknown));
    assertThat(message(() -> others.events().purge(id, 2, true), id))
        .isEqualTo(message(() -> others.events().purge(unknown, 2, true), unknown));
    assertThat(describe(others.events().append(id, Append.signal("s"), event("E")), id))
        .isEqualTo(
            describe(others.events().append(unknown, Append.signal("s"), event("E")), unknown));
    assertThat(describe(others.leases().unpark(id), id))
        .isEqualTo(describe(others.leases().unpark(unknown), unknown));
    assertThat(others.leases().acquire(id, "w", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, AcquireResult.Why.NOT_FOUND));
    assertThat(others.leases().assign(id, "w", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, AcquireResult.Why.NOT_FOUND));
    assertMineIsUntouched();
  }

  private static String message(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, UUID id) {
    Throwable error = org.assertj.core.api.Assertions.catchThrowable(call);
    assertThat(error).isInstanceOf(InvalidInput.class);
    return error.getMessage().replace(id.toString(), "<id>");
  }

  private static String describe(CommitResult result, UUID id) {
    return ((Conflict) result).describe().replace(id.toString(), "<id>");
  }

  @Test
  @DisplayName("C070: no writing method changes a record of another tenant")
  void writingChangesNothingOfAnother() {
    UUID id = mine.id();
    conflict(others.events().append(id, Append.signal("s"), event("E")), Reason.NOT_FOUND);
    conflict(
        others
            .unitOfWork()
            .append(newExecution(others).id(), Append.signal("s"), event("E"))
            .append(id, Append.signal("s"), event("E"))
            .commit(),
        Reason.NOT_FOUND);
    conflict(others.leases().unpark(id), Reason.NOT_FOUND);
    assertMineIsUntouched();
  }

  @Test
  @DisplayName("C070: records, leases and references read for another tenant are refused")
  void whatWasReadForAnotherIsRefused() {
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
        List.of(
            () ->
                others
                    .executions()
                    .transition(
                        mine, Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancel")),
            () -> others.events().append(mine.id(), Append.next(lease), event("E")),
            () -> others.events().append(mine.id(), Append.after(lease, 3), event("E")),
            () -> others.leases().heartbeat(lease),
            () -> others.leases().release(lease, Wake.now()),
            () -> others.unitOfWork().release(lease, Wake.now()),
            () -> others.feed().cursors().update(cursor, cursor.movedTo(new FeedCursor(1, "9"))),
            () -> others.feed().cursors().delete(cursor));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i)).as("call %s", i).isInstanceOf(InvalidInput.class);
    }
    try (LeaseKeeper keeper = others.leases().keeper(Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> keeper.keep(lease, () -> {})).isInstanceOf(InvalidInput.class);
    }
    assertMineIsUntouched();
  }

  @Test
  @DisplayName("C070: names and ids are each tenant's own, and deleting one leaves the other")
  void everyTenantHasNamesOfItsOwn() {
    UUID id = mine.id();
    committed(
        others
            .executions()
            .create(
                NewExecution.of(ORDER)
                    .withId(id)
                    .withWorkflowId("shared-name")
                    .withInput(Payload.text("theirs"))));
    committed(others.events().append(id, Append.signal("s"), event("Theirs")));
    assertThat(others.leases().acquireName("shared-name", "w", TTL)).isPresent();
    committed(
        others.feed().cursors().insert(RegisteredCursor.of("shared-name", new FeedCursor(1, "5"))));
    RegisteredCursor theirs = others.feed().cursors().find("shared-name").orElseThrow();
    Lease theirLease = acquire(others, id, "their-worker");
    assertThat(others.leases().find(id).orElseThrow().owner()).isEqualTo("their-worker");
    assertThat(repositories().leases().find(id).orElseThrow().owner()).isEqualTo("worker-1");

    committed(others.feed().cursors().delete(theirs));
    committed(
        others
            .executions()
            .transition(
                others.executions().find(id).orElseThrow(),
                Transition.to(ExecutionStatus.CANCELLED),
                Append.next(theirLease)));
    assertThat(others.events().purge(id, 3, true)).isEqualTo(2);

    assertThat(repositories().events().read(id, 1, 100).items()).hasSize(3);
    assertThat(history(id).stream().map(WorkflowEvent::type)).doesNotContain("Theirs");
    assertMineIsUntouched();
  }

  @Test
  void theSystemSeesTheFeedOfAllAndKeysOfWhatIsDue() {
    UUID theirs = newExecution(others).id();

    // From a place of this test on: other tests leave things in a shared store.
    List<FeedEntry> seen = new ArrayList<>();
    Optional<FeedCursor> after = repositories().feed().read(Optional.empty(), 1).next();
    while (true) {
      var page = node().persistence().system("contract").feed().read(after, 100);
      if (page.entries().isEmpty()) {
        break;
      }
      seen.addAll(page.entries());
      after = page.next();
    }

    assertThat(seen)
        .filteredOn(entry -> entry.event().executionId().equals(mine.id()))
        .hasSize(2)
        .allMatch(entry -> entry.tenantId().equals(tenant()));
    assertThat(seen)
        .filteredOn(entry -> entry.event().executionId().equals(theirs))
        .hasSize(1)
        .allMatch(entry -> entry.tenantId().equals("other-" + tenant()));
    assertThat(node().persistence().system("contract").due(1_000))
        .contains(new io.wovyr.persistence.Persistence.Due("other-" + tenant(), theirs));
  }

  @Test
  void pagesOfOneTenantDoNotLeadIntoAnother() {
    for (int i = 0; i < 5; i++) {
      newExecution();
      newExecution(others);
    }
    Optional<String> next =
        repositories().executions().list(Optional.empty(), 2, Optional.empty()).next();
    List<WorkflowExecution> found = new ArrayList<>();
    while (next.isPresent()) {
      Page<WorkflowExecution> page = others.executions().list(Optional.empty(), 2, next);
      found.addAll(page.items());
      next = page.next();
    }

    assertThat(found).allMatch(execution -> execution.header().tenantId().startsWith("other-"));
  }

  @Test
  @DisplayName("C069: no method opens a value of another tenant's record, sealed or not")
  void nothingOfAnotherIsOpened() {
    WorkflowEvent secret =
        repositories().events().byCorrelation(REQUEST, 1, Optional.empty()).items().get(0);
    assertThat(repositories().events().payload(secret)).contains(Payload.text("mine"));
    for (ThrowingCallable opening :
        List.<ThrowingCallable>of(
            () -> others.events().payload(secret),
            () -> others.events().value(secret, 0),
            () -> others.executions().input(mine),
            () -> others.executions().outcome(mine))) {
      assertThatThrownBy(opening)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("not read for this tenant");
    }
  }

  @Test
  @DisplayName("C077: after work of the system, done or failed, a caller sees its own tenant only")
  void workOfTheSystemLeavesNothingToTheCallsOfATenant() {
    UUID theirs = newExecution(others).id();
    for (int i = 0; i < 2; i++) {
      SystemAccess system = node().persistence().system("looking for what is due");
      assertThat(system.due(1_000)).extracting(Due::tenantId).contains("other-" + tenant());
      node().persistence().system("within it").sweepMarkers(10);
      assertThatThrownBy(() -> system.due(0)).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> system.metrics().add("contract", Map.of("x", Double.NaN)))
          .isInstanceOf(InvalidInput.class);

      assertThat(others.executions().list(Optional.empty(), 100, Optional.empty()).items())
          .extracting(WorkflowExecution::id)
          .containsExactly(theirs);
      assertThat(others.executions().find(mine.id())).isEmpty();
      assertThat(others.feed().read(Optional.empty(), 100).entries())
          .allMatch(entry -> entry.tenantId().equals("other-" + tenant()));
    }
  }

  @Test
  @DisplayName("C076: who may read audit records reads those of its own tenant only")
  void auditRecordsAreOfTheirTenant() {
    Repositories auditor = auditorOf(tenant());
    Repositories rival = auditorOf("other-" + tenant());
    List<UUID> foreign = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      NewAuditRecord approved = NewAuditRecord.done("approved", "order", "17");
      foreign.add(only(committed(auditor.audit().append(approved)), AuditRecord.class).id());
      committed(rival.audit().append(approved));
    }
    Instant begin = Instant.parse("1999-01-01T00:00:00Z");
    Instant end = Instant.parse("2999-01-01T00:00:00Z");
    for (List<AuditRecord> found :
        List.of(
            rival.audit().list(begin, end, 100, Optional.empty()).items(),
            rival.audit().about("order", "17", 100, Optional.empty()).items())) {
      assertThat(found)
          .hasSize(5)
          .allMatch(entry -> entry.header().tenantId().equals("other-" + tenant()))
          .extracting(AuditRecord::id)
          .doesNotContainAnyElementsOf(foreign);
    }
    assertThat(foreign).allMatch(id -> rival.audit().find(id).isEmpty());
  }

  private Repositories auditorOf(String tenant) {
    return node().persistence().as(Caller.of(tenant, "auditor", Role.AUDITOR, Role.WRITER));
  }

  // Every method there is: RightsContract says which is missing in RepositoryMethods.

  @TestFactory
  @DisplayName("C069, C070: of every method, for a tenant that has nothing")
  Stream<DynamicTest> noMethodShowsOrChangesWhatIsAnothers() {
    return everyMethod(TwoTenants::aForeignerWithoutRecords);
  }

  @TestFactory
  @DisplayName("C069, C070: of every method, for a tenant that has the same ids and names")
  Stream<DynamicTest> noMethodTakesTheSameIdsForAnothers() {
    return everyMethod(TwoTenants::aForeignerWithTheSameIds);
  }

  @TestFactory
  @DisplayName("C070: of every method, beside a tenant that has the same ids and names")
  Stream<DynamicTest> everyMethodLeavesTheSameIdsOfAnotherAlone() {
    return everyMethod(TwoTenants::theOwnerBesideTheSameIds);
  }

  private Stream<DynamicTest> everyMethod(BiConsumer<TwoTenants, RepositoryMethod<?>> check) {
    Storage raw = rawStorage();
    return RepositoryMethods.all().stream()
        .map(
            method ->
                dynamicTest(
                    method.toString(),
                    () -> check.accept(new TwoTenants(node().persistence(), raw), method)));
  }
}
