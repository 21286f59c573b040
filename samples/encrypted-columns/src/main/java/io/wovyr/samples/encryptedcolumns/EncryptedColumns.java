/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.encryptedcolumns;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.HexFormat;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/**
 * Stores a customer in a SQLite file, shows the row as the database has it, and reads it back. The
 * argument is a folder for database and keys, {@code encrypted-columns-data} when there is none.
 * Run it twice: the second time it reads what the first one stored.
 */
public final class EncryptedColumns {
  private static final int SHOWN_BYTES = 12;

  private EncryptedColumns() {}

  /** The program. */
  public static void main(String[] arguments) throws IOException, SQLException {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : "encrypted-columns-data");
    run(folder, System.out);
  }

  static void run(Path folder, PrintStream out) throws IOException, SQLException {
    EnvelopeSealing sealing =
        EnvelopeSealing.with(
                new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve("keys.p12"))))
            .over(new FileDataKeyStore(folder.resolve("datakeys")));
    Files.createDirectories(folder);
    String url = "jdbc:sqlite:" + folder.resolve("customers.db");
    try (ColumnEncryption.Registration registration = ColumnEncryption.with(sealing).register();
        EntityManagerFactory factory = open(url)) {
      factory.runInTransaction(
          entities -> {
            if (entities.find(Customer.class, 1L) == null) {
              entities.persist(ada());
            }
          });
      out.println("In the database:");
      showRaw(url, out);
      out.println("In the application:");
      factory.runInTransaction(entities -> out.println("  " + entities.find(Customer.class, 1L)));
    }
  }

  private static Customer ada() {
    Customer ada = new Customer(1, "GB", "ada@example.org");
    ada.describe(
        LocalDate.of(1815, 12, 10),
        new BigDecimal("1200.50"),
        new Customer.Address("12 St James's Square", "London"));
    return ada;
  }

  private static EntityManagerFactory open(String url) {
    return new HibernatePersistenceConfiguration("customers")
        .managedClass(Customer.class)
        .property("jakarta.persistence.jdbc.url", url)
        .property("hibernate.dialect", "org.hibernate.community.dialect.SQLiteDialect")
        .property("hibernate.hbm2ddl.auto", "update")
        .createEntityManagerFactory();
  }

  private static void showRaw(String url, PrintStream out) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select * from Customer")) {
      while (row.next()) {
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
          out.println(
              "  "
                  + row.getMetaData().getColumnName(column)
                  + " = "
                  + shown(row.getObject(column)));
        }
      }
    }
  }

  private static String shown(Object value) {
    if (value instanceof byte[] bytes) {
      int length = Math.min(bytes.length, SHOWN_BYTES);
      return HexFormat.of().formatHex(bytes, 0, length) + "... (" + bytes.length + " bytes)";
    }
    return String.valueOf(value);
  }
}
