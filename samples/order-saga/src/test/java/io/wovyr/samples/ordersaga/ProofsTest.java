/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static io.wovyr.persistence.execution.ExecutionStatus.COMPLETED;
import static io.wovyr.persistence.execution.ExecutionStatus.FAILED;
import static io.wovyr.persistence.execution.ExecutionStatus.RUNNING;
import static io.wovyr.persistence.execution.ExecutionStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.samples.ordersaga.Evidence.ActivityFact;
import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Expected;
import io.wovyr.samples.ordersaga.Evidence.Facts;
import io.wovyr.samples.ordersaga.Evidence.Fires;
import io.wovyr.samples.ordersaga.Evidence.Head;
import io.wovyr.samples.ordersaga.Evidence.Logged;
import io.wovyr.samples.ordersaga.Evidence.UndoFact;
import io.wovyr.samples.ordersaga.Evidence.What;
import io.wovyr.samples.ordersaga.LedgerRecord.Announced;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each proof holds for a right run and fails for every way in which a run can be wrong. */
class ProofsTest {
  private static final UUID ID = new UUID(7, 7);
  private static final Fires NOTHING_FIRED = new Fires(0, List.of(), Duration.ofMinutes(1));
  private static final Answer RECEIPT = new Answer(Answer.Kind.DONE, "receipt");

  private ExecutionStatus status = COMPLETED;
  private Head head = new Head(7, true, false);
  private Facts facts =
      new Facts(
          List.of(new ActivityFact("charge", ActivityStatus.COMPLETED, 1)),
          List.of(),
          List.of(new UndoFact(1, "charge", "refund", CompensationStatus.REGISTERED)));
  private Optional<String> hash = Optional.of("1:abc");
  private Optional<String> broken = Optional.empty();
  private final List<Logged> events = new ArrayList<>();
  private final List<LedgerRecord> ledger = new ArrayList<>();
  private final Map<UUID, Expected> expected = new HashMap<>();
  private final Map<UUID, Execution> more = new HashMap<>();

  /** One order: an effect under token 1 whose end was logged by the worker of token 2. */
  ProofsTest() {
    log(0, new What.Created());
    log(1, new What.Moved(RUNNING));
    log(1, new What.Started("charge/1", false, false));
    log(2, new What.Started("charge/1", true, true));
    log(2, new What.Ended("charge/1", Mark.DONE, 1));
    log(2, new What.Moved(WAITING));
    log(2, new What.Moved(RUNNING));
    log(2, new What.Moved(COMPLETED));
    head = new Head(8, true, false);
    ledger.add(new Announced(ID, 1));
    ledger.add(new Performed(ID, 1, "charge/1", RECEIPT));
    ledger.add(new Announced(ID, 2));
    expected.put(ID, new Expected("A-1", COMPLETED, "1:abc", facts.summary()));
  }

  private void log(long token, What what) {
    events.add(event(events.size() + 1, token, what));
  }

  private static Logged event(long sequence, long token, What what) {
    return new Logged(sequence, token, new UUID(9, sequence * 1000 + token), what);
  }

  private List<Proof> proofs() {
    Map<UUID, Execution> executions = new HashMap<>(more);
    if (!executions.containsKey(ID)) {
      executions.put(ID, execution(ID, "A-1"));
    }
    return Proofs.of(new Evidence(executions, ledger, expected, Optional.of(NOTHING_FIRED)));
  }

  private Execution execution(UUID id, String order) {
    return new Execution(
        id, Workflow.ORDER_SAGA, order, status, Instant.EPOCH, head, events, facts, hash, broken);
  }

  private void fails(int number, String why) {
    Proof proof = proofs().get(number - 1);
    assertThat(proof.holds()).isFalse();
    assertThat(proof.examples()).anySatisfy(example -> assertThat(example).contains(why));
  }

  @Test
  void allHoldForARightRun() {
    assertThat(proofs()).hasSize(6).allMatch(Proof::holds).allMatch(proof -> proof.checked() > 0);
  }

  @Test
  void countsAllViolationsAndShowsTheFirst() {
    for (int i = 0; i < 20; i++) {
      expected.put(new UUID(1, i), new Expected("B-" + i, COMPLETED, "1:abc", ""));
    }
    Proof proof = proofs().get(0);
    assertThat(proof.violations()).isEqualTo(20);
    assertThat(proof.examples()).hasSize(5);
  }

  @Nested
  class EndedOnce {
    @Test
    void failsWhenAnOrderIsMissing() {
      expected.put(new UUID(1, 1), new Expected("B-1", COMPLETED, "1:abc", ""));
      fails(1, "order B-1 is not there");
    }

    @Test
    void failsWhenAnExecutionBelongsToNoOrder() {
      UUID stray = new UUID(3, 3);
      more.put(stray, execution(stray, "C-1"));
      fails(1, "belongs to no order");
    }

    @Test
    void failsWhenTheStatusIsNotFinal() {
      status = RUNNING;
      fails(1, "it is RUNNING");
    }

    @Test
    void failsWhenTheStatusIsNoEndOfASaga() {
      status = ExecutionStatus.CANCELLED;
      fails(1, "it is CANCELLED");
    }

    @Test
    void failsWhenTheHeadIsOpen() {
      head = new Head(8, false, false);
      fails(1, "its head is not closed");
    }

    @Test
    void failsWhenTheLeaseIsHeld() {
      head = new Head(8, true, true);
      fails(1, "still holds its lease");
    }

    @Test
    void failsWhenTheHeadIsBehindItsEvents() {
      head = new Head(7, true, false);
      fails(1, "the last event is 7, it is 8");
    }

