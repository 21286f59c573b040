/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

class SqliteKilledWorkersIT extends KilledWorkersContract {
  private String path;

  @BeforeEach
  void migrate() {
    path = SqliteFile.migrated(directory.resolve("orders.db"));
  }

  @Override
  String provider() {
    return "sqlite";
  }

  @Override
  Map<String, String> settings() {
    return Map.of("wovyr.storage.path", path);
  }

  @Override
  Persistence open() {
    return SqliteFile.open(path, Map.of());
  }
}
