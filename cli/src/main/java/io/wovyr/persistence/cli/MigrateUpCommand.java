/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Migrator.Status;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** Brings the store's schema up to date. */
@Command(
    name = "up",
    description = {
      "Brings the store's schema up to date, creating the store when there is none.",
      "May be run again at any time, also after it was killed. On a server it runs",
      "as the migration role, and gives the other roles their rights."
    })
final class MigrateUpCommand extends StoreCommand implements Changing {
  @Override
  ExitCode run() {
    Migrator migrator = Migrations.of(provider());
    Map<String, String> storage = Migrations.settings(settings(), options());
    Status before = migrator.status(storage);
    Progress progress = new Progress(json() ? console().error() : out());
    long begun = System.nanoTime();
    Status after = migrator.migrate(storage, progress);
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    if (json()) {
      Json.print(
          out(),
          Migrations.json(storeName(), after)
              .put("migratedFrom", (progress.applied == 0 ? after : before).schemaVersion())
              .put("applied", progress.applied));
    } else {
      out().println(summary(before, after, progress.applied, taken));
    }
    return ExitCode.OK;
  }

  /** Another process may have migrated while this one waited: told is what this one did. */
  private String summary(Status before, Status after, int applied, Duration taken) {
    if (applied == 0) {
      return "%s is up to date: schema version %d".formatted(storeName(), after.schemaVersion());
    }
    String what =
        before.exists()
            ? "schema version %d -> %d".formatted(before.schemaVersion(), after.schemaVersion())
            : "created with schema version " + after.schemaVersion();
    return "%s: %s, %s in %s"
        .formatted(storeName(), what, Human.count(applied, "step"), Human.duration(taken));
  }

  /** Shows a line for each step, when it is in the store. */
  private static final class Progress implements Consumer<String> {
    private final PrintStream to;
    private int applied;

    Progress(PrintStream to) {
      this.to = to;
    }

    @Override
    public void accept(String line) {
      if (line.startsWith("applied ")) {
        applied++;
      }
      if (!line.startsWith("applying ")) {
        to.println("  " + Human.oneLine(line));
      }
    }
  }
}
