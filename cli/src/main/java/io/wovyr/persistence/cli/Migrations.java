/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Migrator.Status;
import io.wovyr.persistence.storage.spi.StorageProvider;

/** What the migrate commands share. Stateless. */
final class Migrations {
  private Migrations() {}

  static Migrator of(StorageProvider provider) {
    Migrator migrator = provider.migrator();
    if (migrator == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "stores of the provider '%s' need no migration: open one with wovyr provider check"
              .formatted(provider.name()));
    }
    return migrator;
  }

  static JsonObject json(String store, Status status) {
    return new JsonObject()
        .put("store", store)
        .put("exists", status.exists())
        .put("schemaVersion", status.schemaVersion())
        .put("latestVersion", status.latestVersion())
        .put("pending", status.pending());
  }
}
