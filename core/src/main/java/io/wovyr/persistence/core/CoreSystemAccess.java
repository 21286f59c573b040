/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the system needs across tenants. Thread-safe. */
final class CoreSystemAccess implements SystemAccess {
  private static final Logger LOG = LoggerFactory.getLogger(CoreSystemAccess.class);
  private static final String ACTOR = "wovyr";

  /** A scan ends before its bound, and what is due now is due. */
  private static final StoreTime JUST_AFTER_NOW =
      new StoreTime(Duration.of(1, ChronoUnit.MICROS), Duration.ZERO);

  private final Engine engine;
  private final Scope.System scope;
  private final TenantAccess access;

  CoreSystemAccess(Engine engine, String reason) {
    this.engine = engine;
    this.scope = new Scope.System(Inputs.name("reason", reason));
    this.access =
        new TenantAccess(engine, scope, ACTOR, EnumSet.allOf(Role.class), Optional.empty());
  }

  @Override
  public List<Due> due(int limit) {
    checkLimit(limit);
    return overdue(RecordTypes.HEAD, "due", limit).stream()
        .map(found -> new Due(found.tenantId(), (UUID) found.key().values().get(0)))
        .toList();
  }

  @Override
  public List<DueSchedule> dueSchedules(int limit) {
    checkLimit(limit);
    return overdue(RecordTypes.SCHEDULE, "due", limit).stream()
        .map(found -> new DueSchedule(found.tenantId(), (String) found.key().values().get(0)))
        .toList();
  }

  @Override
  public Page<DueSchedule> dueSchedules(int limit, Optional<String> after) {
    checkLimit(limit);
    Scan scan =
        Scan.byPath(RecordTypes.SCHEDULE, "due", List.of(), limit).to(engine.stamp(JUST_AFTER_NOW));
    Page<ScopedKey> page = keys(scan.after(after));
    while (page.items().isEmpty() && page.next().isPresent()) {
      page = keys(scan.after(page.next()));
    }
    return new Page<>(
        page.items().stream()
            .map(found -> new DueSchedule(found.tenantId(), (String) found.key().values().get(0)))
            .toList(),
        page.next());
  }

  private Page<ScopedKey> keys(Scan scan) {
    return engine.reading(options -> engine.storage().scanSystem(scope, scan, options));
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > 1_000) {
      throw new InvalidInput("limit must be 1 to 1,000, not " + limit);
    }
  }

  private List<ScopedKey> overdue(RecordType type, String path, int limit) {
    Scan scan = Scan.byPath(type, path, List.of(), limit).to(engine.stamp(JUST_AFTER_NOW));
    List<ScopedKey> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<ScopedKey> page = keys(scan.after(next));
      found.addAll(page.items());
      next = page.next();
    } while (next.isPresent() && found.size() < limit);
    return found.size() > limit ? found.subList(0, limit) : found;
  }

  @Override
  public Leases leases() {
    return new CoreLeases(access);
  }

  @Override
  public Feed feed() {
    return new CoreFeed(access);
  }

  @Override
  public CoreMetrics metrics() {
    return new CoreMetrics(access);
  }

  @Override
  public int sweepMarkers(int limit) {
    return sweep(RecordTypes.COMMIT_MARKER, limit, (owner, marker) -> delete(owner, marker));
  }

  @Override
  public int sweepLargeValues(int limit) {
    return sweep(
        RecordTypes.LARGE_VALUE,
        limit,
        (owner, value) -> new LargeValueSweep(engine, owner, ACTOR).remove(value));
  }

  /** Goes on behind those that cannot be removed now, or not here. */
  private int sweep(RecordType type, int limit, BiPredicate<Scope, Row> remove) {
    checkLimit(limit);
    Scan scan = Scan.byPath(type, "expiry", List.of(), limit).to(engine.stamp(JUST_AFTER_NOW));
    int swept = 0;
    Optional<String> next = Optional.empty();
    do {
      Page<ScopedKey> page = keys(scan.after(next));
      for (ScopedKey found : page.items()) {
        if (swept < limit && removed(found, remove)) {
          swept++;
        }
      }
      next = page.next();
    } while (next.isPresent() && swept < limit);
    return swept;
  }

  private boolean removed(ScopedKey found, BiPredicate<Scope, Row> remove) {
    Scope owner = Engine.scopeOf(found.tenantId(), scope.reason());
    Optional<Row> row = readable(owner, found.key());
    try {
      return row.isPresent() && remove.test(owner, row.get());
    } catch (StorageFailure e) {
      LOG.debug("{} could not be swept, next time then: {}", found.key(), e.getMessage());
      return false;
    }
  }

  /** One that a newer node wrote is that node's to sweep, and a damaged one is left as it is. */
  private Optional<Row> readable(Scope owner, Key key) {
    try {
      return engine.read(owner, key);
    } catch (UnsupportedVersion | Corrupt e) {
      LOG.warn(
          "WOVYR-0101 a record of tenant {} is left out; 'wovyr quarantine list' names all such:"
              + " {}",
          owner.tenantId(),
          Pages.told(key, e));
      return Optional.empty();
    }
  }

  private boolean delete(Scope owner, Row marker) {
    Batch batch =
        new Batch(
            Engine.newId(),
            engine.epoch(),
            owner,
            Optional.empty(),
            List.of(new Mutation.Delete(marker)),
            List.of());
    return engine.storage().commit(batch, engine.commitDeadline())
        instanceof CommitOutcome.Committed;
  }
}
