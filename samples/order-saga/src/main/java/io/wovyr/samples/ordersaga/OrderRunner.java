/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import io.wovyr.samples.ordersaga.Strike.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves one execution under one lease, as far as it goes: until it ended, has to wait, or the lease
 * is gone. The order of things is what makes it safe:
 *
 * <ol>
 *   <li>the lease is held (its token is higher than that of everybody before);
 *   <li>the token is announced outside, so that nothing of a former holder happens there any more;
 *   <li>the records are loaded, and the saga says what is next;
 *   <li>the start of an attempt is durable before the outside world is asked, under the same key on
 *       every repetition;
 *   <li>its end and what follows from it (the next start, a wait, another status) are one commit,
 *       and so are the records of it: the activity, its retry, the compensation stack.
 * </ol>
 *
 * <p>Used for one lease, on one thread.
 */
final class OrderRunner {
  private final Tools tools;
  private final Lease lease;
  private final UUID id;
  private final String orderId;
  private WorkflowExecution execution;
  private final Workflow workflow;
  private final SagaRecords records;
  private SagaState state;
  private long lastSequence;
  private boolean takenOver;
  private LeaseKeeper.@Nullable Kept kept;
  private @Nullable Phase stalledAt;

  /**
   * What a runner works with.
   *
   * @param storage where commits are struck; null where nobody strikes
   * @param policy of retries; content does not depend on how long it waits
   */
  record Tools(
      Repositories repositories,
      String worker,
      Ledger ledger,
      SeededFailures outside,
      LeaseKeeper keeper,
      @Nullable StrikingStorage storage,
      WorkEvents events,
      RetryPolicy policy) {}

  /** How it went. */
  enum Result {
    ENDED,
    /** Something is due later, or for somebody else: the lease is free. */
    HANDED_BACK,
    /** The lease is gone, or nobody knows: nothing more is sent, and it runs out. */
    LOST
  }

  private OrderRunner(Tools tools, Lease lease) {
    this.tools = tools;
    this.lease = lease;
    id = lease.executionId();
    takenOver = lease.takenOver();
    lastSequence = lease.head().lastSequence();
    execution =
        tools
            .repositories()
            .executions()
            .find(id)
            .orElseThrow(() -> new IllegalStateException("no execution " + id));
    orderId = execution.workflowId();
    workflow = Workflow.named(execution.definition().name());
    records = new SagaRecords(tools.repositories(), id, tools.worker(), tools.policy());
    if (execution.status() != ExecutionStatus.CREATED) {
      records.load();
    }
    state = records.state(workflow);
  }

  /** Moves the order of this lease. */
  static Result run(Tools tools, Lease lease) {
    try {
      tools.ledger().announce(lease.executionId(), lease.token());
      return new OrderRunner(tools, lease).keepAndMove();
    } catch (Ledger.StaleToken e) {
      return Result.LOST;
    }
  }

  private Result keepAndMove() {
    kept = tools.keeper().keep(lease, () -> {});
    try {
      return move();
    } catch (IllegalTransition e) {
      if (lease.isHeld()) {
        throw e;
      }
      // What was read meanwhile is the successor's work: there is nothing left to do here.
      tellLate(true, "core");
      return Result.LOST;
    } finally {
      kept.close();
    }
  }

  private Result move() {
    Step step = Saga.next(state);
    if (step instanceof Step.End end) {
      return commit(end(unit(), end)) ? Result.ENDED : Result.LOST;
    }
    Step.Attempt attempt = (Step.Attempt) step;
    UnitOfWork start = unit();
    if (execution.status() == ExecutionStatus.CREATED
        || execution.status() == ExecutionStatus.WAITING) {
      start.transition(execution, Transition.to(ExecutionStatus.RUNNING), mode());
    }
    if (!commit(begin(start, attempt))) {
      return Result.LOST;
    }
    while (lease.isHeld()) {
      strike(Phase.BEFORE_EFFECT);
      Ledger.Effect effect = ask(attempt);
      strike(Phase.AFTER_EFFECT);
      UnitOfWork unit = unit();
      Optional<Instant> again = ended(unit, attempt, effect);
      if (again.isPresent()) {
        return commit(waitUntil(unit, again.get())) ? Result.HANDED_BACK : Result.LOST;
      }
      Step next = Saga.next(state);
      if (next instanceof Step.End end) {
        return commit(end(unit, end)) ? Result.ENDED : Result.LOST;
      }
      if (Saga.isCompensating(state) && execution.status() == ExecutionStatus.RUNNING) {
        unit.transition(execution, Transition.to(ExecutionStatus.COMPENSATING), mode());
      }
      if (tools.events().isStopping()) {
        return commit(unit.release(lease, Wake.now())) ? Result.HANDED_BACK : Result.LOST;
      }
      attempt = (Step.Attempt) next;
      begin(unit, attempt);
      strikeInCommit();
      if (!commit(unit)) {
        return Result.LOST;
      }
      strike(Phase.AFTER_COMMIT);
    }
    return Result.LOST;
  }

