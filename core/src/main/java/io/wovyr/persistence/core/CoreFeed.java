/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repository;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The feed of one tenant or, in the system's scope, of all. Thread-safe. */
final class CoreFeed implements Feed {
  private final TenantAccess access;
  private final Engine engine;
  private final Scope scope;

  CoreFeed(TenantAccess access) {
    this.access = access;
    this.engine = access.engine();
    this.scope = access.scope();
  }

  @Override
  public FeedPage read(Optional<FeedCursor> after, int limit) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    FeedChunk chunk = chunk(after, limit);
    FeedPage page = events(chunk);
    // What else is in the feed is not for this reader: an empty page means the end.
    while (page.entries().isEmpty() && !chunk.entries().isEmpty()) {
      chunk = chunk(chunk.next(), limit);
      page = events(chunk);
    }
    return page;
  }

  private FeedChunk chunk(Optional<FeedCursor> after, int limit) {
    return engine.reading(
        options -> engine.storage().feed(scope, after, limit, options.deadline()));
  }

  private static FeedPage events(FeedChunk chunk) {
    List<FeedEntry> entries = new ArrayList<>();
    for (FeedChunk.Entry entry : chunk.entries()) {
      if (entry.row().type() != RecordTypes.EVENT) {
        continue;
      }
      Optional<WorkflowEvent> event = readable(entry.row(), entries.isEmpty());
      if (event.isEmpty()) {
        FeedCursor reached = entries.get(entries.size() - 1).cursor();
        return new FeedPage(entries, Optional.of(reached), chunk.stalledSince());
      }
      entries.add(new FeedEntry(entry.tenantId(), event.get(), entry.cursor()));
    }
    return new FeedPage(entries, chunk.next(), chunk.stalledSince());
  }

  /**
   * An event that cannot be read here must not be passed over: the page ends before it, and the
   * next one begins with its error.
   */
  private static Optional<WorkflowEvent> readable(Row row, boolean isFirst) {
    try {
      return Optional.of(RecordMappers.of(WorkflowEvent.class).fromRow(row));
    } catch (UnsupportedVersion | Corrupt e) {
      if (isFirst) {
        throw e;
      }
      return Optional.empty();
    }
  }

  @Override
  public Repository<RegisteredCursor, String> cursors() {
    return new PlainRepository<>(access::unit, RegisteredCursor.class);
  }

  @Override
  public Page<RegisteredCursor> listCursors(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    Scan scan = Scan.byKey(RecordTypes.FEED_CURSOR, List.of(), limit).after(after);
    Page<Row> rows = engine.scan(scope, scan);
    return Pages.readable(rows, RecordMappers.of(RegisteredCursor.class));
  }

  /** A repository over units of work of one change each. */
  private record PlainRepository<T, I>(Supplier<StagedUnitOfWork> units, Class<T> type)
      implements Repository<T, I> {
    @Override
    public CommitResult insert(T entity) {
      return units.get().insert(entity).commit();
    }

    @Override
    public CommitResult update(T before, T after) {
      return units.get().update(before, after).commit();
    }

    @Override
    public CommitResult delete(T before) {
      return units.get().delete(before).commit();
    }

    @Override
    public Optional<T> find(I id) {
      return units.get().find(type, id);
    }
  }
}
