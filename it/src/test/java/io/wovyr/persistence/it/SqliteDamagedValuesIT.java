/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

class SqliteDamagedValuesIT extends DamagedValuesContract {
  private final SqliteStorageProvider provider = new SqliteStorageProvider();

  private Map<String, String> store() {
    return Map.of("path", directory.resolve("orders.db").toString());
  }

  @BeforeEach
  void migrate() {
    provider.migrator().migrate(store(), step -> {});
  }

  @Override
  Persistence open(Map<String, String> more) {
    return WovyrPersistence.builder()
        .provider(provider)
        .setting("wovyr.storage.path", directory.resolve("orders.db").toString())
        .settings(more)
        .build();
  }

  @Override
  Storage raw() {
    return provider.open(store());
  }

  @Override
  Path keystore() {
    return directory.resolve("orders.db.keystore");
  }
}
