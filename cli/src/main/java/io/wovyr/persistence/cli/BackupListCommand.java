/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Backups.Backup;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists backups. */
@Command(name = "list", description = "Lists the backups in a directory, the oldest first.")
final class BackupListCommand extends BackupsCommand {
  @Override
  ExitCode run() {
    return answer(new Listing(backups().list(directory())));
  }

  private record Listing(List<Backup> all) implements Answer {
    @Override
    public void text(PrintStream out) {
      Table table = new Table(">ID", "MADE (UTC)", ">SIZE", ">EPOCH", "STORE");
      for (Backup backup : all) {
        table.row(
            backup.id(),
            Human.time(backup.at()),
            Human.size(backup.bytes()),
            backup.store().epoch(),
            backup.store().storeId());
      }
      table.print(out);
    }

    @Override
    public JsonObject json() {
      return new JsonObject().put("backups", all.stream().map(BackupsCommand::json).toList());
    }
  }
}
