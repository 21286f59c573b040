/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityTimeouts;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.metrics.MetricsSnapshots;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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
    WorkflowExecution before = execution(id);
    NewEvent tooLarge = tooLarge("v");

    List<ThrowingCallable> calls =
        List.of(
            () -> repositories().events().append(id, Append.next(lease), tooLarge),
            () ->
                repositories()
                    .events()
                    .append(id, Append.next(lease), List.of(event("Small"), tooLarge)));
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

  private static void saysWhatTimesThereAre(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(what)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(what)
        .hasMessageContaining("to 9999");
  }

  @Test
  void timesThatNoStoreKeepsAreRefused() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    var compensations = repositories().compensations();
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Begun"))
            .with(compensations.push(id, NewCompensation.of("a", "undo-a")))
            .commit());
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Undo"))
            .with(compensations.start(compensations.next(id).orElseThrow()))
            .commit());
    CompensationRecord begun = compensations.next(id).orElseThrow();
    Payload why = Payload.text("why");
    for (Instant never :
        List.of(
            Instant.MIN,
            Instant.EPOCH.minusNanos(1),
            Instant.parse("+10000-01-01T00:00:00Z"),
            Instant.MAX)) {
      saysWhatTimesThereAre("the time of a wake-up", () -> Wake.at(never));
      saysWhatTimesThereAre(
          "the time of a wake-up", () -> repositories().leases().release(lease, Wake.at(never)));
      saysWhatTimesThereAre(
          "the time of the next attempt",
          () -> compensations.fail(begun, "E", why, Optional.of(never)));
      saysWhatTimesThereAre("the time of a schedule", () -> new Timing.Once(never));
      saysWhatTimesThereAre(
          "the start of a preview",
          () ->
              repositories()
                  .schedules()
                  .next(new Timing.Every(Duration.ofDays(1), Instant.EPOCH), never, 1));
    }
    assertThat(lease.isHeld()).isTrue();
    Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");
    committed(
        repositories()
            .unitOfWork()
            .with(compensations.fail(begun, "E", why, Optional.of(last)))
            .release(lease, Wake.at(last))
            .commit());
    assertThat(head(id).dueAt()).contains(last);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, 36_500L * 86_400 + 1})
  void delaysAndTimeoutsBeyondACenturyAreRefused(long seconds) {
    Duration forEver = Duration.ofSeconds(seconds);
    RetryPolicy policy = RetryPolicy.ofAttempts(3);
    List<ThrowingCallable> calls =
        List.of(
            () -> policy.withDelays(Duration.ZERO, forEver),
            () -> policy.withDelays(forEver, forEver),
            () -> ActivityTimeouts.NONE.withStartToClose(forEver),
            () -> ActivityTimeouts.NONE.withHeartbeat(forEver),
            () ->
                new ActivityTimeouts(
                    Optional.of(forEver), Optional.empty(), Optional.empty(), Optional.empty()),
            () ->
                new ActivityTimeouts(
                    Optional.empty(), Optional.empty(), Optional.of(forEver), Optional.empty()),
            () -> repositories().leases().keeper(forEver));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %s", i)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at most 36,500 days");
    }
  }

  @Test
  void theLongestDelaysAndTimeoutsAreKept() {
    Duration longest = Duration.ofDays(36_500);
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    Activities activities = repositories().activities();
    RetryPolicy policy = RetryPolicy.ofAttempts(3).withDelays(longest, longest);
    committed(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Begun"))
            .with(
                activities.begin(
                    id,
                    NewActivity.of("a", "t")
                        .withTimeouts(ActivityTimeouts.NONE.withStartToClose(longest)),
                    "worker-1"))
            .with(repositories().retries().failed(id, "a", policy, "E", Payload.text("e")).change())
            .commit());
    ActivityExecution begun = activities.find(id, "a").orElseThrow();
    Instant end = begun.startedAt().orElseThrow().plus(longest);
    assertThat(begun.timesOutAt()).contains(end);
    assertThat(repositories().retries().nextDue(id).orElseThrow()).isBeforeOrEqualTo(end);
  }

  @Test
  void allTimesAreAskedForByTheFirstAndTheLastInstant() {
    WorkflowExecution execution = newExecution();
    Repositories auditor =
        node().persistence().as(Caller.of(tenant(), "auditor", Role.READER, Role.AUDITOR));
    committed(auditor.audit().append(NewAuditRecord.done("looked", "execution", "1")));
    MetricsSnapshots metrics = node().persistence().system("contract").metrics();
    String source = "source-" + UUID.randomUUID();
    committed(metrics.add(source, Map.of("a", 1)));
    for (Instant last :
        List.of(Instant.MAX, Instant.parse("+292278-01-01T00:00:00Z"), Instant.MAX.minusNanos(1))) {
      Optional<String> start = Optional.empty();
      assertThat(auditor.audit().list(Instant.MIN, last, 10, start).items()).hasSize(1);
      assertThat(auditor.audit().list(last, Instant.MIN, 10, start).items()).isEmpty();
      assertThat(metrics.list(source, Instant.MIN, last, 10, start).items()).hasSize(1);
      assertThat(metrics.list(source, last, last, 10, start).items()).isEmpty();
      ExecutionQuery all = ExecutionQuery.all().from(Instant.MIN).to(last);
      assertThat(repositories().executions().find(all, 10, start).items())
          .containsExactly(execution);
      assertThat(
              repositories().executions().find(ExecutionQuery.all().from(last), 10, start).items())
          .isEmpty();
    }
    assertThat(metrics.removeBefore(source, Instant.MIN, 10)).isZero();
    assertThat(metrics.removeBefore(source, Instant.MAX, 10)).isEqualTo(1);
  }

  @Test
  void noTimeToWaitIsTooLongOrTooShort() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    Duration over = Duration.ofSeconds(Long.MIN_VALUE);
    NewExecution order = NewExecution.of(ORDER);
    committed(repositories().unitOfWork().create(order).within(forEver).commit());
    committed(repositories().retrying(forEver, orders -> orders.executions().create(order)));
    committed(repositories().retrying(over, orders -> orders.executions().create(order)));
    assertThatThrownBy(() -> repositories().unitOfWork().create(order).within(over).commit())
        .isInstanceOf(Unavailable.class);
    for (Duration grace : List.of(forEver, over)) {
      assertThat(repositories().leases().keeper(Duration.ofSeconds(1)).shutdown(grace)).isTrue();
    }
  }

  /** Asks by a token with one byte changed: an answer, or refused as no token of this query. */
  private static void askByEveryChangedToken(Function<Optional<String>, Page<?>> query) {
    String token = query.apply(Optional.empty()).next().orElseThrow();
    byte[] bytes = Base64.getUrlDecoder().decode(token);
    for (int i = 0; i < bytes.length; i++) {
      for (int changed : new int[] {0, bytes[i] ^ 1, 0x7f, 0xff}) {
        byte[] forged = bytes.clone();
        forged[i] = (byte) changed;
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
        try {
          assertThat(query.apply(Optional.of(text)).items()).hasSizeLessThanOrEqualTo(1);
        } catch (InvalidInput refused) {
          assertThat(refused).hasMessageNotContaining(text);
        }
      }
    }
  }

  @Test
  @DisplayName("C049: whatever a page token was changed to, it is refused or leads somewhere")
  void aForgedPageTokenIsRefusedOrLeadsSomewhere() {
    newExecution();
    newExecution();
    for (String name : List.of("one", "two")) {
      committed(repositories().definitions().add(NewDefinition.of(name, Payload.text("body"))));
    }
    askByEveryChangedToken(next -> repositories().executions().list(Optional.empty(), 1, next));
    askByEveryChangedToken(next -> repositories().definitions().list(Optional.empty(), 1, next));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\u0000", "\u0000"})
  @DisplayName("C049: a key with U+0000 is refused where unreadable records are asked for")
  void aKeyWithNulIsRefusedWhereUnreadableRecordsAreAskedFor(String name) {
    refused(() -> repositories().quarantine().find("schedule", name));
    refused(() -> repositories().quarantine().find("definition", name + "/1"));
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
