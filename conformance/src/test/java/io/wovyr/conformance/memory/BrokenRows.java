/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import io.wovyr.persistence.storage.spi.ValueOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Stores that give back something else than was written, or in another order, or not at all. */
final class BrokenRows {
  private BrokenRows() {}

  static List<Broken> all() {
    return List.of(
        Broken.store(
            "text is ordered by UTF-16",
            "Scans",
            "textIsOrderedByItsUtf8Bytes",
            settings -> new MemoryStore(settings, new MemoryRows(placesBy(BrokenRows::utf16)))),
        Broken.store(
            "UUIDs are ordered as signed numbers",
            "Scans",
            "uuidsAreOrderedByTheirBytesUnsigned",
            settings -> new MemoryStore(settings, new MemoryRows(placesBy(BrokenRows::signed)))),
        Broken.handle(
            "a page loses its last row",
            "Scans",
            "byKeyYieldsEverythingInOrder",
            storage ->
                new Paging(
                    storage,
                    page ->
                        page.next().isPresent() && page.items().size() > 1
                            ? new Page<>(
                                page.items().subList(0, page.items().size() - 1), page.next())
                            : page)),
        Broken.handle(
            "the upper bound is included",
            "Scans",
            "rangesIncludeTheLowerBoundAndExcludeTheUpper",
            UpperBoundIncluded::new),
        Broken.handle(
            "pages are counted, not placed",
            "Scans",
            "rowsThatStayAreSeenOnceWhileOthersComeAndGo",
            Offsets::new),
        Broken.handle(
            "path entries stay behind", "Scans", "aPathFollowsEveryChange", StaleEntries::new),
        Broken.handle(
            "system scans are in no order",
            "System scans",
            "yieldsTheKeysOfAllTenantsInThePathsOrder",
            storage ->
                new SystemScanning(
                    storage,
                    page ->
                        new Page<>(
                            page.items().stream()
                                .sorted(Comparator.comparing(ScopedKey::key))
                                .toList(),
                            page.next()))),
        Broken.handle(
            "a null has an entry", "System scans", "aNullHasNoEntry", NullsHaveEntries::new),
        Broken.store(
            "instants are kept in milliseconds",
            "Values",
            "everyAttributeKeepsTheEdgesOfItsKind",
            settings -> new Keeping(settings, BrokenRows::inMillis)),
        Broken.store(
            "an empty text is a null",
            "Values",
            "everyAttributeKeepsTheEdgesOfItsKindThroughAnUpdate",
            settings -> new Keeping(settings, BrokenRows::emptyIsNull)),
        Broken.store(
            "bytes end at the first zero",
            "Values",
            "everyAttributeKeepsTheEdgesOfItsKind",
            settings -> new Keeping(settings, BrokenRows::cutAtZero)),
        Broken.store(
            "unknown attributes are dropped by an update",
            "Unknown attributes",
            "c032UnknownAttributesAreKeptOnInsertAndUpdate",
            settings ->
                new Keeping(
                    settings, row -> row.version() > 1 ? withExtra(row, Bytes.EMPTY) : row)),
        Broken.store(
            "unknown attributes are dropped from append-only rows",
            "Unknown attributes",
            "unknownAttributesAreThereHoweverARowIsRead",
            settings ->
                new Keeping(
                    settings,
                    row -> row.type() == RecordTypes.EVENT ? withExtra(row, Bytes.EMPTY) : row)),
        Broken.handle(
            "closing loses what the handle wrote",
            "Durability",
            "everyRecordIsThereAfterReopening",
            storage -> new MemoryStore(MemorySettings.defaults()).open()),
        Broken.handle(
            "every handle is another store",
            "Durability",
            "theStoreKeepsItsIdentity",
            storage ->
                new ForwardingStorage(storage) {
                  private final UUID id = UUID.randomUUID();

                  @Override
                  public StoreIdentity identity() {
                    StoreIdentity identity = super.identity();
                    return new StoreIdentity(id, identity.epoch(), identity.schemaVersion());
                  }
                }),
        Broken.handle(
            "a purge takes the whole execution",
            "Prefix purge",
            "removesTheRangeAndWritesItsBatch",
            storage ->
                new Purging(
                    storage,
                    purge -> range(purge, purge.batch(), purge.fromInclusive(), Long.MAX_VALUE))),
        Broken.handle(
            "a purge passes cursors",
            "Prefix purge",
            "isHeldBackByACursorThatWouldBePassed",
            storage ->
                new Purging(
                    storage,
                    purge ->
                        new Purge(
                            purge.batch(),
                            purge.type(),
                            purge.keyPrefix(),
                            purge.fromInclusive(),
                            purge.toExclusive(),
                            List.of()))),
        Broken.handle(
            "a purge does not wait for its batch",
            "Prefix purge",
            "aConflictOfItsBatchKeepsEverything",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public PurgeOutcome purge(
                      Scope scope, Purge purge, io.wovyr.persistence.storage.spi.Deadline until) {
                    Batch none =
                        new Batch(
                            UUID.randomUUID(),
                            purge.batch().epoch(),
                            scope,
                            Optional.empty(),
                            List.of(),
                            List.of());
                    PurgeOutcome first =
                        super.purge(
                            scope,
                            range(purge, none, purge.fromInclusive(), purge.toExclusive()),
                            until);
                    PurgeOutcome second = super.purge(scope, purge, until);
                    return second instanceof PurgeOutcome.Purged ? first : second;
                  }
                }));
  }

  private static Purge range(Purge purge, Batch batch, Object from, Object to) {
    return new Purge(batch, purge.type(), purge.keyPrefix(), from, to, purge.notBeyond());
  }

  /** The batch with other after-images. */
  static Batch mapped(Batch batch, UnaryOperator<Row> change) {
    List<Mutation> mutations = new ArrayList<>();
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert) {
        mutations.add(new Mutation.Insert(change.apply(insert.after())));
      } else if (mutation instanceof Mutation.Update update) {
        mutations.add(
            new Mutation.Update(
                update.before(),
                change.apply(update.after()),
                update.notExpired(),
                update.expired()));
      } else {
        mutations.add(mutation);
      }
    }
    return new Batch(
        batch.commitId(), batch.epoch(), batch.scope(), batch.witness(), mutations, batch.checks());
  }

  private static Comparator<List<Object>> placesBy(Comparator<Object> values) {
    return (left, right) -> {
      for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
        Object one = left.get(i);
        Object other = right.get(i);
        int order =
            one == PlaceOrder.ABOVE_ALL || other == PlaceOrder.ABOVE_ALL
                ? Boolean.compare(one == PlaceOrder.ABOVE_ALL, other == PlaceOrder.ABOVE_ALL)
                : values.compare(one, other);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(left.size(), right.size());
    };
  }

  private static int utf16(Object left, Object right) {
    return left instanceof String one && right instanceof String other
        ? one.compareTo(other)
        : ValueOrder.INSTANCE.compare(left, right);
  }

  private static int signed(Object left, Object right) {
    return left instanceof UUID one && right instanceof UUID other
        ? one.compareTo(other)
        : ValueOrder.INSTANCE.compare(left, right);
  }

  private static Row inMillis(Row row) {
    return each(
        row,
        value -> value instanceof Instant instant ? instant.truncatedTo(ChronoUnit.MILLIS) : value);
  }

  private static Row emptyIsNull(Row row) {
    Row changed = row;
    for (Attribute attribute : row.type().attributes()) {
      if (attribute.nullable() && "".equals(row.get(attribute.name()))) {
        changed = changed.with(attribute.name(), null);
      }
    }
    return changed;
  }

  private static Row cutAtZero(Row row) {
    return each(row, value -> value instanceof Bytes bytes ? upToZero(bytes) : value);
  }

  private static Bytes upToZero(Bytes bytes) {
    for (int i = 0; i < bytes.size(); i++) {
      if (bytes.at(i) == 0) {
        return Bytes.copyOf(java.util.Arrays.copyOf(bytes.toByteArray(), i));
      }
    }
    return bytes;
  }

  private static Row each(Row row, UnaryOperator<Object> change) {
    Row changed = row;
    for (Attribute attribute : row.type().attributes()) {
      Object value = row.get(attribute.name());
      if (value != null) {
        changed = changed.with(attribute.name(), change.apply(value));
      }
    }
    return changed;
  }

  private static Row withExtra(Row row, Bytes extra) {
    RecordHeader header = row.header();
    return row.with(
        new RecordHeader(
            header.id(),
            header.tenantId(),
            header.version(),
            header.createdAt(),
            header.updatedAt(),
            header.updatedBy(),
            header.schemaVersion(),
            header.entityVersion(),
            header.serializationVersion(),
            extra));
  }

  /** Keeps something else than it was given. */
  private static final class Keeping extends MemoryStore {
    private final UnaryOperator<Row> change;

    Keeping(MemorySettings settings, UnaryOperator<Row> change) {
      super(settings);
      this.change = change;
    }

    @Override
    Row kept(Row row) {
      return change.apply(row);
    }
  }

  private static final class Paging extends ForwardingStorage {
    private final UnaryOperator<Page<Row>> change;

    Paging(Storage storage, UnaryOperator<Page<Row>> change) {
      super(storage);
      this.change = change;
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      return change.apply(super.scan(scope, scan, options));
    }
  }

  private static final class SystemScanning extends ForwardingStorage {
    private final UnaryOperator<Page<ScopedKey>> change;

    SystemScanning(Storage storage, UnaryOperator<Page<ScopedKey>> change) {
      super(storage);
      this.change = change;
    }

    @Override
    public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
      return change.apply(super.scanSystem(scope, scan, options));
    }
  }

  private static final class Purging extends ForwardingStorage {
    private final UnaryOperator<Purge> change;

    Purging(Storage storage, UnaryOperator<Purge> change) {
      super(storage);
      this.change = change;
    }

    @Override
    public PurgeOutcome purge(
        Scope scope, Purge purge, io.wovyr.persistence.storage.spi.Deadline deadline) {
      return super.purge(scope, change.apply(purge), deadline);
    }
  }

  private static final class UpperBoundIncluded extends ForwardingStorage {
    UpperBoundIncluded(Storage storage) {
      super(storage);
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      if (scan.toExclusive().isPresent()
          && scan.toExclusive().get().size() == 1
          && scan.toExclusive().get().get(0) instanceof Long bound) {
        return super.scan(scope, scan.to(bound + 1), options);
      }
      return super.scan(scope, scan, options);
    }
  }

  /** Goes on after so many rows, whatever came or went before them. */
  private static final class Offsets extends ForwardingStorage {
    Offsets(Storage storage) {
      super(storage);
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      int offset = scan.after().map(Integer::parseInt).orElse(0);
      Scan whole =
          new Scan(
              scan.type(),
              scan.path(),
              scan.equal(),
              scan.fromInclusive(),
              scan.toExclusive(),
              scan.ascending(),
              1_000_000,
              Optional.empty());
      List<Row> rows = super.scan(scope, whole, options).items();
      List<Row> page = rows.stream().skip(offset).limit(scan.limit()).toList();
      int next = offset + page.size();
      return new Page<>(
          page, next < rows.size() ? Optional.of(String.valueOf(next)) : Optional.empty());
    }
  }

  /** Once a head was held, it is listed as held. */
  private static final class StaleEntries extends ForwardingStorage {
    private final List<ScopedKey> once = new java.util.concurrent.CopyOnWriteArrayList<>();

    StaleEntries(Storage storage) {
      super(storage);
    }

    @Override
    public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
      Page<Row> page = super.scan(scope, scan, options);
      if (scan.path().isEmpty() || scan.type() != RecordTypes.HEAD) {
        return page;
      }
      page.items().forEach(row -> once.add(new ScopedKey(scope.tenantId(), row.key())));
      return page.items().isEmpty() ? stale(scope, options) : page;
    }

    private Page<Row> stale(Scope scope, ReadOptions options) {
      List<Key> keys =
          once.stream()
              .filter(key -> key.tenantId().equals(scope.tenantId()))
              .map(ScopedKey::key)
              .distinct()
              .toList();
      List<Row> rows = read(scope, keys, options).stream().flatMap(Optional::stream).toList();
      return new Page<>(rows, Optional.empty());
    }
  }

  private static final class NullsHaveEntries extends ForwardingStorage {
    private final java.util.Set<String> tenants =
        java.util.concurrent.ConcurrentHashMap.newKeySet();

    NullsHaveEntries(Storage storage) {
      super(storage);
    }

    @Override
    public List<io.wovyr.persistence.storage.spi.CommitOutcome> commit(
        List<Batch> batches, io.wovyr.persistence.storage.spi.Deadline deadline) {
      batches.forEach(batch -> tenants.add(batch.scope().tenantId()));
      return super.commit(batches, deadline);
    }

    @Override
    public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
      Page<ScopedKey> page = super.scanSystem(scope, scan, options);
      if (scan.after().isPresent() || scan.type() != RecordTypes.HEAD) {
        return page;
      }
      List<ScopedKey> all = new ArrayList<>(page.items());
      for (String tenant : tenants) {
        Scope own = tenant.startsWith("$") ? scope : Scope.tenant(tenant);
        RecordType type = RecordTypes.HEAD;
        super.scan(own, Scan.byKey(type, List.of(), 1_000), options).items().stream()
            .filter(row -> row.get("dueAt") == null)
            .forEach(row -> all.add(new ScopedKey(tenant, row.key())));
      }
      return new Page<>(all.stream().limit(scan.limit()).toList(), page.next());
    }
  }
}
