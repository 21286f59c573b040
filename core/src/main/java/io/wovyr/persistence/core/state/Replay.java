/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.state.WorkflowState;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Folds events into a state, and refuses a history with holes or doubles. Stateless, thread-safe.
 */
public final class Replay {
  private Replay() {}

  /**
   * The state after all of {@code events}. Reads them once, in the order given; memory grows with
   * the number of keys they change, not with their number.
   *
   * @param from the state after event {@code afterSequence}
   * @param afterSequence the cursor: replay begins strictly after it, and events up to it at the
   *     beginning of {@code events} are passed over; 0 for the empty state
   * @param events in sequence order
   * @throws BrokenHistory when the events do not follow the cursor and one another without a gap
   * @throws Corrupt when an event belongs to another execution, or puts a payload it does not have
   */
  public static WorkflowState fold(
      UUID executionId, WorkflowState from, long afterSequence, Iterable<WorkflowEvent> events) {
    return fold(new Contiguity(executionId, afterSequence, Long.MAX_VALUE), from, events);
  }

  /**
   * The state after event {@code throughSequence}: as {@link #fold(UUID, WorkflowState, long,
   * Iterable)}, and the history must reach that event. Events after it are left alone.
   *
   * @throws BrokenHistory also when the events end before {@code throughSequence}
   * @throws IllegalArgumentException when {@code throughSequence} lies before the cursor
   */
  public static WorkflowState foldThrough(
      UUID executionId,
      WorkflowState from,
      long afterSequence,
      long throughSequence,
      Iterable<WorkflowEvent> events) {
    if (throughSequence < afterSequence) {
      throw new IllegalArgumentException(
          "replay cannot go back from event " + afterSequence + " to " + throughSequence);
    }
    Contiguity contiguity = new Contiguity(executionId, afterSequence, throughSequence);
    WorkflowState result = fold(contiguity, from, events);
    if (contiguity.last < throughSequence) {
      throw new BrokenHistory(executionId, contiguity.last + 1, "missing");
    }
    return result;
  }

  private static WorkflowState fold(
      Contiguity contiguity, WorkflowState from, Iterable<WorkflowEvent> events) {
    if (from instanceof HashTrieState trie) {
      Changes changes = new Changes();
      contiguity.forEach(events, changes::add);
      return trie.with(changes.byKey());
    }
    OneByOne fold = new OneByOne(from);
    contiguity.forEach(events, fold);
    return fold.state;
  }

  /** Lets events through that follow one another. */
  private static final class Contiguity {
    private final UUID executionId;
    private final long cursor;
    private final long end;
    private long last;

    Contiguity(UUID executionId, long cursor, long end) {
      this.executionId = executionId;
      this.cursor = cursor;
      this.end = end;
      this.last = cursor;
    }

    void forEach(Iterable<WorkflowEvent> events, Consumer<WorkflowEvent> consumer) {
      for (WorkflowEvent event : events) {
        if (!event.executionId().equals(executionId)) {
          throw new Corrupt(
              "event %s belongs to execution %s, not %s"
                  .formatted(event.id(), event.executionId(), executionId),
              null);
        }
        if (last == end && event.sequence() > end) {
          return;
        }
        if (isNext(event.sequence())) {
          last = event.sequence();
          consumer.accept(event);
        }
      }
    }

    private boolean isNext(long sequence) {
      if (sequence == last + 1) {
        return true;
      }
      if (sequence > last) {
        throw new BrokenHistory(executionId, last + 1, "missing");
      }
      if (last > cursor) {
        throw new BrokenHistory(executionId, sequence, "duplicate");
      }
      return false;
    }
  }

  /** For states of another kind. */
  private static final class OneByOne implements Consumer<WorkflowEvent> {
    private WorkflowState state;

    OneByOne(WorkflowState state) {
      this.state = state;
    }

    @Override
    public void accept(WorkflowEvent event) {
      state = state.apply(event);
    }
  }
}
