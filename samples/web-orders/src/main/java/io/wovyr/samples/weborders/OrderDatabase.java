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
 * The application's own tables, over the DataSource of the store and in the server's transactions,
 * by the Hibernate in the EAR: there is no {@code persistence.xml}, which the server would take for
 * its own. Whoever migrates makes them, not the application: its login may not.
 */
@ApplicationScoped
class OrderDatabase {
  @Inject
  @ConfigProperty(name = "wovyr.storage.datasource")
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
            .property("hibernate.hbm2ddl.auto", "none")
            .createEntityManagerFactory();
  }

  @SuppressWarnings("BanJNDI") // The name is a setting's, never a caller's.
  private DataSource dataSource() {
    try {
      return (DataSource) new InitialContext().lookup(dataSourceName);
    } catch (NamingException e) {
      throw new IllegalStateException(
          "wovyr.storage.datasource names no DataSource: " + dataSourceName, e);
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
