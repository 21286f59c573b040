/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells why a batch was refused, by looking at the rows afterwards. They may have changed since:
 * when nothing stands in its way any more, the batch is simply sent again. Thread-safe.
 */
final class ConflictJudge {
  private static final String CLOCK = "SELECT " + PostgresqlValues.CLOCK;

  private final NativeRecords records;

  ConflictJudge(NativeRecords records) {
    this.records = records;
  }

  /** A condition and the question that answers it. */
  private record Condition(Key key, Expectation expectation, NativeRecords.Question question) {}

  /**
   * Conditions that do not hold now; those of the first part of a very large batch that has any.
   */
  List<Failed> failed(Connection connection, Batch batch, Deadline deadline) throws SQLException {
    List<Failed> claimedTwice = claimedTwice(batch);
    if (!claimedTwice.isEmpty()) {
      return claimedTwice;
    }
    List<Condition> conditions = conditions(batch);
    String tenantId = batch.scope().tenantId();
    for (int from = 0; from < conditions.size(); from += NativeRecords.MOST) {
      List<Condition> some =
          conditions.subList(from, Math.min(conditions.size(), from + NativeRecords.MOST));
      List<Optional<Row>> rows =
          records.ask(
              connection, tenantId, some.stream().map(Condition::question).toList(), deadline);
      Instant now = clock(connection, some);
      List<Failed> failed = new ArrayList<>();
      for (int i = 0; i < some.size(); i++) {
        judge(failed, some.get(i), rows.get(i), now);
      }
      if (!failed.isEmpty()) {
        return failed;
      }
    }
    return List.of();
  }

  /** Looked at after the rows: what had expired by then has. */
  private static Instant clock(Connection connection, List<Condition> conditions)
      throws SQLException {
    boolean needed =
        conditions.stream()
            .anyMatch(
                condition ->
                    condition.expectation() instanceof Expectation.NotExpired
                        || condition.expectation() instanceof Expectation.Expired);
    if (!needed) {
      return Instant.EPOCH;
    }
    try (var statement = connection.prepareStatement(CLOCK);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return StoreTime.ofMicros(row.getLong(1));
    }
  }

  private List<Condition> conditions(Batch batch) {
    String tenantId = batch.scope().tenantId();
    List<Condition> conditions = new ArrayList<>();
    for (Batch.VersionIs check : batch.checks()) {
      version(conditions, tenantId, check.key(), check.version());
    }
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert) {
        byKey(conditions, tenantId, insert.key(), new Expectation.Absent());
        unique(conditions, tenantId, insert.after());
      } else if (mutation instanceof Mutation.Update update) {
        version(conditions, tenantId, update.key(), update.before().version());
        update
            .notExpired()
            .forEach(
                name ->
                    byKey(conditions, tenantId, update.key(), new Expectation.NotExpired(name)));
        update
            .expired()
            .forEach(
                name -> byKey(conditions, tenantId, update.key(), new Expectation.Expired(name)));
        unique(conditions, tenantId, update.after());
      } else if (mutation instanceof Mutation.Delete delete) {
        version(conditions, tenantId, delete.key(), delete.before().version());
      }
    }
    return conditions;
  }

  private void version(List<Condition> conditions, String tenantId, Key key, long version) {
    byKey(conditions, tenantId, key, new Expectation.VersionIs(version));
  }

  private void byKey(
      List<Condition> conditions, String tenantId, Key key, Expectation expectation) {
    conditions.add(new Condition(key, expectation, records.byKey(tenantId, key)));
  }

  private void unique(List<Condition> conditions, String tenantId, Row wanted) {
    RecordType type = wanted.type();
    for (IndexEntry entry : type.entries(wanted)) {
      if (entry.unique()) {
        RecordType.UniqueKey unique = type.uniqueKey(entry.index()).orElseThrow();
        conditions.add(
            new Condition(
                wanted.key(),
                new Expectation.UniqueKeyFree(entry.index()),
                records.byUnique(tenantId, type, unique, entry.values())));
      }
    }
  }

  private static void judge(
      List<Failed> failed, Condition condition, Optional<Row> found, Instant now) {
    Expectation expectation = condition.expectation();
    boolean holds;
    if (expectation instanceof Expectation.Absent) {
      holds = found.isEmpty();
    } else if (expectation instanceof Expectation.VersionIs version) {
      holds = found.isPresent() && found.get().version() == version.version();
    } else if (expectation instanceof Expectation.UniqueKeyFree) {
      holds = found.isEmpty() || found.get().key().equals(condition.key());
    } else if (expectation instanceof Expectation.NotExpired notExpired) {
      holds = found.isEmpty() || isLater(found.get(), notExpired.attribute(), now);
    } else {
      Expectation.Expired expired = (Expectation.Expired) expectation;
      holds = found.isEmpty() || !isLater(found.get(), expired.attribute(), now);
    }
    if (!holds) {
      failed.add(new Failed(condition.key(), expectation, found));
    }
  }

  private static boolean isLater(Row row, String attribute, Instant now) {
    return row.get(attribute) instanceof Instant instant && instant.isAfter(now);
  }

  /** Unique entries that two rows of the batch itself want. */
  private static List<Failed> claimedTwice(Batch batch) {
    Map<Object, Key> claims = new HashMap<>();
    List<Failed> failed = new ArrayList<>();
    for (Mutation mutation : batch.mutations()) {
      Row after =
          mutation instanceof Mutation.Insert insert
              ? insert.after()
              : mutation instanceof Mutation.Update update ? update.after() : null;
      if (after == null || after.type().uniqueKeys().isEmpty()) {
        continue;
      }
      for (IndexEntry entry : after.type().entries(after)) {
        if (entry.unique()
            && claims.putIfAbsent(List.of(after.type().name(), entry), after.key()) != null) {
          failed.add(
              new Failed(
                  after.key(), new Expectation.UniqueKeyFree(entry.index()), Optional.empty()));
        }
      }
    }
    return failed;
  }
}