    @Test
    void failsWhenItEndedTwice() {
      log(2, new What.Moved(COMPLETED));
      fails(1, "comes after the end");
      fails(1, "it ended 2 times");
    }

    @Test
    void failsWhenSomethingHappensAfterTheEnd() {
      log(2, new What.Started("ship/1", false, false));
      fails(1, "event 9 comes after the end");
    }

    @Test
    void failsOnAnIllegalTransition() {
      events.set(5, event(6, 2, new What.Moved(ExecutionStatus.COMPENSATED)));
      fails(1, "leads from RUNNING to COMPENSATED");
    }

    @Test
    void failsWhenEventsAndRecordDisagree() {
      status = FAILED;
      fails(1, "lead to COMPLETED, its record says FAILED");
    }

    @Test
    void failsWhenTheHistoryCannotBeRead() {
      broken = Optional.of("missing event 3");
      fails(1, "missing event 3");
    }
  }

  @Nested
  class LedgerAndLog {
    @Test
    void failsWhenATokenFallsInTheLedger() {
      ledger.add(new Performed(ID, 1, "ship/1", RECEIPT));
      fails(2, "token 1 of execution " + ID + " comes after token 2");
    }

    @Test
    void failsWhenAnEffectHappenedTwice() {
      ledger.add(new Performed(ID, 2, "charge/1", RECEIPT));
      fails(2, "happened twice");
    }

    @Test
    void failsWhenAnEffectHasNoStartUnderItsToken() {
      ledger.set(1, new Performed(ID, 0, "charge/1", RECEIPT));
      fails(2, "no start is logged under it");
    }

    @Test
    void failsWhenTheEndNamesAnotherToken() {
      events.set(4, event(5, 2, new What.Ended("charge/1", Mark.DONE, 2)));
      fails(2, "its end names 2");
    }

    @Test
    void failsWhenAnEffectIsNotLogged() {
      ledger.add(new Performed(ID, 2, "ship/1", RECEIPT));
      fails(2, "ship/1 under token 2, no start is logged");
    }

    @Test
    void failsWhenALoggedEndHasNoEffect() {
      ledger.remove(1);
      fails(2, "has an end, the ledger has no such effect");
    }

    @Test
    void failsWhenAStartedAttemptHasNoEffect() {
      events.add(5, event(6, 2, new What.Started("ship/1", false, false)));
      fails(2, "ship/1 was started, the ledger has no such effect");
    }

    @Test
    void failsWhenTheLedgerKnowsAnExecutionTheStoreDoesNot() {
      ledger.add(new Announced(new UUID(5, 5), 1));
      ledger.add(new Performed(new UUID(5, 5), 1, "charge/1", RECEIPT));
      fails(2, "the store not");
    }

    @Test
    void failsWhenAnEventIsMissing() {
      events.remove(3);
      fails(2, "event 5 stands where 4 should");
    }

    @Test
    void failsWhenAnEventWasWrittenLate() {
      events.set(5, event(6, 1, new What.Moved(WAITING)));
      fails(2, "event 6 was written late, under token 1 after token 2");
    }

    @Test
    void failsWhenAnEventIdOccursTwice() {
      events.set(5, new Logged(6, 2, events.get(4).eventId(), new What.Moved(WAITING)));
      fails(2, "has an id twice");
    }

    @Test
    void failsWhenAnAttemptEndedTwice() {
      log(2, new What.Ended("charge/1", Mark.DONE, 1));
      fails(2, "charge/1 ended twice, again in event 9");
    }

    @Test
    void failsWhenAnAttemptEndedWithoutAStart() {
      events.set(4, event(5, 2, new What.Ended("ship/1", Mark.DONE, 1)));
      fails(2, "ship/1 ended in event 5, and had not started");
    }

    @Test
    void failsWhenAnAttemptStartedTwiceAsIfItWereNew() {
      events.set(3, event(4, 2, new What.Started("charge/1", false, true)));
      fails(2, "event 4 starts charge/1 as if it had not been started");
    }

    @Test
    void failsWhenAnAttemptStartedTwiceUnderOneToken() {
      events.set(3, event(4, 1, new What.Started("charge/1", true, true)));
      fails(2, "event 4 starts charge/1");
    }

    @Test
    void failsWhenAnAttemptStartedAfterItsEnd() {
      log(3, new What.Started("charge/1", true, true));
      fails(2, "starts charge/1, which had ended");
    }

    @Test
    void failsWhenTheHistoryCannotBeRead() {
      broken = Optional.of("missing event 3");
      fails(2, "missing event 3");
    }
  }

  @Nested
  class SameContent {
    @Test
    void failsWhenTheContentDiffers() {
      hash = Optional.of("1:def");
      fails(3, "A-1: COMPLETED 1:def, should be COMPLETED 1:abc");
    }

    @Test
    void failsWhenTheRecordsDiffer() {
      facts = new Facts(facts.activities(), facts.retries(), List.of());
      fails(3, "its records are charge COMPLETED 1, should be charge COMPLETED 1, 1. charge by");
    }

    @Test
    void failsWhenTheStatusDiffers() {
      status = FAILED;
      fails(3, "A-1: FAILED 1:abc, should be COMPLETED 1:abc");
    }

    @Test
    void failsWhenTheStateCannotBeRead() {
      hash = Optional.empty();
      fails(3, "unreadable");
    }

    @Test
    void failsWhenAnOrderIsMissing() {
      expected.put(new UUID(1, 1), new Expected("B-1", COMPLETED, "1:abc", ""));
      fails(3, "B-1: missing none");
    }
  }
}
