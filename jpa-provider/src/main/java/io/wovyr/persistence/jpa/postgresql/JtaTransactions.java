/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.transaction.jta.platform.internal.NoJtaPlatform;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatformException;
import org.jspecify.annotations.Nullable;

/** The container's transactions, one of which the calling thread may be in. Thread-safe. */
final class JtaTransactions {
  /**
   * Where a container shows its transaction manager that Hibernate does not know by its classes.
   */
  private static final String IN_JNDI = "java:jboss/TransactionManager";

  private final TransactionManager manager;

  JtaTransactions(TransactionManager manager) {
    this.manager = manager;
  }

  /** Those of the container we are in; empty when there is none that has any. */
  static Optional<JtaTransactions> found() {
    TransactionManager manager = byClasses();
    return Optional.ofNullable(manager == null ? byName() : manager).map(JtaTransactions::new);
  }

  private static @Nullable TransactionManager byClasses() {
    BootstrapServiceRegistry classes =
        new BootstrapServiceRegistryBuilder()
            .applyClassLoader(JtaTransactions.class.getClassLoader())
            .build();
    try (StandardServiceRegistry registry = new StandardServiceRegistryBuilder(classes).build()) {
      JtaPlatform platform = registry.requireService(JtaPlatform.class);
      return platform instanceof NoJtaPlatform ? null : platform.retrieveTransactionManager();
    } catch (JtaPlatformException e) {
      // Its classes are there and nothing runs behind them.
      return null;
    }
  }

  @SuppressWarnings("BanJNDI") // A constant, in the container's own names.
  private static @Nullable TransactionManager byName() {
    try {
      return new InitialContext().lookup(IN_JNDI) instanceof TransactionManager found
          ? found
          : null;
    } catch (NamingException e) {
      return null;
    }
  }

  /**
   * Takes the calling thread out of its transaction until the answer is closed; null when it is in
   * none.
   *
   * @throws IllegalStateException when the manager refuses
   */
  Pool.@Nullable Apart suspend() {
    try {
      if (manager.getStatus() == Status.STATUS_NO_TRANSACTION) {
        return null;
      }
      Transaction suspended = manager.suspend();
      return suspended == null ? null : () -> resume(suspended);
    } catch (SystemException e) {
      throw new IllegalStateException("the caller's JTA transaction cannot be suspended", e);
    }
  }

  private void resume(Transaction suspended) {
    try {
      manager.resume(suspended);
    } catch (InvalidTransactionException | SystemException e) {
      throw new IllegalStateException("the caller's JTA transaction cannot be resumed", e);
    }
  }
}
