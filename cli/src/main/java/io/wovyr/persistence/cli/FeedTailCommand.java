/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedEntry;
import io.wovyr.persistence.feed.FeedPage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows the end of the feed, or what follows a cursor. */
@Command(
    name = "tail",
    description = {
      "Shows the newest events of all executions, or what follows a cursor.",
      "With --output json: one document a line."
    })
final class FeedTailCommand extends StoreCommand {
  private static final int PAGE = 1_000;
  private static final String BEGINNING = "beginning";

  @Option(names = "--all", description = "Of all tenants.")
  private boolean all;

  @Option(
      names = "--from",
      paramLabel = "CURSOR",
      description = "What follows this cursor, or '" + BEGINNING + "'.")
  private @Nullable String from;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description = "Without --from: the last N events; default ${DEFAULT-VALUE}.")
  private int last;

  @Option(names = "--follow", description = "Go on with what comes, until interrupted.")
  private boolean follow;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "End after so many events; the last line says how to go on.")
  private @Nullable Integer limit;

  @Option(names = "--values", description = "Show payloads, not only their sizes.")
  private boolean values;

  @Override
  ExitCode run() {
    if (all && options().namesTenant()) {
      throw new ParameterException(spec().commandLine(), "give either --all or --tenant, not both");
    }
    if (limit != null && limit < 1) {
      throw new ParameterException(spec().commandLine(), "--limit must be 1 or more, not " + limit);
    }
    if (last < 0) {
      throw new ParameterException(spec().commandLine(), "--last must be 0 or more, not " + last);
    }
    if (all) {
      requireSystemRole("feed tail --all");
    }
    try (Persistence persistence = open()) {
      Feed feed =
          all ? persistence.system("wovyr feed tail").feed() : repositories(persistence).feed();
      new Tail(persistence, feed).run();
      return ExitCode.OK;
    }
  }

  /** One run over a feed. */
  private final class Tail {
    private final Persistence persistence;
    private final Feed feed;
    private final Follow pauses = new Follow(out());
    private final EventPrinter printer = new EventPrinter(values);
    private Optional<FeedCursor> cursor = Optional.empty();
    private long shown;

    Tail(Persistence persistence, Feed feed) {
      this.persistence = persistence;
      this.feed = feed;
    }

    void run() {
      if (from == null) {
        showLast();
      } else if (!from.equals(BEGINNING)) {
        cursor = Optional.of(CursorText.parse(from));
      }
      if (left() > 0) {
        do {
          showNew();
        } while (follow && left() > 0 && pauses.pause());
      }
      if (!json()) {
        sayHowToGoOn();
      }
    }

    /** Reads through the feed and keeps its end: a feed has no way back. */
    private void showLast() {
      long wanted = Math.min(last, left());
      Deque<FeedEntry> end = new ArrayDeque<>();
      FeedPage page;
      do {
        page = feed.read(cursor, PAGE);
        for (FeedEntry entry : page.entries()) {
          if (end.size() == wanted) {
            end.poll();
          }
          if (wanted > 0) {
            end.add(entry);
          }
        }
        cursor = page.next();
      } while (!page.entries().isEmpty());
      end.forEach(this::print);
    }

    private void showNew() {
      FeedPage page;
      do {
        page = feed.read(cursor, (int) Math.min(PAGE, left()));
        page.entries().forEach(this::print);
        cursor = page.next();
      } while (!page.entries().isEmpty() && left() > 0 && !pauses.isOver());
    }

    /** How many more are wanted. */
    private long left() {
      return limit == null ? Long.MAX_VALUE : limit - shown;
    }

    private void print(FeedEntry entry) {
      shown++;
      Repositories owner = repositories(persistence, entry.tenantId());
      if (json()) {
        Json.print(
            out(),
            new JsonObject()
                .put("cursor", CursorText.of(entry.cursor()))
                .put("tenant", entry.tenantId())
                .put("event", printer.json(owner, entry.event())));
      } else {
        String tenant = all ? Human.oneLine(entry.tenantId()) + "  " : "";
        out()
            .println(
                tenant + entry.event().executionId() + "  " + printer.line(owner, entry.event()));
      }
    }

    private void sayHowToGoOn() {
      if (shown == 0 && last > 0) {
        String whose = all ? "" : " of tenant '" + tenant() + "'";
        out().println("no events" + whose + " here yet in " + storeName());
      }
      String which = all ? " --all" : "";
      cursor.ifPresent(
          place ->
              out()
                  .println(
                      "what comes next: "
                          + again("feed tail" + which + " --from " + CursorText.of(place))));
    }
  }
}
