/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresqlKilledWorkersIT extends KilledWorkersContract {
  private PostgresServer.Database database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Override
  String provider() {
    return "postgresql";
  }

  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("wovyr.sealing.keystore.path", directory.resolve("keys.p12").toString());
    settings.put("wovyr.sealing.keystore.create", "true");
    database.settings().forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    return settings;
  }

  @Override
  Persistence open() {
    return WovyrPersistence.builder()
        .provider(new PostgresqlStorageProvider())
        .settings(settings())
        .build();
  }
}