  private Ledger.Effect ask(Step.Attempt attempt) {
    try {
      Ledger.Effect effect =
          tools
              .ledger()
              .perform(
                  id,
                  lease.token(),
                  attempt.key(),
                  () -> tools.outside().answer(orderId, attempt.activity(), attempt.number()));
      tellLate(false, "ledger");
      return effect;
    } catch (Ledger.StaleToken e) {
      tellLate(true, "ledger");
      throw e;
    }
  }

  private UnitOfWork begin(UnitOfWork unit, Step.Attempt attempt) {
    unit.append(id, mode(), SagaEvents.started(attempt, takenOver));
    records.begin(unit, attempt, Json.payload(Map.of("order", orderId)));
    takenOver = false;
    state = state.with(attempt.activity(), Mark.STARTED, attempt.number());
    return unit;
  }

  /** Stages the end of an attempt; answers when the next one is due, if it is tried again. */
  private Optional<Instant> ended(UnitOfWork unit, Step.Attempt attempt, Ledger.Effect effect) {
    Answer answer = effect.answer();
    Optional<Instant> again = Optional.empty();
    Mark mark = Mark.DONE;
    if (answer.kind() == Answer.Kind.DONE) {
      records.succeeded(unit, attempt, Payload.text(answer.text()));
    } else {
      again = records.failed(unit, attempt, answer);
      mark = again.isPresent() ? Mark.WAITING : Mark.FAILED;
    }
    state = state.with(attempt.activity(), mark, attempt.number());
    unit.append(id, mode(), SagaEvents.ended(attempt, answer, mark, effect.token()));
    return again;
  }

  private UnitOfWork end(UnitOfWork unit, Step.End end) {
    return unit.transition(
        execution,
        Transition.to(end.status()).withOutcome(Json.payload(Map.of("order", orderId))),
        mode());
  }

  /** The lease is free until then: whoever comes first goes on. */
  private UnitOfWork waitUntil(UnitOfWork unit, Instant due) {
    if (execution.status() == ExecutionStatus.RUNNING) {
      unit.transition(execution, Transition.to(ExecutionStatus.WAITING), mode());
    }
    return unit.release(lease, Wake.at(due));
  }

  private UnitOfWork unit() {
    return tools.repositories().unitOfWork();
  }

  private Append mode() {
    return Append.after(lease, lastSequence);
  }

  /** Commits, and goes on from what was stored; false when this worker has no business here. */
  private boolean commit(UnitOfWork unit) {
    long askedBefore = asked();
    CommitResult result = unit.commit();
    if (!result.isCommitted()) {
      tellLate(true, asked() == askedBefore ? "core" : "store");
      return false;
    }
    tellLate(false, "nobody");
    CommitResult.Applied committed = result.orThrow();
    List<WorkflowEvent> events = committed.records(WorkflowEvent.class);
    lastSequence = events.get(events.size() - 1).sequence();
    for (WorkflowExecution moved : committed.records(WorkflowExecution.class)) {
      execution = moved;
    }
    records.stored(committed);
    return true;
  }

  private long asked() {
    return tools.storage() == null ? 0 : tools.storage().asked();
  }

  private void tellLate(boolean refused, String by) {
    if (stalledAt != null) {
      tools.events().lateWrite(id, refused, by);
      stalledAt = null;
    }
  }

  private void strike(Phase phase) {
    Strike strike = takeStrike(phase);
    if (strike != null) {
      stalledAt = strike.kind() == Kind.STALL ? phase : null;
      tools.events().announce(phase, id, lease.token(), lastSequence);
      tools.events().hold();
    }
  }

  private void strikeInCommit() {
    StrikingStorage storage = tools.storage();
    Strike strike = storage == null ? null : takeStrike(Phase.IN_COMMIT);
    if (storage != null && strike != null) {
      storage.strikeNext(strike.kind(), id, lease.token(), lastSequence);
    }
  }

  /**
   * What is to be done here; it is put back when the lease is gone, as there is no work in flight.
   */
  private @Nullable Strike takeStrike(Phase phase) {
    Strike strike = tools.events().strikeAt(phase);
    if (strike != null && !silence()) {
      tools.events().putBack(strike);
      return null;
    }
    return strike;
  }

  /**
   * No heartbeat of this lease is under way when this returns: the process must not be stopped
   * while one of its threads is inside the store, where it would hold everybody up.
   *
   * @return whether the lease is held
   */
  private boolean silence() {
    if (kept != null) {
      kept.close();
    }
    return tools.repositories().leases().heartbeat(lease);
  }
}
