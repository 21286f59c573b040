/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The activity, retry and compensation commands over a real SQLite store. */
final class WorkCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  /** Commits a change under a lease that is freed by it, and leaves the execution at rest. */
  private <T> T written(UUID id, Class<T> type, Change change) {
    return store
        .orders()
        .unitOfWork()
        .release(store.acquire(id, "worker-1"), Wake.onSignal())
        .with(change)
        .commit()
        .orThrow()
        .records(type)
        .get(0);
  }

  private ActivityExecution charge(UUID id) {
    NewActivity activity =
        NewActivity.of("charge", "Charge").withInput(Payload.text(SampleStore.SECRET));
    return written(id, ActivityExecution.class, store.orders().activities().schedule(id, activity));
  }

  private void fail(UUID id, RetryPolicy policy) {
    Payload reason = Payload.text(SampleStore.SECRET);
    written(
        id,
        RetryRecord.class,
        store.orders().retries().failed(id, "charge", policy, "CardDeclined", reason).change());
  }

  private void push(Lease lease, String activity) {
    NewCompensation entry =
        NewCompensation.of(activity, "undo-" + activity)
            .withInput(Payload.text(SampleStore.SECRET));
    store
        .orders()
        .unitOfWork()
        .append(lease.executionId(), Append.next(lease), NewEvent.of("Pushed"))
        .with(store.orders().compensations().push(lease.executionId(), entry))
        .commit()
        .orThrow();
  }

  @Nested
  final class Activities {
    @Test
    void listsTheOpenOnesOfAllAndAllOfOne() {
      UUID first = store.createOrder("order-1");
      UUID second = store.createOrder("order-2");
      ActivityExecution open = charge(first);
      ActivityExecution done =
          written(
              second,
              ActivityExecution.class,
              store.orders().activities().start(charge(second), "worker-7"));
      written(
          second,
          ActivityExecution.class,
          store.orders().activities().complete(done, Optional.of(Payload.text("ok"))));

      Command.Result all = wovyr.run("activity", "list");
      assertThat(all.exitCode()).as(all.error()).isZero();
      assertThat(all.lines()).hasSize(2);
      assertThat(all.out()).containsPattern(first + " +charge +Charge +SCHEDULED +0 +-");
      assertThat(wovyr.run("activity", "list", "--open").out()).isEqualTo(all.out());

      assertThat(wovyr.run("activity", "list", "order-2").out())
          .containsPattern(second + " +charge +Charge +COMPLETED +1 +worker-7");
      Parsed json = Parsed.of(wovyr.run("activity", "list", "--output", "json").out());
      assertThat(json.size("activities")).isEqualTo(1);
      assertThat(json.item("activities", 0).text("activityId")).isEqualTo(open.activityId());
      assertThat(all.out() + json.node()).doesNotContain(SampleStore.SECRET);
    }

    @Test
    void goesThroughAllPages() {
      for (int i = 0; i < 3; i++) {
        charge(store.createOrder("order-" + i));
      }
      Parsed first =
          Parsed.of(wovyr.run("activity", "list", "--limit", "2", "--output", "json").out());
      assertThat(first.size("activities")).isEqualTo(2);
      assertThat(wovyr.run("activity", "list", "--limit", "2").out())
          .contains("more: wovyr activity list --open --limit 2 --after ");
      Parsed rest =
          Parsed.of(
              wovyr
                  .run("activity", "list", "--after", first.text("next"), "--output", "json")
                  .out());
      assertThat(rest.size("activities")).isEqualTo(1);
      assertThat(rest.isNull("next")).isTrue();
    }

    @Test
    void saysSoWhenThereIsNoneAndRefusesWhatContradicts() {
      store.createOrder("order-1");
      assertThat(wovyr.run("activity", "list").out()).contains("no activities are open");
      assertThat(wovyr.run("activity", "list", "order-1").out()).contains("no activities");
      assertThat(wovyr.run("activity", "list", "order-1", "--open").exitCode()).isEqualTo(2);
      assertThat(wovyr.run("activity", "list", "order-9").exitCode()).isEqualTo(5);
    }
  }

  @Nested
  final class Retries {
    private final RetryPolicy later =
        RetryPolicy.ofAttempts(5).withDelays(Duration.ofHours(2), Duration.ofHours(2));

    @Test
    void listsThePendingTheExhaustedAndThoseOfOne() {
      UUID pending = store.createOrder("order-1");
      UUID exhausted = store.createOrder("order-2");
      fail(pending, later);
      fail(exhausted, RetryPolicy.ofAttempts(1));

      Command.Result due = wovyr.run("retry", "list");
      assertThat(due.lines()).hasSize(2);
      assertThat(due.out()).containsPattern(pending + " +charge +PENDING +1 +5 +CardDeclined");
      assertThat(wovyr.run("retry", "list", "--exhausted").out())
          .containsPattern(exhausted + " +charge +EXHAUSTED +1 +1 +CardDeclined");
      assertThat(wovyr.run("retry", "list", "order-2").lines()).hasSize(2);
      assertThat(due.out()).doesNotContain(SampleStore.SECRET);
      assertThat(wovyr.run("retry", "list", "order-2", "--pending").exitCode()).isEqualTo(2);
    }

    @Test
    void showsTheAttemptsOfOneAndTheirReasonsOnlyWhenAsked() {
      UUID id = store.createOrder("order-1");
      for (int attempt = 1; attempt <= 3; attempt++) {
        fail(id, RetryPolicy.ofAttempts(3).withDelays(Duration.ZERO, Duration.ZERO));
      }

      Command.Result shown = wovyr.run("retry", "show", "order-1", "charge");

      assertThat(shown.exitCode()).as(shown.error()).isZero();
      assertThat(shown.out())
          .containsPattern("execution +" + id + "\n")
          .containsPattern("status +EXHAUSTED\n")
          .containsPattern("failed +3 of 3\n")
          .containsPattern("due +-\n")
          .doesNotContain(SampleStore.SECRET, "vnd.wovyr");
      String time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";
      List<String> lines = shown.lines();
      List<String> table = lines.subList(lines.size() - 4, lines.size());
      assertThat(table.get(0)).containsPattern("^ATTEMPT +FAILED .UTC. +ERROR +NEXT AFTER +REASON");
      assertThat(table.get(1))
          .containsPattern("^ +1 +" + time + " +CardDeclined +0.0 s +text/plain.*, \\d+ B$");
      assertThat(table.get(3)).containsPattern("^ +3 +" + time + " +CardDeclined +- +text/plain");
      assertThat(wovyr.run("retry", "show", "order-1", "charge", "--values").lines().get(9))
          .containsPattern("CardDeclined +0.0 s +" + SampleStore.SECRET + "$");

      Parsed json =
          Parsed.of(wovyr.run("retry", "show", "order-1", "charge", "--output", "json").out());
      assertThat(json.size("history")).isEqualTo(3);
      assertThat(json.item("history", 1).number("attempt")).isEqualTo(2);
      assertThat(json.item("history", 1).text("error")).isEqualTo("CardDeclined");
      assertThat(json.item("history", 1).text("delay")).isEqualTo("PT0S");
      assertThat(json.item("history", 2).isNull("delay")).isTrue();
      assertThat(Instant.parse(json.item("history", 2).text("failedAt")))
          .isEqualTo(Instant.parse(json.text("lastFailureAt")));
      assertThat(json.node().toString()).contains("text/plain").doesNotContain(SampleStore.SECRET);
      assertThat(json.isNull("historyProblem")).isTrue();
    }

    @Test
    void showsTheRestOfARetryWhoseAttemptsDoNotOpen() throws Exception {
      fail(store.createOrder("order-1"), later);
      store.tamper("UPDATE retry SET reason = substr(reason, 1, length(reason) - 1)");

      Command.Result shown = wovyr.run("retry", "show", "order-1", "charge");

      assertThat(shown.exitCode()).as(shown.error()).isZero();
      assertThat(shown.out())
          .containsPattern("status +PENDING\n")
          .containsPattern("attempts +they cannot be opened with the settings here: .*cut");
      Parsed json =
          Parsed.of(wovyr.run("retry", "show", "order-1", "charge", "--output", "json").out());
      assertThat(json.isNull("history")).isTrue();
      assertThat(json.text("historyProblem")).contains("cut");
      assertThat(wovyr.run("retry", "show", "order-1", "charge", "--values").exitCode())
          .isEqualTo(6);
      Command.Result none = wovyr.run("retry", "show", "order-1", "ship");
      assertThat(none.exitCode()).isEqualTo(5);
      assertThat(none.error()).contains("wovyr retry list ");
    }

    @Test
    void makesOneDueNowAndGivesAnExhaustedOneAnotherAttempt() {
      UUID id = store.createOrder("order-1");
      fail(id, RetryPolicy.ofAttempts(1));

      Command.Result result = wovyr.run("retry", "retry-now", "order-1", "charge");

      assertThat(result.exitCode()).as(result.error()).isZero();
      assertThat(result.out()).contains("due now: attempt 2 of 2");
      assertThat(store.orders().retries().find(id, "charge").orElseThrow().status().name())
          .isEqualTo("PENDING");
      assertThat(store.persistence().system("test").due(10))
          .anyMatch(due -> due.executionId().equals(id));
      assertThat(wovyr.run("execution", "events", "order-1").out()).contains("wovyr.RetryNow");
      Parsed json =
          Parsed.of(wovyr.run("retry", "retry-now", "order-1", "charge", "--output", "json").out());
      assertThat(json.number("attempts")).isEqualTo(1);
    }

    @Test
    void refusesOneOfAnExecutionThatHasEnded() {
      UUID id = store.createOrder("order-1");
      fail(id, later);
      Lease lease = store.acquire(id, "worker-1");
      store.transition(lease, ExecutionStatus.RUNNING);
      store.transition(lease, ExecutionStatus.FAILED);

      Command.Result ended = wovyr.run("retry", "retry-now", id.toString(), "charge");

      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.error()).contains("has ended (FAILED)");
    }

    @Test
    void refusesOneThatIsOverAndOneThatIsNotThere() {
      UUID id = store.createOrder("order-1");
      Command.Result none = wovyr.run("retry", "retry-now", "order-1", "charge");
      assertThat(none.exitCode()).isEqualTo(5);
      assertThat(none.error()).contains("wovyr retry list " + id);

      fail(id, later);
      var retry = store.orders().retries().find(id, "charge").orElseThrow();
      written(id, RetryRecord.class, store.orders().retries().succeeded(retry));
      Command.Result over = wovyr.run("retry", "retry-now", "order-1", "charge");
      assertThat(over.exitCode()).isEqualTo(1);
      assertThat(over.error()).contains("SUCCEEDED");
    }
  }

  @Nested
  final class Compensations {
    private Lease rollingBack(String workflowId) {
      UUID id = store.createOrder(workflowId);
      Lease lease = store.acquire(id, "worker-1");
      store.transition(lease, ExecutionStatus.RUNNING);
      push(lease, "reserve");
      push(lease, "charge");
      store.transition(lease, ExecutionStatus.COMPENSATING);
      return lease;
    }

    @Test
    void listsAStackTopFirstAndEntriesOfAllByStatus() {
      UUID id = rollingBack("order-1").executionId();

      Command.Result stack = wovyr.run("compensation", "list", "order-1");
      assertThat(stack.exitCode()).as(stack.error()).isZero();
      List<String> lines = stack.lines();
      assertThat(lines).hasSize(3);
      assertThat(lines.get(1)).containsPattern(id + " +2 +charge +undo-charge +REGISTERED +0");
      assertThat(lines.get(2)).containsPattern(id + " +1 +reserve ");
      assertThat(wovyr.run("compensation", "list", "--status", "registered").lines()).hasSize(3);
      assertThat(wovyr.run("compensation", "list", "--status", "FAILED").out())
          .contains("nothing is FAILED");
      assertThat(wovyr.run("compensation", "list").exitCode()).isEqualTo(2);
    }

    @Test
    void showsOneEntryItsValuesOnlyWhenAsked() {
      rollingBack("order-1");

      Command.Result shown = wovyr.run("compensation", "show", "order-1", "2");
      assertThat(shown.exitCode()).as(shown.error()).isZero();
      assertThat(shown.out())
          .containsPattern("undoes activity +charge\n")
          .containsPattern("status +REGISTERED\n")
          .doesNotContain(SampleStore.SECRET);
      assertThat(wovyr.run("compensation", "show", "order-1", "2", "--values").out())
          .contains(SampleStore.SECRET);
      Command.Result missing = wovyr.run("compensation", "show", "order-1", "3");
      assertThat(missing.exitCode()).isEqualTo(5);
      assertThat(missing.error()).contains("wovyr compensation list ");
    }

    @Test
    void showsHowAnUndoWasTriedAndWhyItWasLeft() {
      SampleWork.undoing(store, "order-1");

      Command.Result shown = wovyr.run("compensation", "show", "order-1", "1");
      assertThat(shown.exitCode()).as(shown.error()).isZero();
      assertThat(shown.out())
          .containsPattern("failure +text/plain;charset=utf-8, \\d+ B\n")
          .doesNotContain("vnd.wovyr", SampleStore.SECRET);
      List<String> lines = shown.lines();
      assertThat(lines.get(lines.size() - 2)).startsWith("ATTEMPT  FAILED (UTC)");
      assertThat(lines.get(lines.size() - 1))
          .containsPattern("^ +1 .* TRY_AGAIN +(1 min|59 s) +text/plain");
      String[] json = {"compensation", "show", "order-1", "1", "--output", "json"};
      assertThat(Parsed.of(wovyr.run(json).out()).item("history", 0).text("error"))
          .isEqualTo("TRY_AGAIN");

      UUID id = store.orders().executions().findLive("order-1").orElseThrow().id();
      var failed = store.orders().compensations().find(id, 1).orElseThrow();
      written(
          id,
          CompensationRecord.class,
          store.orders().compensations().skip(failed, Payload.text("by hand")));
      Command.Result left = wovyr.run("compensation", "show", "order-1", "1", "--values");
      assertThat(left.out())
          .containsPattern("status +SKIPPED\n")
          .containsPattern("failure +by hand\n")
          .containsPattern("\n +1 .* TRY_AGAIN .*" + SampleStore.SECRET);
    }

    @Test
    void resumingMakesItDueAndUndoesNothing() {
      Lease lease = rollingBack("order-1");
      UUID id = lease.executionId();
      store.orders().leases().release(lease, Wake.onSignal());
      assertThat(store.persistence().system("test").due(10)).isEmpty();

      Command.Result result = wovyr.run("compensation", "resume", "order-1");

      assertThat(result.exitCode()).as(result.error()).isZero();
      assertThat(result.out()).contains(id + " is due now; undone next: 2 charge by undo-charge");
      assertThat(store.persistence().system("test").due(10))
          .singleElement()
          .satisfies(due -> assertThat(due.executionId()).isEqualTo(id));
      assertThat(store.orders().compensations().stack(id, 9, Optional.empty()).items())
          .allMatch(entry -> entry.attempts() == 0);
      assertThat(wovyr.run("execution", "events", "order-1").out())
          .contains("wovyr.CompensationResumed");
    }

    @Test
    void resumingSaysWhoHoldsIt() {
      rollingBack("order-1");
      Command.Result result = wovyr.run("compensation", "resume", "order-1");
      assertThat(result.out()).contains("held by worker-1");
    }

    @Test
    void onlyARollbackIsResumed() {
      store.createOrder("order-1");
      Command.Result result = wovyr.run("compensation", "resume", "order-1");
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.error()).contains("CREATED, not COMPENSATING");
      assertThat(wovyr.run("execution", "events", "order-1").lines()).hasSize(2);
    }
  }
}
