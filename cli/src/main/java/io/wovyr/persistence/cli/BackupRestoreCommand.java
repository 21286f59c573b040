/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Backups.Backup;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts a backup in the place of a store. */
@Command(
    name = "restore",
    description = {
      "Puts a backup in the place of the store, where nothing may be, in a new epoch: what was",
      "begun before the backup and lost with the store writes nothing any more. Interrupted,",
      "there is no store yet: run it again."
    })
final class BackupRestoreCommand extends BackupsCommand implements Changing {
  @Option(names = "--id", paramLabel = "ID", description = "Which one; default: the newest.")
  private long id;

  @Override
  ExitCode run() {
    Backups backups = backups();
    Backup chosen = chosen(backups.list(directory()), id);
    StoreIdentity restored = backups.restore(directory(), chosen.id(), settings().storage());
    return answer(new Restored(chosen, restored));
  }

  private final class Restored implements Answer {
    private final Backup backup;
    private final StoreIdentity store;

    Restored(Backup backup, StoreIdentity store) {
      this.backup = backup;
      this.store = store;
    }

    @Override
    public void text(PrintStream out) {
      out.println(
          "%s is backup %d of %s, in epoch %d"
              .formatted(storeName(), backup.id(), Human.time(backup.at()), store.epoch()));
      out.println("look at it: " + again("provider check"));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("store", storeName())
          .put("storeId", store.storeId())
          .put("epoch", store.epoch())
          .put("backup", BackupsCommand.json(backup));
    }
  }
}
