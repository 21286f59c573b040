/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Backups.Backup;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells whether a backup can be restored. */
@Command(
    name = "verify",
    description = {
      "Restores a backup beside the others, reads all of it with its checksums, and removes",
      "the copy again; the disk needs space for it. Ends with 6 when it is damaged."
    })
final class BackupVerifyCommand extends BackupsCommand {
  @Option(names = "--id", paramLabel = "ID", description = "Which one; default: the newest.")
  private long id;

  @Override
  ExitCode run() {
    Backups backups = backups();
    Backup chosen = chosen(backups.list(directory()), id);
    return answer(new Verified(backups.verify(directory(), chosen.id())));
  }

  private record Verified(Backup backup) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(
          "backup %d of %s can be restored: %s read"
              .formatted(backup.id(), Human.time(backup.at()), Human.size(backup.bytes())));
    }

    @Override
    public JsonObject json() {
      return BackupsCommand.json(backup);
    }
  }
}
