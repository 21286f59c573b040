/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Everything the proofs look at, as plain values: what the store says, what the ledger says, and
 * what a run without trouble came to.
 *
 * @param executions every execution of the store, by id
 * @param ledger every record of the ledger, oldest first
 * @param expected what each order should have come to, by execution id; every order is in it
 */
record Evidence(
    Map<UUID, Execution> executions, List<LedgerRecord> ledger, Map<UUID, Expected> expected) {
  Evidence {
    executions = Map.copyOf(executions);
    ledger = List.copyOf(ledger);
    expected = Map.copyOf(expected);
  }

  /** What an undisturbed run came to. */
  record Expected(String orderId, ExecutionStatus status, String contentHash) {}

  /**
   * One execution.
   *
   * @param events in sequence order
   * @param contentHash empty when the state cannot be read
   * @param broken why its history cannot be read; empty when it can
   */
  record Execution(
      UUID id,
      String orderId,
      ExecutionStatus status,
      Head head,
      List<Logged> events,
      Optional<String> contentHash,
      Optional<String> broken) {
    Execution {
      events = List.copyOf(events);
    }
  }

  /** The head of an execution. */
  record Head(long lastSequence, boolean closed, boolean owned) {}

  /**
   * An event.
   *
   * @param token of the lease it was written under, 0 when there was none
   */
  record Logged(long sequence, long token, UUID eventId, What what) {}

  /** What an event says. */
  sealed interface What {
    /** The execution was created. */
    record Created() implements What {}

    /** It reached another status. */
    record Moved(ExecutionStatus to) implements What {}

    /** An attempt began. */
    record Started(String key, boolean repeated, boolean takenOver) implements What {}

    /** An attempt ended, its effect having run under that token. */
    record Ended(String key, Mark mark, long ledgerToken) implements What {}
  }
}
