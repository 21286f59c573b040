/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Stores whose tenants see, hold or touch each other. */
final class BrokenWalls {
  private static final String WALLS = "Tenant walls";

  private BrokenWalls() {}

  static List<Broken> all() {
    return List.of(
        Broken.handle(
            "a record is found by key in every tenant",
            WALLS,
            "c069ARecordIsNotFoundByKeyFromAnotherTenant",
            FindsByKey::new),
        Broken.handle(
            "what is unique is found in every tenant",
            WALLS,
            "aRecordIsNotFoundByAnythingUniqueFromAnotherTenant",
            FindsByUnique::new),
        Broken.handle(
            "scans walk every tenant", WALLS, "scansSeeTheirOwnTenantOnly", ScansAll::new),
        Broken.handle(
            "a conflict shows another tenant's row",
            WALLS,
            "c070AnUpdateOrDeleteOfAnotherTenantsRecordFindsNothing",
            ShowsAll::new),
        Broken.store(
            "a delete goes by key alone",
            WALLS,
            "c070AnUpdateOrDeleteOfAnotherTenantsRecordFindsNothing",
            DeletesAll::new),
        Broken.store(
            "unique keys are unique among all tenants",
            WALLS,
            "theSameKeyAndUniqueEntriesAreFreeInEveryTenant",
            UniqueAmongAll::new),
        Broken.handle(
            "tenant names are compared without case",
            WALLS,
            "c071TenantsWhoseNamesResembleEachOtherAreApart",
            LowerCase::new),
        Broken.handle(
            "a failure leaves its tenant on the connection",
            WALLS,
            "c073AFailureOfOneTenantLeaksNothingIntoTheNext",
            LeavesTenantBehind::new),
        Broken.handle(
            "a purge goes by execution alone",
            WALLS,
            "aPurgeTouchesItsOwnTenantOnly",
            PurgesAll::new));
  }

  /** Knows which tenants there are. */
  private abstract static class Knowing extends ForwardingStorage {
    private final Set<String> tenants = ConcurrentHashMap.newKeySet();

    Knowing(Storage storage) {
      super(storage);
    }

    final List<Scope> others(Scope scope) {
      return tenants.stream()
          .filter(tenant -> !tenant.equals(scope.tenantId()))
          .map(
              tenant ->
                  tenant.equals(Scope.SYSTEM_TENANT)
                      ? new Scope.System("mistake")
                      : Scope.tenant(tenant))
          .toList();
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      batches.forEach(batch -> tenants.add(batch.scope().tenantId()));
      return super.commit(batches, deadline);
    }

    final Optional<Row> anywhere(Scope scope, Key key) {
      ReadOptions options = ReadOptions.strong(Deadline.after(java.time.Duration.ofSeconds(5)));
      List<Scope> scopes = new ArrayList<>(List.of(scope));
      scopes.addAll(others(scope));
      return scopes.stream()
          .flatMap(one -> delegate().read(one, List.of(key), options).get(0).stream())
          .findFirst();
    }
  }

  private static final class FindsByKey extends Knowing {
    FindsByKey(Storage storage) {
      super(storage);
    }

