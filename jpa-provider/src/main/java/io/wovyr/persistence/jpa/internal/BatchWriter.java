/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes one batch, statement by statement, inside a transaction that already keeps all others out
 * (SQLite's write lock). Checks first, then deletes and updates, then inserts. The first condition
 * that fails ends it; then all of the batch are judged, and the caller rolls back to where the
 * batch began.
 */
public final class BatchWriter {
  private static final Comparator<Mutation> ORDER =
      Comparator.<Mutation>comparingInt(BatchWriter::rank).thenComparing(Mutation::key);

  private final Function<RecordType, Records> records;
  private final Batch batch;
  private final Set<Key> applied = new HashSet<>();

  public BatchWriter(Function<RecordType, Records> records, Batch batch) {
    this.records = records;
    this.batch = batch;
  }

  private static int rank(Mutation mutation) {
    return mutation instanceof Mutation.Delete ? 0 : mutation instanceof Mutation.Update ? 1 : 2;
  }

  /** The outcome; on a Conflict some of the batch's statements may have run. */
  public CommitOutcome write() throws SQLException {
    for (Batch.VersionIs check : batch.checks()) {
      if (records.apply(check.key().type()).version(check.key()) != check.version()) {
        return judged();
      }
    }
    if (takesWhatItLetsGo()) {
      return judged();
    }
    for (Mutation mutation : ordered()) {
      if (!apply(mutation)) {
        return judged();
      }
      applied.add(mutation.key());
    }
    return new Committed(batch.commitId(), Map.of());
  }

  /**
   * Unique entries are judged as they are before the batch, which statements in a row do not do.
   */
  private boolean takesWhatItLetsGo() {
    Set<UniqueEntry> letGo = new HashSet<>();
    for (Mutation mutation : batch.mutations()) {
      Row before = before(mutation);
      if (before != null && !before.type().uniqueKeys().isEmpty()) {
        Set<UniqueEntry> held = uniqueEntries(before);
        held.removeAll(uniqueEntries(after(mutation)));
        letGo.addAll(held);
      }
    }
    return !letGo.isEmpty()
        && batch.mutations().stream()
            .anyMatch(mutation -> !Collections.disjoint(uniqueEntries(after(mutation)), letGo));
  }

  private record UniqueEntry(RecordType type, IndexEntry entry) {}

  private static Set<UniqueEntry> uniqueEntries(@Nullable Row row) {
    Set<UniqueEntry> entries = new HashSet<>();
    if (row != null) {
      for (IndexEntry entry : row.type().entries(row)) {
        if (entry.unique()) {
          entries.add(new UniqueEntry(row.type(), entry));
        }
      }
    }
    return entries;
  }

  private static @Nullable Row before(Mutation mutation) {
    if (mutation instanceof Mutation.Update update) {
      return update.before();
    }
    return mutation instanceof Mutation.Delete delete ? delete.before() : null;
  }

  private static @Nullable Row after(Mutation mutation) {
    if (mutation instanceof Mutation.Update update) {
      return update.after();
    }
    return mutation instanceof Mutation.Insert insert ? insert.after() : null;
  }

  private List<Mutation> ordered() {
    List<Mutation> mutations = batch.mutations();
    if (mutations.size() < 2) {
      return mutations;
    }
    List<Mutation> sorted = new ArrayList<>(mutations);
    sorted.sort(ORDER);
    return sorted;
  }

  private boolean apply(Mutation mutation) throws SQLException {
    Records of = records.apply(mutation.key().type());
    if (mutation instanceof Mutation.Insert insert) {
      return of.insert(insert.after());
    }
    if (mutation instanceof Mutation.Update update) {
      return of.update(update.before(), update.after());
    }
    return of.delete(((Mutation.Delete) mutation).before());
  }

  private Conflict judged() throws SQLException {
    List<Failed> failed = new ArrayList<>();
    for (Batch.VersionIs check : batch.checks()) {
      judgeVersion(failed, check.key(), check.version());
    }
    for (Mutation mutation : ordered()) {
      if (!applied.contains(mutation.key())) {
        judge(failed, mutation);
      }
    }
    if (failed.isEmpty()) {
      throw new SQLException("a statement of commit " + batch.commitId() + " failed for no reason");
    }
    return new Conflict(failed);
  }

  private void judge(List<Failed> failed, Mutation mutation) throws SQLException {
    if (mutation instanceof Mutation.Insert insert) {
      Key key = insert.key();
      Optional<Row> stored = records.apply(key.type()).read(key);
      if (stored.isPresent()) {
        failed.add(new Failed(key, new Expectation.Absent(), stored));
      }
      judgeUnique(failed, insert.after(), key);
    } else if (mutation instanceof Mutation.Update update) {
      judgeVersion(failed, update.key(), update.before().version());
      judgeUnique(failed, update.after(), update.key());
    } else if (mutation instanceof Mutation.Delete delete) {
      judgeVersion(failed, delete.key(), delete.before().version());
    }
  }

  private void judgeVersion(List<Failed> failed, Key key, long version) throws SQLException {
    Optional<Row> stored = records.apply(key.type()).read(key);
    if (stored.isEmpty() || stored.get().version() != version) {
      failed.add(new Failed(key, new Expectation.VersionIs(version), stored));
    }
  }

  private void judgeUnique(List<Failed> failed, Row wanted, Key key) throws SQLException {
    for (RecordType.UniqueKey unique : key.type().uniqueKeys()) {
      List<Object> values =
          unique.attributes().stream().map(wanted::get).filter(Objects::nonNull).toList();
      Optional<Row> holder =
          values.size() < unique.attributes().size()
              ? Optional.empty()
              : records.apply(key.type()).holder(key.type(), unique, values);
      if (holder.isPresent() && !holder.get().key().equals(key)) {
        boolean ours = applied.contains(holder.get().key());
        failed.add(
            new Failed(
                key,
                new Expectation.UniqueKeyFree(unique.name()),
                ours ? Optional.empty() : holder));
      }
    }
  }
}
