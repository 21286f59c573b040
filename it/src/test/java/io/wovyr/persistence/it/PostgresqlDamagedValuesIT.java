/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresqlDamagedValuesIT extends DamagedValuesContract {
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
  Persistence open(Map<String, String> more) {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.sealing.keystore.path", keystore().toString())
            .setting("wovyr.sealing.keystore.create", "true")
            .settings(more);
    database.settings().forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    return builder.build();
  }

  @Override
  Storage raw() {
    return new PostgresqlStorageProvider().open(database.settings());
  }

  @Override
  Path keystore() {
    return directory.resolve("keys.p12");
  }

  @Override
  void open(RecordType type) throws SQLException {
    for (Attribute attribute : type.attributes()) {
      database.run(
          "ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL"
              .formatted(type.name(), DamagedRows.column(attribute.name())));
    }
    database.run("ALTER TABLE " + type.name() + " ALTER COLUMN record_id DROP NOT NULL");
    database.run("ALTER TABLE " + type.name() + " ALTER COLUMN updated_by DROP NOT NULL");
  }

  @Override
  Optional<String> damage(Kind kind, boolean nullable) {
    return switch (kind) {
      case TEXT_LIST -> Optional.of("'x'");
      case INSTANT -> Optional.of("9223372036854775807");
      default -> nullable ? Optional.empty() : Optional.of("NULL");
    };
  }

  @Override
  String literal(Object keyValue) {
    return "'" + keyValue + "'";
  }

  @Override
  void sql(String table, String... statements) throws SQLException {
    database.run("ALTER TABLE " + table + " DISABLE TRIGGER USER");
    database.run(statements);
    database.run("ALTER TABLE " + table + " ENABLE TRIGGER USER");
  }
}
