/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges the conditions of one batch against the rows as they are before it: a unique entry that
 * the batch itself releases is not free for another of its rows. Used once, under the store's lock.
 */
final class MemoryJudge {
  /** A unique entry that this batch claims. */
  private record Claim(RecordType type, IndexEntry entry) {}

  private final MemoryRows rows;
  private final Batch batch;
  private final String tenant;
  private final Instant now;
  private final List<Failed> failed = new ArrayList<>();
  private final Set<Claim> claims = new HashSet<>();

  MemoryJudge(MemoryRows rows, Batch batch, Instant now) {
    this.rows = rows;
    this.batch = batch;
    this.tenant = batch.scope().tenantId();
    this.now = now;
  }

  /** All conditions that do not hold. */
  List<Failed> failed() {
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert) {
        absent(insert.key());
        uniqueFree(insert.after(), List.of());
      } else if (mutation instanceof Mutation.Update update) {
        version(update.key(), update.before().version());
        times(update);
        uniqueFree(update.after(), update.after().type().entries(update.before()));
      } else if (mutation instanceof Mutation.Delete delete) {
        version(delete.key(), delete.before().version());
      }
    }
    batch.checks().forEach(check -> version(check.key(), check.version()));
    return failed;
  }

  private void absent(Key key) {
    rows.find(tenant, key)
        .ifPresent(row -> failed.add(new Failed(key, new Expectation.Absent(), Optional.of(row))));
  }

  private void version(Key key, long expected) {
    Optional<Row> actual = rows.find(tenant, key);
    if (actual.isEmpty() || actual.get().version() != expected) {
      failed.add(new Failed(key, new Expectation.VersionIs(expected), actual));
    }
  }

  private void times(Mutation.Update update) {
    Optional<Row> actual = rows.find(tenant, update.key());
    for (String attribute : update.notExpired()) {
      if (actual.isPresent() && !isLater(actual.get(), attribute)) {
        failed.add(new Failed(update.key(), new Expectation.NotExpired(attribute), actual));
      }
    }
    for (String attribute : update.expired()) {
      if (actual.isPresent() && isLater(actual.get(), attribute)) {
        failed.add(new Failed(update.key(), new Expectation.Expired(attribute), actual));
      }
    }
  }

  /** True when the stored instant lies in the store's future; null does not. */
  private boolean isLater(Row stored, String attribute) {
    return stored.get(attribute) instanceof Instant instant && instant.isAfter(now);
  }

  private void uniqueFree(Row after, List<IndexEntry> held) {
    for (IndexEntry entry : after.type().entries(after)) {
      if (!entry.unique() || held.contains(entry)) {
        continue;
      }
      Optional<Key> holder = rows.holder(tenant, after.type(), entry);
      boolean claimedTwice = !claims.add(new Claim(after.type(), entry));
      if (claimedTwice || (holder.isPresent() && !holder.get().equals(after.key()))) {
        failed.add(
            new Failed(
                after.key(),
                new Expectation.UniqueKeyFree(entry.index()),
                holder.flatMap(key -> rows.find(tenant, key))));
      }
    }
  }
}
