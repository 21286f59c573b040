/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that shows records as a table, page by page. */
abstract class ListCommand<T> extends StoreCommand {
  private static final int PAGE = 500;

  @Mixin private LimitOption limit = new LimitOption();

  @Option(names = "--after", paramLabel = "PLACE", description = "Go on where a former list ended.")
  private @Nullable String after;

  /** Where the records come from. */
  @FunctionalInterface
  interface Source<T> {
    Page<T> page(int limit, Optional<String> after);
  }

  /** Needed to see them. */
  Role role() {
    return Role.READER;
  }

  abstract Source<T> source(Repositories repositories);

  /** The command with what it was asked for, for a person to go on. */
  abstract String command();

  /** Member of the JSON answer that holds the records. */
  abstract String member();

  abstract JsonObject item(T record);

  abstract Table table();

  abstract void row(Table table, T record);

  /** What to say when there is none, and what to do then. */
  abstract String nothing();

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      Source<T> source = source(RoleCaller.as(role(), persistence, tenant()));
      List<T> found = new ArrayList<>();
      Optional<String> next = Optional.ofNullable(after);
      do {
        Page<T> page = source.page(Math.min(PAGE, limit.value() - found.size()), next);
        found.addAll(page.items());
        next = page.next();
      } while (next.isPresent() && found.size() < limit.value());
      return answer(new Listing(found, next));
    }
  }

  private final class Listing implements Answer {
    private final List<T> found;
    private final Optional<String> next;

    Listing(List<T> found, Optional<String> next) {
      this.found = found;
      this.next = next;
    }

    @Override
    public void text(PrintStream out) {
      if (found.isEmpty()) {
        out.println(nothing());
        return;
      }
      Table table = table();
      found.forEach(record -> row(table, record));
      table.print(out);
      next.ifPresent(
          place ->
              out.println(
                  "more: " + again(command() + limit.again() + " --after " + ShellWord.of(place))));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put(member(), found.stream().map(ListCommand.this::item).toList())
          .put("next", next);
    }
  }
}
