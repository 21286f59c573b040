/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Backups.Backup;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** What the backup commands share: the directory, and the way to the provider's tool. */
abstract class BackupsCommand extends StoreCommand {
  @Parameters(paramLabel = "DIR", description = "The directory of the backups.")
  private Path directory = Path.of("");

  final Path directory() {
    if (directory.toString().isBlank()) {
      throw new InvalidInput("DIR is empty: give the directory of the backups, such as backups");
    }
    return directory.toAbsolutePath().normalize();
  }

  final Backups backups() {
    return backups(provider());
  }

  static Backups backups(StorageProvider provider) {
    Backups backups = provider.backups();
    if (backups == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "stores of the provider '%s' are backed up with tools of their own: see %s"
              .formatted(provider.name(), page(provider.name())));
    }
    return backups;
  }

  /** Of those that ship; others have pages of their own elsewhere. */
  private static String page(String provider) {
    return Set.of("sqlite", "postgresql", "dynamodb", "foundationdb").contains(provider)
        ? "docs/stores/%s.md".formatted(provider)
        : "its documentation";
  }

  /** The one that was asked for, or the newest. */
  final Backup chosen(List<Backup> all, long id) {
    if (all.isEmpty()) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "there is no whole backup in " + directory());
    }
    if (id == 0) {
      return all.get(all.size() - 1);
    }
    return all.stream()
        .filter(backup -> backup.id() == id)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "there is no backup %d in %s: see %s"
                        .formatted(id, directory(), again("backup list " + shell(directory())))));
  }

  static String shell(Path path) {
    return ShellWord.of(path.toString());
  }

  static JsonObject json(Backup backup) {
    return new JsonObject()
        .put("id", backup.id())
        .put("madeAt", backup.at())
        .put("bytes", backup.bytes())
        .put("storeId", backup.store().storeId())
        .put("epoch", backup.store().epoch());
  }
}
