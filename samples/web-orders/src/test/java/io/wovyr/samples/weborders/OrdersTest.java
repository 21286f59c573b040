/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.LostRace;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application without a server: CDI is Weld's, the transactions are the database's own. */
final class OrdersTest {
  @TempDir static Path folder;

  private SeContainer container;

  /** Who calls, and for which tenant. */
  private record Login(String name, String group, String tenant) {}

  private static final Login CLERK = new Login("carla", "clerk", "acme");
  private static final Login VIEWER = new Login("vic", "viewer", "acme");
  private static final Login OTHERS = new Login("otto", "clerk", "globex");

  /** What a server knows of the request. */
  @RequestScoped
  static class Request implements IncomingRequest {
    private Login login = new Login("", "", "");

    void is(Login value) {
      login = value;
    }

    @Override
    public Optional<String> actor() {
      return Optional.of(login.name());
    }

    @Override
    public boolean isInRole(String role) {
      return role.equals(login.group());
    }

    @Override
    public Optional<String> claim(String name) {
      return Optional.empty();
    }

    @Override
    public List<String> header(String name) {
      return name.equals("X-Tenant") ? List.of(login.tenant()) : List.of();
    }

    @Override
    public Optional<String> host() {
      return Optional.empty();
    }
  }

  /** The store. */
  @ApplicationScoped
  static class Stores {
    @Produces
    @ApplicationScoped
    StorageProvider memory() {
      return new MemoryStorageProvider();
    }
  }

  /** The application's tables in a file. */
  @ApplicationScoped
  static class FileEntities implements OrderEntities {
    private static final ThreadLocal<EntityManager> NOW = new ThreadLocal<>();
    private EntityManagerFactory factory;

    void open(Path file) {
      factory =
          new PersistenceConfiguration("orders")
              .managedClass(PlacedOrder.class)
              .managedClass(PlacedOrder.RecipientConverter.class)
              .property("jakarta.persistence.jdbc.url", "jdbc:sqlite:" + file)
              .property("hibernate.dialect", "org.hibernate.community.dialect.SQLiteDialect")
              .property("hibernate.hbm2ddl.auto", "update")
              .createEntityManagerFactory();
    }

    void close() {
      factory.close();
    }

    EntityManagerFactory factory() {
      return factory;
    }

    @Override
    public EntityManager current() {
      return NOW.get();
    }

    Object inTransaction(InvocationContext call) throws Exception {
      try (EntityManager entities = factory.createEntityManager()) {
        NOW.set(entities);
        entities.getTransaction().begin();
        try {
          Object answer = call.proceed();
          entities.getTransaction().commit();
          return answer;
        } finally {
          NOW.remove();
          if (entities.getTransaction().isActive()) {
            entities.getTransaction().rollback();
          }
        }
      }
    }
  }

  /** As a server's: an exception rolls back. */
  @Interceptor
  @Transactional
  @Priority(Interceptor.Priority.PLATFORM_BEFORE)
  static class Transactions {
    @Inject FileEntities entities;

    @AroundInvoke
    Object around(InvocationContext call) throws Exception {
      return entities.inTransaction(call);
    }
  }

  @BeforeEach
  void start() {
    set("wovyr.tenant.resolver", "header");
    set("wovyr.tenant.header", "X-Tenant");
    set("wovyr.role.reader", "clerk, viewer");
    set("wovyr.role.writer", "clerk");
    set("wovyr.sealing.keystore.path", folder.resolve("keys.p12").toString());
    set("wovyr.sealing.keystore.create", "true");
    container =
        SeContainerInitializer.newInstance()
            .addBeanClasses(
                OrderResource.class,
                Orders.class,
                Columns.class,
                Request.class,
                Stores.class,
                FileEntities.class,
                Transactions.class)
            .initialize();
    container.select(FileEntities.class).get().open(database());
  }

  private static void set(String key, String value) {
    System.setProperty(key, value);
  }

  private Path database() {
    return folder.resolve("orders-" + System.identityHashCode(this) + ".db");
  }

  @AfterEach
  void stop() {
    container.select(FileEntities.class).get().close();
    container.close();
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("wovyr."))
        .filter(name -> !name.startsWith("wovyr.docs."))
        .forEach(System::clearProperty);
  }

  private <T> T as(Login login, Callable<T> call) {
    RequestContextController context = container.select(RequestContextController.class).get();
    context.activate();
    try {
      container.select(Request.class).get().is(login);
      return call.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      context.deactivate();
    }
  }

  private OrderResource orders() {
    return container.select(OrderResource.class).get();
  }

  private int executions(String tenant) {
    return container
        .select(Persistence.class)
        .get()
        .as(Caller.of(tenant, "test", Role.READER))
        .executions()
        .find(ExecutionQuery.all(), 100, Optional.empty())
        .items()
        .size();
  }

  @Test
  void anOrderIsPlacedAndShownAndItsRecipientIsNotInTheFile() throws Exception {
    as(CLERK, () -> orders().place("4711", "Ada Lovelace"));

    assertThat(as(VIEWER, () -> orders().show("4711"))).isEqualTo("4711 Ada Lovelace CREATED");
    assertThat(Files.readString(database(), StandardCharsets.ISO_8859_1))
        .contains("4711")
        .doesNotContain("Lovelace");
  }

  @Test
  void ordersOfAnotherTenantAreNotThere() {
    as(CLERK, () -> orders().place("4711", "Ada Lovelace"));
    as(OTHERS, () -> orders().place("4711", "Charles Babbage"));

    assertThat(as(OTHERS, () -> orders().show("4711"))).contains("Charles Babbage");
    assertThat(as(CLERK, () -> orders().show("4711"))).contains("Ada Lovelace");
  }

  @Test
  void whoMayOnlyReadPlacesNothing() {
    assertThatThrownBy(() -> as(VIEWER, () -> orders().place("4711", "Ada Lovelace")))
        .isInstanceOf(AccessDenied.class)
        .satisfies(
            refused -> assertThat(Refused.status((PersistenceException) refused)).isEqualTo(403));
    assertThat(executions("acme")).isZero();
    assertThat(rows()).isZero();
  }

  @Test
  void aNumberThatIsTakenLeavesNoSecondRow() {
    as(CLERK, () -> orders().place("4711", "Ada Lovelace"));
    assertThatThrownBy(() -> as(CLERK, () -> orders().place("4711", "Charles Babbage")))
        .isInstanceOf(LostRace.class);
    assertThat(executions("acme")).isEqualTo(1);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aRowThatTheDatabaseRefusesLeavesNoExecution() {
    assertThatThrownBy(() -> as(CLERK, () -> orders().place("4711", null)))
        .isInstanceOf(RuntimeException.class);
    assertThat(executions("acme")).isZero();
    assertThat(rows()).isZero();
  }

  private long rows() {
    try (EntityManager entities =
        container.select(FileEntities.class).get().factory().createEntityManager()) {
      return entities
          .createQuery("select count(o) from PlacedOrder o", Long.class)
          .getSingleResult();
    }
  }
}
