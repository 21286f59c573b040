/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The activities and retries that are open when executions are ended from outside. Nobody can hold
 * a lease of those ever again, and end them: they end with the executions, in the same commit. What
 * does not fit into it ends right after it, for nothing changes what is finished. Not thread-safe.
 */
final class LeftOpen {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOpen.class);
  private static final int PAGE = 200;
  private static final int MOST = 500;

  private final TenantAccess access;
  private final Set<Key> ended = new HashSet<>();
  private final Set<Key> left = new HashSet<>();
  private int most = MOST;
  private boolean more;

  LeftOpen(TenantAccess access) {
    this.access = access;
  }

  /**
   * Stages the end of what is open now, in the place of what was staged before. A later change
   * moves the head, as the commit does: between looking and committing there is none.
   */
  void stage(StagedUnitOfWork work, List<UUID> executions) {
    ended.forEach(work.plain()::remove);
    ended.clear();
    more = false;
    for (UUID execution : executions) {
      stage(work, execution);
    }
  }

  private void stage(StagedUnitOfWork work, UUID execution) {
    each(
        ActivityExecution.class,
        Scan.byKey(RecordTypes.ACTIVITY, List.of(execution), PAGE),
        activity -> {
          if (activity.status().isOpen()) {
            end(work, activity, CoreActivities.cancelled(activity, access.now()));
          }
        });
    each(
        RetryRecord.class,
        Scan.byKey(RecordTypes.RETRY, List.of(execution), PAGE),
        retry -> {
          if (retry.status() == RetryStatus.PENDING) {
            end(work, retry, CoreRetries.ended(retry, RetryStatus.CANCELLED));
          }
        });
  }

  /** One that cannot be read here is left as it is. */
  private <T> void each(Class<T> recordClass, Scan scan, Consumer<T> found) {
    Optional<String> next = Optional.empty();
    do {
      Page<T> page = access.page(recordClass, scan.after(next));
      page.items().forEach(found);
      next = page.next();
    } while (next.isPresent() && !more);
  }

  private <T> void end(StagedUnitOfWork work, T before, T after) {
    Key key = StagedUnitOfWork.keyOf(before);
    if (ended.size() == most) {
      more = true;
    } else if (!left.contains(key)) {
      work.updateFromOutside(before, after);
      ended.add(key);
    }
  }

  /** Whether this is one of those that are staged. */
  boolean ends(Key key) {
    return ended.contains(key);
  }

  /** Leaves one as it is: the caller's JTA transaction has changed it, which is not read here. */
  void leave(Key key) {
    left.add(key);
  }

  /**
   * After a batch was too large for the store: less at a time from now on.
   *
   * @return false when there was nothing that could be left out
   */
  boolean takeLess() {
    most = ended.size() / 2;
    return !ended.isEmpty();
  }

  /** Ends what did not fit; whatever of it cannot be ended now stays as it is. */
  void endTheRest(List<UUID> executions, Deadline deadline) {
    most = Math.max(1, most);
    try {
      while (more && !deadline.isOver()) {
        StagedUnitOfWork rest = access.unit().apart();
        stage(rest, executions);
        if (ended.isEmpty() || !rest.commit(deadline).isCommitted()) {
          return;
        }
      }
    } catch (PersistenceException e) {
      // What was asked for is stored; this can be done by hand.
      LOG.warn(
          "WOVYR-0114 of the finished executions {} some activities or retries stay open: {}",
          executions,
          e.getMessage());
    }
  }
}
