/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.BatchPlan.Guard;
import io.wovyr.persistence.kv.BatchPlan.Known;
import io.wovyr.persistence.kv.BatchPlan.Series;
import io.wovyr.persistence.kv.BatchPlan.Tail;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes batches, and says what refusals mean. Thread-safe. */
final class Committer {
  private final Engine engine;
  private final Layout layout;

  Committer(Engine engine, Layout layout) {
    this.engine = engine;
    this.layout = layout;
  }

  List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    List<BatchPlan> plans = new ArrayList<>(batches.size());
    List<AtomicWrite> writes = new ArrayList<>(batches.size());
    for (Batch batch : batches) {
      BatchPlan plan = plan(batch, Map.of());
      plans.add(plan);
      if (plan.impossible().isEmpty()) {
        writes.add(plan.write());
      }
    }
    List<WriteOutcome> written = writes.isEmpty() ? List.of() : engine.write(writes, deadline);
    boolean applied = written.stream().anyMatch(WriteOutcome.Applied.class::isInstance);
    List<CommitOutcome> outcomes = new ArrayList<>(batches.size());
    int next = 0;
    for (BatchPlan plan : plans) {
      if (!plan.impossible().isEmpty()) {
        outcomes.add(new Conflict(plan.impossible()));
        continue;
      }
      CommitOutcome outcome = settled(plan, written.get(next++), applied, deadline);
      applied |= outcome instanceof CommitOutcome.Committed;
      outcomes.add(outcome);
    }
    return outcomes;
  }

  BatchPlan plan(Batch batch, Map<Series, Known> known) {
    boolean checkEpoch = !engine.shape().exclusive();
    return new BatchPlan(layout, batch, engine.shape().blockBytes(), checkEpoch, known);
  }

  private CommitOutcome settled(
      BatchPlan plan, WriteOutcome outcome, boolean others, Deadline deadline) {
    if (outcome instanceof WriteOutcome.Applied) {
      return committed(plan.batch());
    }
    try {
      return settled(plan, (Refused) outcome, deadline);
    } catch (Unavailable | Corrupt e) {
      if (!others) {
        throw e;
      }
      throw new OutcomeUnknown(
          "commit %s, one batch of a call, was not settled, others are written: submit each again"
              .formatted(plan.batch().commitId()),
          e);
    }
  }

  private static CommitOutcome committed(Batch batch) {
    return new CommitOutcome.Committed(batch.commitId(), Map.of());
  }

  /** Answers a refusal, or writes rows whose numbers are free below the highest one. */
  private CommitOutcome settled(BatchPlan plan, Refused refused, Deadline deadline) {
    BatchPlan current = plan;
    Refused last = refused;
    while (true) {
      Look look = look(current, last, deadline);
      if (!look.failed().isEmpty()) {
        return new Conflict(look.failed());
      }
      if (deadline.isOver()) {
        throw new Unavailable("the deadline came before the batch; nothing was written", null);
      }
      current = plan(plan.batch(), look.known());
      WriteOutcome outcome = engine.write(List.of(current.write()), deadline).get(0);
      if (outcome instanceof WriteOutcome.Applied) {
        return committed(plan.batch());
      }
      last = (Refused) outcome;
    }
  }

  /**
   * What was found.
   *
   * @param failed conditions of the batch; when there are none, it may be written after all
   * @param known the series whose numbers do not rise
   */
  record Look(List<Failed> failed, Map<Series, Known> known) {}

  /** Looks at what refused a plan. */
  Look look(BatchPlan plan, Refused refused, Deadline deadline) {
    try (View view = engine.view(deadline)) {
      RowReader reader = new RowReader(view, layout, plan.batch().scope().tenantId());
      List<Failed> failed = new ArrayList<>();
      Map<Series, Known> known = new HashMap<>();
      for (Refusal refusal : refused.refusals()) {
        if (plan.isEpochCheck(refusal.change())) {
          throw new Unavailable(
              "commit %s was read in another epoch than the store is in: read again"
                  .formatted(plan.batch().commitId()),
              null);
        }
        Optional<Guard> guard = plan.guard(refusal.change());
        Optional<Tail> tail = plan.tail(refusal.change());
        if (tail.isPresent()) {
          Series series = tail.get().series();
          failed.addAll(taken(reader, tail.get()));
          known.put(series, new Known(tailOf(view, plan.batch(), series)));
        } else if (guard.isPresent() && !TypeLayout.of(guard.get().key().type()).blocked()) {
          failed.add(failed(reader, guard.get(), refusal.actual()));
        } else if (guard.isPresent()
            && guard.get().expectation() instanceof Expectation.UniqueKeyFree) {
          failed.add(failed(reader, guard.get(), refusal.actual()));
        }
      }
      return new Look(failed, known);
    }
  }

  private Optional<Stored> tailOf(View view, Batch batch, Series series) {
    return view.get(List.of(layout.tail(batch.scope().tenantId(), series.type(), series.prefix())))
        .get(0);
  }

  /** The rows of a series that are there already. */
  private List<Failed> taken(RowReader reader, Tail tail) {
    List<Failed> failed = new ArrayList<>();
    for (List<Row> run : tail.runs()) {
      Set<Key> wanted = new HashSet<>();
      run.forEach(row -> wanted.add(row.key()));
      Key last = run.get(run.size() - 1).key();
      for (RowReader.Read block : reader.blocks(run.get(0).key(), reader.after(last))) {
        for (Row row : block.rows()) {
          if (wanted.contains(row.key())) {
            failed.add(new Failed(row.key(), new Expectation.Absent(), Optional.of(row)));
          }
        }
      }
    }
    return failed;
  }

  private Failed failed(RowReader reader, Guard guard, Optional<Stored> actual) {
    RecordType type = guard.key().type();
    Optional<Row> row;
    if (guard.expectation() instanceof Expectation.UniqueKeyFree) {
      row = actual.map(entry -> holder(type, entry)).flatMap(reader::row);
    } else {
      row = actual.map(stored -> reader.decoded(guard.key(), stored));
    }
    return new Failed(guard.key(), guard.expectation(), row);
  }

  /** The key of the row that holds a unique entry. */
  static Key holder(RecordType type, Stored entry) {
    KeyReader in = new KeyReader(entry.body().unsafeArray(), 0);
    return new Key(type, Layout.read(in, TypeLayout.of(type).keyKinds()));
  }
}