    @Override
    public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
      return keys.stream().map(key -> anywhere(scope, key)).toList();
    }
  }

  private static final class FindsByUnique extends Knowing {
    FindsByUnique(Storage storage) {
      super(storage);
    }

    @Override
    public Optional<Row> readUnique(
        Scope scope, RecordType type, String name, List<Object> values, ReadOptions options) {
      Optional<Row> own = super.readUnique(scope, type, name, values, options);
      return own.isPresent()
          ? own
          : others(scope).stream()
              .flatMap(one -> super.readUnique(one, type, name, values, options).stream())
              .findFirst();
    }
  }

  private static final class ScansAll extends Knowing {
    ScansAll(Storage storage) {
      super(storage);
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      Page<Row> own = super.scan(scope, scan, options);
      if (own.items().size() != 1 || own.next().isPresent() || scan.limit() == 1) {
        return own;
      }
      List<Row> all = new ArrayList<>(own.items());
      others(scope).forEach(one -> all.addAll(super.scan(one, scan, options).items()));
      return new Page<>(all.stream().limit(scan.limit()).toList(), Optional.empty());
    }
  }

  private static final class ShowsAll extends Knowing {
    ShowsAll(Storage storage) {
      super(storage);
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      List<CommitOutcome> shown = new ArrayList<>();
      List<CommitOutcome> outcomes = super.commit(batches, deadline);
      for (int i = 0; i < batches.size(); i++) {
        Scope scope = batches.get(i).scope();
        shown.add(
            outcomes.get(i) instanceof Conflict conflict
                ? new Conflict(
                    conflict.failed().stream()
                        .map(
                            failed ->
                                new Failed(
                                    failed.key(),
                                    failed.expectation(),
                                    failed.actual().or(() -> anywhere(scope, failed.key()))))
                        .toList())
                : outcomes.get(i));
      }
      return shown;
    }
  }

  private static final class DeletesAll extends MemoryStore {
    DeletesAll(MemorySettings settings) {
      super(settings);
    }

    private final Set<String> tenants = ConcurrentHashMap.newKeySet();

    @Override
    CommitOutcome commitOne(Batch batch) {
      tenants.add(batch.scope().tenantId());
      CommitOutcome outcome = super.commitOne(batch);
      for (Mutation mutation : batch.mutations()) {
        if (mutation instanceof Mutation.Delete) {
          tenants.forEach(tenant -> rows().remove(tenant, mutation.key()));
        }
      }
      return outcome;
    }
  }

  private static final class UniqueAmongAll extends MemoryStore {
    private final Set<String> tenants = ConcurrentHashMap.newKeySet();

    UniqueAmongAll(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      tenants.add(batch.scope().tenantId());
      List<Failed> failed = new ArrayList<>(super.judge(batch, now));
      for (Mutation mutation : batch.mutations()) {
        if (mutation instanceof Mutation.Insert insert) {
          insert.key().type().entries(insert.after()).stream()
              .filter(IndexEntry::unique)
              .filter(entry -> isTakenElsewhere(batch.scope(), insert, entry))
              .forEach(
                  entry ->
                      failed.add(
                          new Failed(
                              insert.key(),
                              new Expectation.UniqueKeyFree(entry.index()),
                              Optional.empty())));
        }
      }
      return failed;
    }

    private boolean isTakenElsewhere(Scope scope, Mutation.Insert insert, IndexEntry entry) {
      Predicate<String> other = tenant -> !tenant.equals(scope.tenantId());
      return tenants.stream()
          .filter(other)
          .anyMatch(tenant -> rows().holder(tenant, insert.key().type(), entry).isPresent());
    }
  }

  /** Keeps tenants under their names in lower case. */
  private static final class LowerCase extends ForwardingStorage {
    LowerCase(Storage storage) {
      super(storage);
    }

    private static Scope lower(Scope scope) {
      return scope instanceof Scope.System
          ? scope
          : Scope.tenant(scope.tenantId().toLowerCase(java.util.Locale.ROOT));
    }

    private static Row of(Row row, Scope scope) {
      RecordHeader header = row.header();
      return row.with(
          new RecordHeader(
              header.id(),
              scope.tenantId(),
              header.version(),
              header.createdAt(),
              header.updatedAt(),
              header.updatedBy(),
              header.schemaVersion(),
              header.entityVersion(),
              header.serializationVersion(),
              header.extra()));
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      return super.commit(batches.stream().map(LowerCase::lower).toList(), deadline);
    }

    private static Batch lower(Batch batch) {
      Scope scope = lower(batch.scope());
      List<Mutation> mutations = new ArrayList<>();
      for (Mutation mutation : batch.mutations()) {
        if (mutation instanceof Mutation.Insert insert) {
          mutations.add(new Mutation.Insert(of(insert.after(), scope)));
        } else if (mutation instanceof Mutation.Update update) {
          mutations.add(
              new Mutation.Update(
                  update.before(),
                  of(update.after(), scope),
                  update.notExpired(),
                  update.expired()));
        } else {
          mutations.add(mutation);
        }
      }
      return new Batch(
          batch.commitId(), batch.epoch(), scope, batch.witness(), mutations, batch.checks());
    }

    @Override
    public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
      return super.read(lower(scope), keys, options).stream()
          .map(found -> found.map(row -> of(row, scope)))
          .toList();
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      Page<Row> page = super.scan(lower(scope), scan, options);
      return new Page<>(page.items().stream().map(row -> of(row, scope)).toList(), page.next());
    }

    @Override
    public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
      return super.purge(
          lower(scope),
          new Purge(
              lower(purge.batch()),
              purge.type(),
              purge.keyPrefix(),
              purge.fromInclusive(),
              purge.toExclusive(),
              purge.notBeyond()),
          deadline);
    }
  }

  /** After a failed commit the next scan is the failed tenant's. */
  private static final class LeavesTenantBehind extends ForwardingStorage {
    private volatile Optional<Scope> left = Optional.empty();

    LeavesTenantBehind(Storage storage) {
      super(storage);
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      left = Optional.of(batches.get(0).scope());
      List<CommitOutcome> outcomes = super.commit(batches, deadline);
      if (!(outcomes.get(0) instanceof Conflict)) {
        left = Optional.empty();
      }
      return outcomes;
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      Scope used = left.orElse(scope);
      left = Optional.empty();
      return super.scan(used, scan, options);
    }
  }

  private static final class PurgesAll extends Knowing {
    PurgesAll(Storage storage) {
      super(storage);
    }

    @Override
    public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
      for (Scope other : others(scope)) {
        Batch nothing =
            new Batch(
                purge.batch().commitId(),
                purge.batch().epoch(),
                other,
                Optional.empty(),
                List.of(),
                List.of());
        super.purge(
            other,
            new Purge(
                nothing,
                purge.type(),
                purge.keyPrefix(),
                purge.fromInclusive(),
                purge.toExclusive(),
                List.of()),
            deadline);
      }
      return super.purge(scope, purge, deadline);
    }
  }
}
