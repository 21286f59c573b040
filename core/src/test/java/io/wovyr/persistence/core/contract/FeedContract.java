/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repository;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.feed.RegisteredCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The feed of events and the durable cursors of its readers. */
public abstract class FeedContract extends RepositoryContract {
  protected FeedContract(TestStore.Factory stores) {
    super(stores);
  }

  private List<FeedEntry> all(Optional<FeedCursor> from, int limit) {
    List<FeedEntry> entries = new ArrayList<>();
    Optional<FeedCursor> after = from;
    while (true) {
      FeedPage page = repositories().feed().read(after, limit);
      assertThat(page.entries().size()).isLessThanOrEqualTo(limit);
      if (page.entries().isEmpty()) {
        assertThat(page.next()).isEqualTo(after);
        return entries;
      }
      assertThat(page.next()).contains(page.entries().get(page.entries().size() - 1).cursor());
      entries.addAll(page.entries());
      after = page.next();
    }
  }

  @Test
  void auditRecordsBetweenEventsMakeNoPageEmpty() {
    UUID id = newExecution().id();
    for (int i = 0; i < 12; i++) {
      committed(repositories().audit().append(NewAuditRecord.done("looked", "execution", "e" + i)));
    }
    committed(repositories().events().append(id, Append.signal("s"), event("Late")));
    committed(repositories().audit().append(NewAuditRecord.done("looked", "execution", "last")));

    for (int limit : new int[] {1, 5, 100}) {
      Optional<FeedCursor> after = Optional.empty();
      List<String> types = new ArrayList<>();
      FeedPage page = repositories().feed().read(after, limit);
      while (!page.entries().isEmpty()) {
        page.entries().forEach(entry -> types.add(entry.event().type()));
        after = page.next();
        page = repositories().feed().read(after, limit);
      }
      assertThat(types).containsExactly("wovyr.ExecutionCreated", "Late");
    }
  }

  @Test
  void everyEventComesOnceAndInOrderPerExecution() {
    List<UUID> ids = List.of(newExecution().id(), newExecution().id(), newExecution().id());
    for (int i = 0; i < 5; i++) {
      for (UUID id : ids) {
        committed(repositories().events().append(id, Append.signal("s" + i), event("E" + i)));
      }
    }

    for (int limit : new int[] {1, 4, 100}) {
      List<FeedEntry> entries = all(Optional.empty(), limit);
      assertThat(entries).hasSize(18).doesNotHaveDuplicates();
      for (UUID id : ids) {
        assertThat(
                entries.stream()
                    .map(FeedEntry::event)
                    .filter(event -> event.executionId().equals(id)))
            .isEqualTo(history(id));
      }
    }
    List<FeedEntry> entries = all(Optional.empty(), 100);
    assertThat(all(Optional.of(entries.get(6).cursor()), 5)).isEqualTo(entries.subList(7, 18));
  }

  @Test
  void aFollowerDuringConcurrentWritesMissesNothing() {
    List<UUID> ids = List.of(newExecution().id(), newExecution().id());
    AtomicBoolean written = new AtomicBoolean();
    ExecutorService follower = Executors.newSingleThreadExecutor();
    try {
      Future<List<FeedEntry>> followed =
          follower.submit(
              () -> {
                List<FeedEntry> seen = new ArrayList<>();
                Optional<FeedCursor> after = Optional.empty();
                while (true) {
                  boolean last = written.get();
                  FeedPage page = repositories().feed().read(after, 7);
                  seen.addAll(page.entries());
                  after = page.next();
                  if (last && page.entries().isEmpty()) {
                    return seen;
                  }
                }
              });
      List<Node> processes = List.of(newNode(), newNode());
      Together.run(
          8,
          thread -> {
            for (int i = 0; i < 15; i++) {
              committed(
                  processes
                      .get(thread % 2)
                      .as(tenant())
                      .events()
                      .append(
                          ids.get(i % 2), Append.signal(thread + "/" + i), event("E" + thread)));
            }
            return thread;
          });
      written.set(true);

      List<FeedEntry> seen = Together.result(followed);

      assertThat(seen).hasSize(2 + 8 * 15);
      Map<UUID, Long> last = new HashMap<>();
      for (FeedEntry entry : seen) {
        WorkflowEvent event = entry.event();
        assertThat(event.sequence()).isEqualTo(last.getOrDefault(event.executionId(), 0L) + 1);
        last.put(event.executionId(), event.sequence());
      }
    } finally {
      written.set(true);
      follower.shutdownNow();
    }
  }

  @Test
  void anEmptyFeedGivesThePlaceWhereItsReaderBegan() {
    FeedPage empty = repositories().feed().read(Optional.empty(), 10);
    assertThat(empty.entries()).isEmpty();
    assertThat(empty.next()).isPresent();
    assertThat(repositories().feed().read(empty.next(), 10)).isEqualTo(empty);
    assertThatThrownBy(() -> repositories().feed().read(Optional.empty(), 0))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(
            () -> repositories().feed().read(Optional.of(new FeedCursor(1, "not a position")), 10))
        .isInstanceOf(InvalidInput.class);
  }

  private Repository<RegisteredCursor, String> cursors() {
    return repositories().feed().cursors();
  }

  @Test
  void aCursorIsRegisteredMovedAndForgotten() {
    RegisteredCursor given = RegisteredCursor.of("mailer", new FeedCursor(1, "7"));

    RegisteredCursor stored = only(committed(cursors().insert(given)), RegisteredCursor.class);

    assertThat(cursors().find("mailer")).contains(stored);
    assertThat(stored.cursor()).isEqualTo(new FeedCursor(1, "7"));
    assertThat(stored.header().version()).isEqualTo(1);
    assertThat(stored.header().tenantId()).isEqualTo(tenant());
    conflict(cursors().insert(given), Reason.ALREADY_EXISTS);
    RegisteredCursor moved =
        only(
            committed(cursors().update(stored, stored.movedTo(new FeedCursor(1, "9")))),
            RegisteredCursor.class);
    assertThat(moved.header().version()).isEqualTo(2);
    assertThat(moved.header().createdAt()).isEqualTo(stored.header().createdAt());
    conflict(
        cursors().update(stored, stored.movedTo(new FeedCursor(1, "8"))), Reason.STALE_VERSION);
    conflict(cursors().delete(stored), Reason.STALE_VERSION);
    assertThat(cursors().find("mailer")).contains(moved);
    committed(cursors().delete(moved));
    assertThat(cursors().find("mailer")).isEmpty();
    conflict(cursors().update(moved, moved), Reason.NOT_FOUND);
    conflict(cursors().delete(moved), Reason.NOT_FOUND);
  }

  @Test
  void ofManyWhoMoveACursorOneWins() {
    committed(cursors().insert(RegisteredCursor.of("mailer", new FeedCursor(1, "1"))));
    RegisteredCursor before = cursors().find("mailer").orElseThrow();

    List<CommitResult> results =
        Together.run(16, i -> cursors().update(before, before.movedTo(new FeedCursor(1, "1" + i))));

    assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
    assertThat(cursors().find("mailer").orElseThrow().header().version()).isEqualTo(2);
  }

  @Test
  void cursorsAreListedByName() {
    for (String name : List.of("c", "a", "b")) {
      committed(cursors().insert(RegisteredCursor.of(name, new FeedCursor(1, "1"))));
    }
    List<String> names = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<RegisteredCursor> page = repositories().feed().listCursors(2, next);
      page.items().forEach(cursor -> names.add(cursor.name()));
      next = page.next();
    } while (next.isPresent());

    assertThat(names).containsExactly("a", "b", "c");
  }
}
