/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.hibernate.stat.Statistics;

/** Patients in a SQLite file, by Hibernate and, to look at the raw columns, by JDBC. */
final class PatientDatabase implements AutoCloseable {
  private final String url;
  private final EntityManagerFactory factory;

  PatientDatabase(Path file) {
    url = "jdbc:sqlite:" + file;
    factory =
        new HibernatePersistenceConfiguration("patients")
            .managedClass(Patient.class)
            .property("jakarta.persistence.jdbc.url", url)
            .property("hibernate.dialect", "org.hibernate.community.dialect.SQLiteDialect")
            .property("hibernate.hbm2ddl.auto", "update")
            .property("hibernate.connection.pool_size", "1")
            .property("hibernate.generate_statistics", "true")
            .createEntityManagerFactory();
  }

  void inTransaction(Consumer<EntityManager> work) {
    factory.runInTransaction(work);
  }

  <T> T read(Function<EntityManager, T> work) {
    return factory.callInTransaction(work);
  }

  Patient find(long id) {
    return read(entities -> entities.find(Patient.class, id));
  }

  Statistics statistics() {
    return factory.unwrap(SessionFactory.class).getStatistics();
  }

  /** Every value of every row, as it lies there. */
  List<Object> rawValues() throws SQLException {
    List<Object> values = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select * from Patient")) {
      while (rows.next()) {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          values.add(rows.getObject(column));
        }
      }
    }
    return values;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
