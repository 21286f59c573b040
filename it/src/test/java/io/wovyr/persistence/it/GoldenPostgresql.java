/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the rows of a PostgreSQL store that every later version must read, as statements, sealed,
 * with the keystore beside them. Run once for a schema version; it never overwrites them.
 */
final class GoldenPostgresql {
  private GoldenPostgresql() {}

  public static void main(String[] arguments) throws Exception {
    Path script = Path.of(arguments[0]);
    if (Files.exists(script)) {
      throw new FileAlreadyExistsException(script + " is golden: it is never written again");
    }
    try (PostgresServer.Database database = PostgresServer.shared().newStore()) {
      Path keystore = script.resolveSibling(script.getFileName() + ".keystore");
      try (Persistence persistence = open(database, keystore, GoldenStore.SMALL_RECORDS);
          Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
        GoldenStore.write(persistence.as(GoldenStore.caller()));
        GoldenStore.writeLarge(persistence.as(GoldenStore.caller()));
        GoldenRecords.write(persistence, storage);
        Files.write(Path.of(arguments[1]), GoldenText.of(storage));
      }
      Files.write(script, rows(database));
    }
    System.exit(0);
  }

  /** Of a schema from before values were sealed. */
  static Persistence open(PostgresServer.Database database) {
    return open(database, Map.of("wovyr.sealing.provider", "none"));
  }

  static Persistence open(PostgresServer.Database database, Path keystore) {
    return open(database, keystore, Map.of());
  }

  private static Persistence open(
      PostgresServer.Database database, Path keystore, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("wovyr.sealing.keystore.path", keystore.toString());
    settings.put("wovyr.sealing.keystore.create", "true");
    return open(database, settings);
  }

  private static Persistence open(PostgresServer.Database database, Map<String, String> sealing) {
    Map<String, String> settings = new HashMap<>(sealing);
    database.settings().forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    return WovyrPersistence.builder()
        .provider(new PostgresqlStorageProvider())
        .settings(settings)
        .build();
  }

  /** An INSERT for each row, all values as text. */
  private static List<String> rows(PostgresServer.Database database) throws SQLException {
    List<String> statements = new ArrayList<>();
    for (String table :
        database.query(
            "SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND EXISTS (SELECT FROM"
                + " pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')"
                // Filled by a trigger when the rows it is made of are inserted.
                + " AND c.relname <> 'execution_by_attribute' ORDER BY 1")) {
      String columns =
          String.join(
              ", ",
              database.query(
                  "SELECT attname FROM pg_attribute WHERE attrelid = '"
                      + table
                      + "'::regclass AND attnum > 0 ORDER BY attnum"));
      String values =
          database
              .query(
                  "SELECT string_agg(format('quote_nullable(%I::text)', attname), ' || '', '' || '"
                      + " ORDER BY attnum) FROM pg_attribute WHERE attrelid = '"
                      + table
                      + "'::regclass AND attnum > 0")
              .get(0);
      for (String row : database.query("SELECT " + values + " FROM " + table + " ORDER BY 1")) {
        statements.add("INSERT INTO " + table + " (" + columns + ") VALUES (" + row + ");");
      }
    }
    statements.add(
        "SELECT setval('revision_seq', "
            + database.query("SELECT last_value FROM revision_seq").get(0)
            + ");");
    // As after a restore: what reads it is another server, which begins an epoch of its own.
    statements.add("UPDATE wovyr_store SET system_identifier = 0;");
    return statements;
  }
}
