/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.encryption.jpa.EncryptedString;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PersistenceUnitTransactionType;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.microprofile.config.Config;

/** The application's own entity manager, on the Hibernate of the EAR and in the server's JTA. */
@ApplicationScoped
public class Cards {
  @Inject BeanManager beans;
  @Inject Config config;

  @SuppressWarnings("NullAway.Init") // Set by open().
  private EntityManagerFactory factory;

  @PostConstruct
  void open() {
    factory =
        new PersistenceConfiguration("cards")
            .provider("org.hibernate.jpa.HibernatePersistenceProvider")
            .transactionType(PersistenceUnitTransactionType.JTA)
            .managedClass(Card.class)
            .managedClass(EncryptedString.class)
            .managedClass(NoteConverter.class)
            .property("hibernate.connection.datasource", StoreSql.dataSource(config))
            .property("hibernate.classLoaders", List.of(Cards.class.getClassLoader()))
            .property("jakarta.persistence.bean.manager", beans)
            .property("hibernate.hbm2ddl.auto", "none")
            .createEntityManagerFactory();
  }

  @PreDestroy
  void close() {
    factory.close();
  }

  @Transactional
  void save(long id, String number, String note) {
    Card card = new Card();
    card.id = id;
    card.number = number;
    card.note = note;
    try (EntityManager entities = factory.createEntityManager()) {
      entities.persist(card);
      entities.flush();
    }
  }

  @Transactional
  Card find(long id) {
    try (EntityManager entities = factory.createEntityManager()) {
      return entities.find(Card.class, id);
    }
  }

  /** The bytes of the encrypted column, as somebody reads them who has no key. */
  @Transactional
  List<String> stored(long id) {
    try (EntityManager entities = factory.createEntityManager()) {
      List<?> rows =
          entities
              .createNativeQuery("SELECT number FROM shop.card WHERE id = ?1", byte[].class)
              .setParameter(1, id)
              .getResultList();
      return rows.stream()
          .map(row -> new String((byte[]) row, StandardCharsets.ISO_8859_1))
          .toList();
    }
  }
}
