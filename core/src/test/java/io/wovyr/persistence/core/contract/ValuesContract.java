/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What passes the door comes back whole, and shows nowhere else. */
public abstract class ValuesContract extends RepositoryContract {
  private static final String NUL = "ab\u0000cd";

  protected ValuesContract(TestStore.Factory stores) {
    super(stores);
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
      Instant cut = exact.truncatedTo(ChronoUnit.MICROS);

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
        thrown(() -> repositories().events().append(id, Append.next(lease), tooLarge(secret))));
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
