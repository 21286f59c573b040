/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Map;
import java.util.Optional;

/** The conformance kit over PostgreSQL, by DataSources of a container. */
class PostgresqlDataSourceStorageIT extends StorageContract {
  @Override
  protected StorageUnderTest storageUnderTest() {
    PostgresServer.Database database = PostgresServer.shared().newStore();
    TestContainer container = new TestContainer();
    Map<String, String> settings = container.settings(database, 20);
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "postgresql-datasource";
      }

      @Override
      public Storage open() {
        return new PostgresqlStorageProvider().open(settings);
      }

      @Override
      public Optional<Jta> jta() {
        return Optional.of(new CallersTable(container, database, settings.get("datasource")));
      }

      @Override
      public void close() {
        container.close();
        database.close();
      }
    };
  }
}
