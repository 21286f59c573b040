/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Migrator.Status;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** Tells where the store's schema stands. */
@Command(
    name = "status",
    description = {
      "Tells where the store's schema stands; changes nothing.",
      "Ends with 0 when it is up to date, 3 when there is something to migrate,",
      "4 when a newer version wrote it."
    })
final class MigrateStatusCommand extends StoreCommand {
  @Override
  ExitCode run() {
    Migrator migrator = Migrations.of(provider());
    Status status = migrator.status(Migrations.settings(settings(), options()));
    answer(new View(storeName(), status, again("migrate up")));
    if (status.schemaVersion() > status.latestVersion()) {
      return ExitCode.NEWER_VERSION;
    }
    return status.exists() && status.pending().isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
  }

  private record View(String store, Status status, String next) implements Answer {
    @Override
    public void text(PrintStream out) {
      new Fields()
          .add("store", store)
          .add("schema", schema())
          .add("known here", "up to version " + status.latestVersion())
          .print(out);
      status.pending().forEach(step -> out.println("  pending  " + Human.oneLine(step)));
      if (!status.exists() || !status.pending().isEmpty()) {
        out.println("to migrate: " + next);
      }
    }

    private String schema() {
      if (!status.exists()) {
        return "there is no store yet";
      }
      String version = "version " + status.schemaVersion();
      if (status.schemaVersion() > status.latestVersion()) {
        return version + ", of a newer wovyr: use that";
      }
      return status.pending().isEmpty()
          ? version + ", up to date"
          : version + ", " + Human.count(status.pending().size(), "step") + " pending";
    }

    @Override
    public JsonObject json() {
      return Migrations.json(store, status);
    }
  }
}
