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
import picocli.CommandLine.Command;

/** Brings the store's schema up to date. */
@Command(
    name = "up",
    description = {
      "Brings the store's schema up to date, creating the store when there is none.",
      "May be run again at any time, also after it was killed. On a server it runs",
      "as the migration role, and gives the other roles their rights."
    })
final class MigrateUpCommand extends StoreCommand {
  @Override
  ExitCode run() {
    Migrator migrator = Migrations.of(provider());
    Map<String, String> storage = Migrations.settings(settings(), options());
    Status before = migrator.status(storage);
    PrintStream progress = json() ? console().error() : out();
    long begun = System.nanoTime();
    Status after = migrator.migrate(storage, step -> progress.println("  " + Human.oneLine(step)));
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    if (json()) {
      Json.print(
          out(),
          Migrations.json(storeName(), after)
              .put("migratedFrom", before.schemaVersion())
              .put("applied", before.pending().size() - after.pending().size()));
    } else {
      out().println(summary(before, after, taken));
    }
    return ExitCode.OK;
  }

  private String summary(Status before, Status after, Duration taken) {
    if (before.exists() && before.pending().isEmpty()) {
      return "%s is up to date: schema version %d".formatted(storeName(), after.schemaVersion());
    }
    String what =
        before.exists()
            ? "schema version %d -> %d".formatted(before.schemaVersion(), after.schemaVersion())
            : "created with schema version " + after.schemaVersion();
    return "%s: %s, %s in %s"
        .formatted(
            storeName(),
            what,
            Human.count(before.pending().size() - after.pending().size(), "step"),
            Human.duration(taken));
  }
}
