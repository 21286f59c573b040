/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hibernate.SessionFactory;
import org.hibernate.engine.jdbc.connections.internal.UserSuppliedConnectionProviderImpl;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The one session factory of a store, built on a thread of its own when it is first needed or, to
 * have it ready by then, when the store is opened. The lean path never waits for it. Thread-safe.
 */
public final class SessionFactories implements AutoCloseable {
  private final String name;
  private final Map<String, Object> properties;
  private @Nullable CompletableFuture<SessionFactory> building;
  private boolean closed;

  /**
   * @param properties what differs between databases, the dialect above all
   */
  public SessionFactories(String name, Map<String, Object> properties) {
    this.name = name;
    this.properties = Map.copyOf(properties);
  }

  /** Begins to build it, if nobody did yet. Returns at once. */
  public void begin() {
    CompletableFuture<SessionFactory> unused = future();
  }

  private synchronized CompletableFuture<SessionFactory> future() {
    CompletableFuture<SessionFactory> future = building;
    if (future == null) {
      CompletableFuture<SessionFactory> fresh = new CompletableFuture<>();
      Thread thread = new Thread(() -> build(fresh), "wovyr-" + name + "-hibernate");
      thread.setDaemon(true);
      thread.setContextClassLoader(SessionFactories.class.getClassLoader());
      thread.start();
      building = fresh;
      future = fresh;
    }
    return future;
  }

  @SuppressWarnings("CatchingUnchecked") // Whatever goes wrong belongs to those who wait.
  private void build(CompletableFuture<SessionFactory> future) {
    try {
      future.complete(create());
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }

  private SessionFactory create() {
    HibernatePersistenceConfiguration configuration =
        new HibernatePersistenceConfiguration("wovyr-" + name, SessionFactories.class);
    Entities.classes().forEach(configuration::managedClass);
    // Sessions are given their connection: the factory must not look for one.
    configuration.property(
        "hibernate.connection.provider_class", UserSuppliedConnectionProviderImpl.class.getName());
    configuration.property("hibernate.boot.allow_jdbc_metadata_access", false);
    configuration.property("hibernate.hbm2ddl.auto", "none");
    // A taken key is an answer here, and everything else is thrown.
    configuration.property("hibernate.jdbc.log.errors", false);
    configuration.property("hibernate.cache.use_second_level_cache", false);
    configuration.property("jakarta.persistence.validation.mode", "none");
    properties.forEach(configuration::property);
    return configuration.createEntityManagerFactory();
  }

  /**
   * The factory, waiting for it if need be.
   *
   * @throws Unavailable when it is not there by the deadline, cannot be built, or is closed
   */
  public SessionFactory get(Deadline deadline) {
    synchronized (this) {
      if (closed) {
        throw new Unavailable("the store is closed", null);
      }
    }
    try {
      return future().get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new Unavailable("Hibernate was not ready by the deadline: retry", e);
    } catch (ExecutionException e) {
      throw new Unavailable("Hibernate cannot start: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted before anything was written", e);
    }
  }

  @Override
  public synchronized void close() {
    CompletableFuture<SessionFactory> future = building;
    if (!closed && future != null) {
      CompletableFuture<Void> unused = future.thenAccept(SessionFactory::close);
    }
    closed = true;
  }
}
