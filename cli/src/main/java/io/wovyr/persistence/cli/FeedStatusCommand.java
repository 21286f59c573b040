/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Tells how far the feed is, who holds it back, and how far its consumers are. */
@Command(
    name = "status",
    description = {
      "Tells how far the feed is, who holds it back, and how far its consumers are.",
      "An open transaction holds a feed back: what was committed meanwhile comes later."
    })
final class FeedStatusCommand extends StoreCommand {
  private static final int PAGE = 1_000;

  @Option(names = "--all", description = "Over all tenants.")
  private boolean all;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Count at most so many events for each place; default 100,000.")
  private long most;

  @Override
  ExitCode run() {
    if (all && options().namesTenant()) {
      throw new ParameterException(spec().commandLine(), "give either --all or --tenant, not both");
    }
    if (most < 0) {
      throw new ParameterException(spec().commandLine(), "--count must be 0 or more, not " + most);
    }
    if (all) {
      requireSystemRole("feed status --all");
    }
    Storage storage = provider().open(settings().storage());
    try (Persistence persistence =
        WovyrPersistence.builder().storage(storage).settings(settings().library()).build()) {
      Feed feed =
          all ? persistence.system("wovyr feed status").feed() : repositories(persistence).feed();
      Walk whole = Walk.from(feed, Optional.empty(), most);
      List<Consumer> consumers = consumers(feed);
      return answer(new View(storage.health(), whole, consumers, console().clock().instant()));
    }
  }

  private List<Consumer> consumers(Feed feed) {
    List<Consumer> consumers = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<RegisteredCursor> page = feed.listCursors(PAGE, next);
      page.items().forEach(cursor -> consumers.add(consumer(feed, cursor)));
      next = page.next();
    } while (next.isPresent());
    return consumers;
  }

  private Consumer consumer(Feed feed, RegisteredCursor cursor) {
    try {
      return new Consumer(cursor, Walk.from(feed, Optional.of(cursor.cursor()), most));
    } catch (FeedTruncated e) {
      return new Consumer(cursor, null);
    }
  }

  /**
   * What follows a place.
   *
   * @param complete false when there is more than was to be counted
   * @param end of what was counted
   */
  private record Walk(
      long events,
      boolean complete,
      Optional<FeedCursor> end,
      Optional<Instant> newest,
      Optional<Instant> stalledSince) {
    static Walk from(Feed feed, Optional<FeedCursor> place, long most) {
      long events = 0;
      Optional<FeedCursor> cursor = place;
      Optional<Instant> newest = Optional.empty();
      while (true) {
        int wanted = (int) Math.max(1, Math.min(PAGE, most - events));
        FeedPage page = feed.read(cursor, wanted);
        if (page.entries().isEmpty()) {
          return new Walk(events, true, cursor, newest, page.stalledSince());
        }
        if (events >= most) {
          return new Walk(events, false, cursor, newest, Optional.empty());
        }
        events += page.entries().size();
        cursor = page.next();
        FeedEntry last = page.entries().get(page.entries().size() - 1);
        newest = Optional.of(last.event().committedAt());
      }
    }

    String text() {
      return Human.count(events) + (complete ? "" : " or more");
    }
  }

  /**
   * A registered cursor.
   *
   * @param behind what it has not seen; null when some of that was purged
   */
  private record Consumer(RegisteredCursor cursor, @Nullable Walk behind) {
    JsonObject json() {
      return new JsonObject()
          .put("name", cursor.name())
          .put("position", CursorText.of(cursor.cursor()))
          .put("movedAt", cursor.header().updatedAt())
          .put("behind", behind == null ? null : behind.events())
          .put("counted", behind == null ? null : behind.complete())
          .put("truncated", behind == null);
    }
  }

  private final class View implements Answer {
    private final Health health;
    private final Walk whole;
    private final List<Consumer> consumers;
    private final Instant now;

    View(Health health, Walk whole, List<Consumer> consumers, Instant now) {
      this.health = health;
      this.whole = whole;
      this.consumers = consumers;
      this.now = now;
    }

    private boolean heldBack() {
      return health.feedHeldBy().isPresent() || whole.stalledSince().isPresent();
    }

    /** How long it is held back, as far as this role may see. */
    private Duration lag() {
      Duration seen =
          whole.stalledSince().map(since -> Duration.between(since, now)).orElse(Duration.ZERO);
      Duration told = health.feedLag().orElse(Duration.ZERO);
      Duration longer = told.compareTo(seen) > 0 ? told : seen;
      return longer.isNegative() ? Duration.ZERO : longer;
    }

    /** Who holds it back is told only to the system role. */
    private String cause() {
      return health
          .feedHeldBy()
          .orElse(
              "an open transaction; who that is, the system role is told"
                  + " (wovyr.storage.system-user)");
    }

    @Override
    public void text(PrintStream out) {
      Fields fields =
          new Fields()
              .add("store", storeName())
              .add("tenant", all ? "all" : tenant())
              .add(
                  "feed",
                  heldBack()
                      ? "held back, for " + Human.duration(lag()) + " or longer"
                      : whole.complete() ? "up to date" : "not read to its end");
      if (heldBack()) {
        fields.add("held back by", cause()).add("what to do", "end that transaction");
      }
      fields
          .addIf("problem", health.problem())
          .add("events", whole.text())
          .add(
              whole.complete() ? "end" : "counted to",
              whole.end().map(CursorText::of).orElse(Human.NOTHING))
          .add(
              "newest",
              whole
                  .newest()
                  .map(time -> Human.time(time) + " UTC, " + Human.fromNow(time, now))
                  .orElse(Human.NOTHING));
      fields.print(out);
      printConsumers(out);
    }

    private void printConsumers(PrintStream out) {
      if (consumers.isEmpty()) {
        out.println("no consumer has registered a cursor");
        return;
      }
      Table table = new Table("CONSUMER", ">EVENTS BEHIND", "MOVED (UTC)", "POSITION");
      for (Consumer consumer : consumers) {
        Walk behind = consumer.behind();
        table.row(
            consumer.cursor().name(),
            behind == null ? "purged: begin again" : behind.text(),
            Human.time(consumer.cursor().header().updatedAt()),
            CursorText.of(consumer.cursor().cursor()));
      }
      table.print(out);
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", all ? null : tenant())
          .put("heldBack", heldBack())
          .put("heldBackBy", health.feedHeldBy())
          .put("lag", lag())
          .put("problem", health.problem())
          .put("events", whole.events())
          .put("counted", whole.complete())
          .put("position", whole.end().map(CursorText::of))
          .put("newestAt", whole.newest())
          .put("consumers", consumers.stream().map(Consumer::json).toList());
    }
  }
}
