/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;

/** What {@link RocksDbSettings} reads, for the reference page. */
final class RocksDbDeclaredSettings {
  private static final String WHERE = "stores in RocksDB ([more](stores/rocksdb.md))";

  private RocksDbDeclaredSettings() {}

  static List<Setting> all() {
    return List.of(
        new Setting(
            "wovyr.storage." + RocksDbSettings.PATH,
            "required",
            "directory",
            "the directory of the store, on a local disk; one process at a time has it open",
            WHERE),
        new Setting(
            "wovyr.storage." + RocksDbSettings.CACHE,
            "64",
            "number, 1 to 65536, of mebibytes",
            "how much of what was read from the disk stays in memory, outside the Java heap; the"
                + " first handle of a store in a process decides",
            WHERE));
  }
}
