/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Migrator.Status;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.util.HashMap;
import java.util.Map;

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

  /**
   * Settings of the provider with which to migrate: who is named on the command line is the
   * migration role, whatever the settings say of one.
   */
  static Map<String, String> settings(Settings settings, GlobalOptions options) {
    Map<String, String> storage = new HashMap<>(settings.storage());
    if (options.namesUrl()) {
      storage.remove("migration-url");
    }
    String password = storage.get("migration-password");
    if (options.namesUser()) {
      storage.remove("migration-user");
      storage.remove("migration-password");
      if (password != null && !options.namesPassword()) {
        storage.put("password", password);
      }
    } else if (options.namesPassword() && storage.containsKey("migration-user")) {
      storage.put("migration-password", storage.getOrDefault("password", ""));
    }
    return storage;
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
