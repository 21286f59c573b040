/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.jpa.entity.RevisionEntity;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.HashMap;
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
 * The session factory of a store, built on a thread of its own when it is first needed or, to have
 * it ready by then, when the store is opened. The lean path never waits for it. It knows no
 * connection, so all stores of one kind in a process share one; the last to close closes it.
 * Thread-safe.
 */
public final class SessionFactories implements AutoCloseable {
  private static final Map<Kind, Shared> SHARED = new HashMap<>();

  /** So long it may take on a machine that has better to do. */
  private static final Duration BUILDING = Duration.ofMinutes(2);

  private final Kind kind;
  private @Nullable CompletableFuture<SessionFactory> building;
  private boolean closed;

  /** What makes two factories the same. */
  private record Kind(String name, Map<String, Object> properties) {}

  /** A factory and how many stores use it. Guarded by {@link #SHARED}. */
  private static final class Shared {
    private final CompletableFuture<SessionFactory> factory = new CompletableFuture<>();
    private int users;
  }

  /**
   * @param properties what differs between databases, the dialect above all
   */
  public SessionFactories(String name, Map<String, Object> properties) {
    this.kind = new Kind(name, Map.copyOf(properties));
  }

  /** Begins to build it, if nobody did yet. Returns at once. */
  public void begin() {
    CompletableFuture<SessionFactory> unused = future();
  }

  private synchronized CompletableFuture<SessionFactory> future() {
    CompletableFuture<SessionFactory> future = building;
    if (future == null) {
      future = share(kind);
      building = future;
    }
    return future;
  }

  private static CompletableFuture<SessionFactory> share(Kind kind) {
    synchronized (SHARED) {
      Shared shared = SHARED.get(kind);
      if (shared == null || shared.factory.isCompletedExceptionally()) {
        Shared fresh = new Shared();
        Thread thread =
            new Thread(() -> build(kind, fresh.factory), "wovyr-" + kind.name() + "-hibernate");
        thread.setDaemon(true);
        thread.setContextClassLoader(SessionFactories.class.getClassLoader());
        thread.start();
        SHARED.put(kind, fresh);
        shared = fresh;
      }
      shared.users++;
      return shared.factory;
    }
  }

  private static void release(Kind kind, CompletableFuture<SessionFactory> factory) {
    synchronized (SHARED) {
      Shared shared = SHARED.get(kind);
      if (shared == null || shared.factory != factory || --shared.users > 0) {
        return;
      }
      SHARED.remove(kind);
    }
    CompletableFuture<Void> unused = factory.thenAccept(SessionFactory::close);
  }

  @SuppressWarnings("CatchingUnchecked") // Whatever goes wrong belongs to those who wait.
  private static void build(Kind kind, CompletableFuture<SessionFactory> future) {
    try {
      future.complete(create(kind));
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }

  private static SessionFactory create(Kind kind) {
    HibernatePersistenceConfiguration configuration =
        new HibernatePersistenceConfiguration("wovyr-" + kind.name(), SessionFactories.class);
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
    configuration.property("org.hibernate.envers.audit_table_suffix", "_aud");
    configuration.property("org.hibernate.envers.revision_field_name", "rev");
    configuration.property("org.hibernate.envers.revision_type_field_name", "revtype");
    kind.properties().forEach(configuration::property);
    configuration.managedClass(RevisionEntity.class);
    return configuration.createEntityManagerFactory();
  }

  /**
   * Waits until the factory is there. The first call of a process may come before: what it waits
   * for is no part of its own work, so its deadline moves by that time, {@link #BUILDING} at most.
   *
   * @return the deadline for the work itself
   * @throws Unavailable as {@link #get}
   */
  public Deadline ready(Deadline deadline) {
    Duration left = deadline.remaining();
    if (left.isZero() || future().isDone()) {
      get(deadline);
      return deadline;
    }
    get(Deadline.after(left.plus(BUILDING)));
    return Deadline.after(left);
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
      release(kind, future);
    }
    closed = true;
  }
}
