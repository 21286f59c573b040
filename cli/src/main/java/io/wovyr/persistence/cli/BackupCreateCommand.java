/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Backups.Backup;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** Makes a backup. */
@Command(
    name = "create",
    description = {
      "Makes a backup of everything that is committed. What former backups in the directory",
      "hold is shared with them, not copied again; interrupted, it leaves them as they are."
    })
final class BackupCreateCommand extends BackupsCommand implements Changing {
  @Override
  ExitCode run() {
    return answer(new Made(backups().create(settings().storage(), directory())));
  }

  private final class Made implements Answer {
    private final Backup backup;

    Made(Backup backup) {
      this.backup = backup;
    }

    @Override
    public void text(PrintStream out) {
      out.println(
          "made backup %d of %s, %s"
              .formatted(backup.id(), storeName(), Human.size(backup.bytes())));
      out.println(
          "verify it: "
              + again("backup verify %s --id %d".formatted(shell(directory()), backup.id())));
    }

    @Override
    public JsonObject json() {
      return BackupsCommand.json(backup);
    }
  }
}
