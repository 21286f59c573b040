/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PersistenceUnitTransactionType;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * The application's own tables, over a DataSource of the server and its transactions, by the
 * Hibernate in the EAR: there is no {@code persistence.xml}, which the server would take for its
 * own.
 */
@ApplicationScoped
class OrderDatabase {
  @Inject
  @ConfigProperty(name = "orders.datasource", defaultValue = "jdbc/orders")
  String dataSourceName;

  @Inject BeanManager beans;

  private @Nullable EntityManagerFactory factory;

  @PostConstruct
  void open() {
    factory =
        new PersistenceConfiguration("orders")
            .provider("org.hibernate.jpa.HibernatePersistenceProvider")
            .transactionType(PersistenceUnitTransactionType.JTA)
            .managedClass(PlacedOrder.class)
            .managedClass(PlacedOrder.RecipientConverter.class)
            .property("hibernate.connection.datasource", dataSource())
            .property("hibernate.classLoaders", List.of(OrderDatabase.class.getClassLoader()))
            .property("jakarta.persistence.bean.manager", beans)
            .property("hibernate.hbm2ddl.auto", "update")
            .createEntityManagerFactory();
  }

  @SuppressWarnings("BanJNDI") // The name is a setting's, never a caller's.
  private DataSource dataSource() {
    try {
      return (DataSource) new InitialContext().lookup(dataSourceName);
    } catch (NamingException e) {
      throw new IllegalStateException(
          "no DataSource " + dataSourceName + ": set orders.datasource to its name in JNDI", e);
    }
  }

  EntityManagerFactory factory() {
    if (factory == null) {
      throw new IllegalStateException("not open");
    }
    return factory;
  }

  @PreDestroy
  void close() {
    if (factory != null) {
      factory.close();
    }
  }
}
