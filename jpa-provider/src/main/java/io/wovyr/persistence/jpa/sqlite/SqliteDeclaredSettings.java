/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;

/** What {@link SqliteSettings} reads, for the reference page. */
final class SqliteDeclaredSettings {
  private static final String WHERE = "stores in SQLite ([more](stores/sqlite.md))";

  private SqliteDeclaredSettings() {}

  static List<Setting> all() {
    return List.of(
        setting(
            SqliteSettings.PATH,
            "required",
            "file",
            "the file of the store; all processes that share it name the same one. No URI, no `?`"),
        setting(
            SqliteSettings.BUSY_TIMEOUT,
            "PT5S",
            "duration, PT0.001S to PT10M",
            "how long one statement waits inside SQLite for another process; writes try again until"
                + " their deadline"),
        setting(
            SqliteSettings.READ_CONNECTIONS,
            "processors, 2 to 8",
            "number, 1 to 64",
            "most calls that read at the same time"),
        setting(
            SqliteSettings.HIBERNATE_START,
            "background",
            "`background` or `on-demand`",
            "when Hibernate is built: beside the first calls, or when a call first needs it"),
        setting(
            SqliteSettings.MIGRATE_WAIT,
            "PT30S",
            "duration, PT0.001S to PT10M",
            "how long a migration waits for another one"));
  }

  private static Setting setting(String key, String standard, String kind, String meaning) {
    return new Setting("wovyr.storage." + key, standard, kind, meaning, WHERE);
  }
}
