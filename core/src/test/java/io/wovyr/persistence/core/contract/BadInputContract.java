/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is refused at the door, with a typed error and nothing written; and what passes it whole.
 */
public abstract class BadInputContract extends RepositoryContract {
  private static final String NUL = "ab\u0000cd";
  private static final String LONG = "x".repeat(256);
  private static final String HALF = "ab\ud83dcd";

  protected BadInputContract(TestStore.Factory stores) {
    super(stores);
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidInput.class)
        .hasMessageNotContaining("ab")
        .hasMessageNotContaining("xxx");
  }

  @Test
  @SuppressWarnings({"NullAway", "DataFlowIssue"}) // A caller without nullness checks does this.
  void aMissingCallerOrTenantIsRefused() {
    refused(() -> node().persistence().as(null));
    refused(() -> Caller.of(null, "actor"));
    refused(() -> Caller.of("", "actor"));
    refused(() -> Caller.of(" ", "actor"));
    refused(() -> Caller.of("tenant", null));
    refused(() -> new Caller(null, "actor", Set.of()));
    refused(() -> Caller.of("$system", "actor"));
    refused(() -> node().persistence().system(""));
    refused(() -> node().persistence().system(null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nul", "long", "half a pair", "control"})
  @DisplayName("C049: ids and names that a store could not keep are refused at the door")
  void namesThatNoStoreKeepsAreRefused(String what) {
    String bad =
        switch (what) {
          case "nul" -> NUL;
          case "long" -> LONG;
          case "half a pair" -> HALF;
          default -> "ab\u0001cd";
        };
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    int sent = node().probe().sent().size();
    List<ThrowingCallable> calls =
        List.of(
            () -> Caller.of(bad, "actor"),
            () -> Caller.of("tenant", bad),
            () -> NewExecution.of(ORDER).withWorkflowId(bad),
            () -> NewExecution.of(ORDER).withSearchAttribute(bad, "v"),
            () -> NewExecution.of(ORDER).withSearchAttribute("n", bad + bad),
            () -> DefinitionRef.of(bad, 1),
            () -> new DefinitionRef("n", 1, bad),
            () -> NewEvent.of(bad),
            () -> event("E").put(Section.VARIABLES, bad, Payload.text("v")),
            () -> event("E").putPayload(Section.VARIABLES, bad),
            () -> event("E").remove(Section.VARIABLES, bad),
            () -> Append.signal(bad),
            () -> Payload.of(bad, new byte[0]),
            () -> repositories().executions().findLive(bad),
            () -> repositories().leases().acquire(id, bad, TTL),
            () -> repositories().leases().assign(id, bad, TTL),
            () -> repositories().leases().acquireName(bad, "w", TTL),
            () -> repositories().leases().acquireName("n", bad, TTL),
            () -> repositories().leases().findName(bad),
            () -> repositories().feed().cursors().find(bad),
            () ->
                repositories()
                    .feed()
                    .cursors()
                    .insert(RegisteredCursor.of(bad, new FeedCursor(1, "1"))),
            () -> new FeedCursor(1, bad),
            () -> node().persistence().system(bad),
            () -> node().persistence().system("contract").leases().findName(bad));
    for (int i = 0; i < calls.size(); i++) {
      ThrowingCallable call = calls.get(i);
      assertThatThrownBy(call)
          .as("%s, call %s", what, i)
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining(bad);
    }
    assertThat(node().probe().sent()).hasSize(sent);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aRecordBeyondTheLimitIsRejectedAndTheLeaseStands() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    int limit = node().probe().limits().recordBytes();
    byte[] noise = new byte[limit + 1]; // Noise stays as long as it is when it is compressed.
    new Random(1).nextBytes(noise);
    Payload tooLarge = Payload.of("application/octet-stream", noise);
    WorkflowExecution before = execution(id);

    List<ThrowingCallable> calls =
        List.of(
            () ->
                repositories()
                    .events()
                    .append(
                        id,
                        Append.next(lease),
                        List.of(event("Small"), event("Large").withPayload(tooLarge))),
            () ->
                repositories()
                    .events()
                    .append(
                        id,
                        Append.next(lease),
                        event("Large").put(Section.VARIABLES, "v", tooLarge)),
            () -> repositories().executions().create(NewExecution.of(ORDER).withInput(tooLarge)),
            () ->
                repositories()
                    .executions()
                    .transition(
                        before,
                        Transition.to(ExecutionStatus.FAILED).withOutcome(tooLarge),
                        Append.next(lease)));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(Rejected.class).hasMessageContaining("recordBytes");
    }

    assertThat(history(id)).hasSize(2);
    assertThat(execution(id)).isEqualTo(before);
    committed(repositories().events().append(id, Append.next(lease), event("Goes on")));
  }

  @Test
  @DisplayName("C013: of a batch beyond the limits nothing is written")
  void aBatchBeyondTheLimitIsRejectedAsAWhole() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    int items = node().probe().limits().batchItems();
    List<NewEvent> tooMany = new ArrayList<>();
    for (int i = 0; i <= items; i++) {
      tooMany.add(event("E"));
    }

    assertThatThrownBy(() -> repositories().events().append(id, Append.next(lease), tooMany))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("batchItems");

    assertThat(history(id)).hasSize(2);
    committed(repositories().events().append(id, Append.next(lease), event("Goes on")));
  }

  @Test
  void ttlsAndLimitsOutsideTheirRangeAreRefused() {
    UUID id = newExecution().id();
    Leases leases = repositories().leases();
    for (Duration ttl :
        List.of(
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Leases.MIN_TTL.minusNanos(1),
            Leases.MAX_TTL.plusNanos(1))) {
      refused(() -> leases.acquire(id, "w", ttl));
      refused(() -> leases.assign(id, "w", ttl));
      refused(() -> leases.acquireName("n", "w", ttl));
    }
    for (int limit : new int[] {0, -1}) {
      refused(() -> repositories().executions().list(Optional.empty(), limit, Optional.empty()));
      refused(() -> repositories().events().read(id, 1, limit));
      refused(
          () -> repositories().events().byCorrelation(UUID.randomUUID(), limit, Optional.empty()));
      refused(
          () -> repositories().events().byCausation(UUID.randomUUID(), limit, Optional.empty()));
      refused(() -> leases.list(limit, Optional.empty()));
      refused(() -> repositories().feed().read(Optional.empty(), limit));
      refused(() -> repositories().feed().listCursors(limit, Optional.empty()));
      refused(() -> node().persistence().system("contract").due(limit));
    }
    refused(() -> node().persistence().system("contract").due(1_001));
  }

  @Test
  void aPageTokenOfSomethingElseIsRefused() {
    newExecution();
    newExecution();
    refused(
        () -> repositories().executions().list(Optional.empty(), 1, Optional.of("not a token")));
    refused(() -> repositories().leases().list(1, Optional.of("not a token")));
  }

  @Test
  void aLeaseThatIsNotOursIsRefused() {
    UUID id = newExecution().id();
    Lease foreign = new MadeUpLease(acquire(id));

    refused(() -> repositories().leases().heartbeat(foreign));
    refused(() -> repositories().leases().release(foreign, Wake.now()));
    refused(() -> repositories().events().append(id, Append.next(foreign), event("E")));
    refused(() -> repositories().unitOfWork().release(foreign, Wake.now()));
  }

  /** A lease some test double of an application might be. */
  private record MadeUpLease(Lease real) implements Lease {
    @Override
    public UUID executionId() {
      return real.executionId();
    }

    @Override
    public String worker() {
      return real.worker();
    }

    @Override
    public long token() {
      return real.token();
    }

    @Override
    public boolean takenOver() {
      return false;
    }

    @Override
    public io.wovyr.persistence.execution.ExecutionHead head() {
      return real.head();
    }

    @Override
    public Duration remaining() {
      return real.remaining();
    }

    @Override
    public boolean isHeld() {
      return true;
    }
  }
}
