/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
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
  @DisplayName("C049: a NUL and every other character in values comes back as it was")
  void valuesKeepEveryCharacter() {
    StringBuilder everything = new StringBuilder(NUL);
    for (char c = 0; c < 0x100; c++) {
      everything.append(c);
    }
    everything.append("\ud83d\ude00 \u2028 \uffff \u0000");
    String text = everything.toString();
    byte[] bytes = new byte[3_000];
    new Random(1).nextBytes(bytes);
    UUID id = UUID.randomUUID();
    NewExecution execution =
        NewExecution.of(ORDER)
            .withId(id)
            .withInput(Payload.json("{\"list\":[\"ab\\u0000cd\",\"" + NUL + "\"]}"));
    committed(repositories().executions().create(execution));
    Lease lease = running(id);
    committed(
        repositories()
            .events()
            .append(
                id,
                Append.next(lease),
                put("text", text)
                    .put(Section.VARIABLES, "bytes", Payload.of("application/cbor", bytes))
                    .put(Section.VARIABLES, "empty", Payload.text(""))
                    .withPayload(Payload.text(text))));
    committed(
        repositories()
            .executions()
            .transition(
                execution(id),
                Transition.to(ExecutionStatus.FAILED).withOutcome(Payload.text(text)),
                Append.next(lease)));

    Node other = newNode();
    var there = other.as(tenant());
    WorkflowExecution stored = there.executions().find(id).orElseThrow();
    assertThat(there.executions().input(stored)).isEqualTo(execution.input());
    assertThat(there.executions().outcome(stored)).contains(Payload.text(text));
    assertThat(variable(id, "text")).contains(text);
    assertThat(variable(id, "empty")).contains("");
    WorkflowEvent event = there.events().find(id, 3).orElseThrow();
    assertThat(there.events().payload(event)).contains(Payload.text(text));
    assertThat(there.events().value(event, 1)).contains(Payload.of("application/cbor", bytes));
  }

  @Test
  void namesMayHaveEveryOtherCharacter() {
    String name = "Größe №7 \ud83d\ude00 a'b\"c\\d%e_f;--";
    WorkflowExecution execution =
        only(
            committed(
                repositories()
                    .executions()
                    .create(
                        NewExecution.of(DefinitionRef.of(name, 1))
                            .withWorkflowId(name)
                            .withSearchAttribute(name, name))),
            WorkflowExecution.class);
    committed(repositories().events().append(execution.id(), Append.signal(name), event(name)));

    assertThat(repositories().executions().findLive(name)).contains(execution(execution.id()));
    assertThat(execution(execution.id()).searchAttributes()).containsExactly(name + "=" + name);
    assertThat(history(execution.id()).get(1).type()).isEqualTo(name);
    assertThat(repositories().leases().acquireName(name, name, TTL)).isPresent();
    assertThat(repositories().leases().findName(name).orElseThrow().owner()).contains(name);
  }

  @Test
  void aRecordBeyondTheLimitIsRejectedAndTheLeaseStands() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    int limit = node().probe().limits().recordBytes();
    Payload tooLarge = Payload.of("application/octet-stream", new byte[limit + 1]);
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

  @Test
  @DisplayName("C051: what was saved equals what is loaded, to the microsecond, never rounded up")
  void instantsAreCutToMicroseconds() {
    for (String fraction : List.of("123456789", "999999999", "000000001")) {
      Instant exact = Instant.parse("2026-03-01T10:15:30." + fraction + "Z");
      Node node = newNode(() -> exact);
      var repositories = node.as(tenant());
      CommitResult.Committed created =
          committed(repositories.executions().create(NewExecution.of(ORDER)));
      UUID id = only(created, WorkflowExecution.class).id();
      Lease lease = acquire(repositories, id, "w");
      WorkflowEvent event =
          only(
              committed(repositories.events().append(id, Append.next(lease), event("E"))),
              WorkflowEvent.class);
      Instant cut = Inputs.micros(exact);

      assertThat(execution(id)).isEqualTo(only(created, WorkflowExecution.class));
      assertThat(execution(id).header().createdAt()).isEqualTo(cut).isBeforeOrEqualTo(exact);
      assertThat(repositories().events().find(id, 2)).contains(event);
      assertThat(event.committedAt()).isEqualTo(cut);
      assertThat(lease.head()).isEqualTo(head(id));
      assertThat(repositories.leases().release(lease, Wake.at(exact))).isTrue();
      assertThat(head(id).dueAt()).contains(cut);
    }
  }

  @Test
  @DisplayName(
      "C051: a lease whose expiry has nanoseconds is renewed and taken over like any other")
  void anExpiryWithNanosecondsIsLikeAnyOther() {
    UUID id = newExecution().id();
    Duration odd = Duration.ofSeconds(40).plusNanos(123_456_789);
    Lease lease =
        ((io.wovyr.persistence.lease.AcquireResult.Acquired)
                repositories().leases().acquire(id, "w", odd))
            .lease();
    assertThat(repositories().leases().heartbeat(lease)).isTrue();
    var other = newNode().as(tenant());
    other.leases().acquire(id, "w2", TTL);
    pass(odd.plusSeconds(1));

    assertThat(acquire(other, id, "w2").takenOver()).isTrue();
  }

  @Test
  void contentNeverShowsInTextsOrErrors() {
    String secret = "s3cr3t-content";
    UUID id = UUID.randomUUID();
    NewExecution execution = NewExecution.of(ORDER).withId(id).withInput(Payload.text(secret));
    CommitResult created = repositories().executions().create(execution);
    Lease lease = running(id);
    NewEvent event = put("k", secret).withId(UUID.randomUUID()).withPayload(Payload.text(secret));
    CommitResult appended = repositories().events().append(id, Append.after(lease, 2), event);
    int limit = node().probe().limits().recordBytes();
    List<Object> texts = new ArrayList<>(List.of(execution, created, event, appended, lease));
    texts.add(execution(id));
    texts.addAll(history(id));
    texts.add(repositories().executions().state(id));
    repositories().executions().state(id).forEach((key, leaf) -> texts.add(leaf));
    texts.add(
        repositories().executions().create(execution.withInput(Payload.text(secret + " changed"))));
    texts.add(
        repositories()
            .events()
            .append(
                id, Append.after(lease, 2), event.withPayload(Payload.text(secret + " changed"))));
    texts.add(repositories().events().append(id, Append.after(lease, 9), event));
    texts.add(
        thrown(
            () ->
                repositories()
                    .events()
                    .append(id, Append.next(lease), put("k", (secret + " ").repeat(limit / 10)))));
    texts.add(
        thrown(
            () ->
                repositories()
                    .executions()
                    .transition(
                        execution(id),
                        Transition.to(ExecutionStatus.WAITING).withOutcome(Payload.text(secret)),
                        Append.next(lease))));
    node().probe().sent().forEach(texts::add);

    assertThat(texts).allSatisfy(text -> assertThat(fullText(text)).doesNotContain(secret));
  }

  private static Throwable thrown(ThrowingCallable call) {
    Throwable error = org.assertj.core.api.Assertions.catchThrowable(call);
    assertThat(error).isInstanceOf(PersistenceException.class);
    return error;
  }

  private static String fullText(Object thing) {
    if (!(thing instanceof Throwable error)) {
      return thing.toString();
    }
    StringBuilder text = new StringBuilder();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      text.append(cause).append('\n');
    }
    return text.toString();
  }
}
