/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.CallersTransaction;
import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.Optional;
import java.util.function.Consumer;
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

  /** The one that the calling thread is in. */
  Optional<CallersTransaction> current() {
    try {
      if (manager.getStatus() == Status.STATUS_NO_TRANSACTION) {
        return Optional.empty();
      }
      Transaction transaction = manager.getTransaction();
      return transaction == null ? Optional.empty() : Optional.of(new Current(transaction));
    } catch (SystemException e) {
      throw new Unavailable("the JTA transaction of the caller cannot be looked at", e);
    }
  }

  /** Nothing can save it after a statement that failed. */
  void giveUp() {
    try {
      manager.setRollbackOnly();
    } catch (IllegalStateException | SystemException e) {
      // It is over already, or its manager is: nothing of it will be committed.
    }
  }

  /** Whether connections of a DataSource become part of transactions, tried in one of its own. */
  boolean has(ContainerPool pool) {
    try (Pool.Apart apart = suspend()) {
      manager.begin();
      try {
        return pool.joins();
      } catch (Rejected e) {
        return false;
      } finally {
        manager.rollback();
      }
    } catch (NotSupportedException | SystemException e) {
      throw new Unavailable("a JTA transaction cannot be begun and rolled back", e);
    }
  }

  /** A transaction of the caller's. */
  private record Current(Transaction transaction) implements CallersTransaction {
    @Override
    public Object key() {
      return transaction;
    }

    @Override
    public boolean isActive() {
      try {
        return transaction.getStatus() == Status.STATUS_ACTIVE;
      } catch (SystemException e) {
        return false;
      }
    }

    @Override
    public void onEnd(Consumer<End> listener) {
      try {
        transaction.registerSynchronization(
            new Synchronization() {
              @Override
              public void beforeCompletion() {}

              @Override
              public void afterCompletion(int status) {
                listener.accept(end(status));
              }
            });
      } catch (RollbackException | IllegalStateException | SystemException e) {
        throw new Unavailable(
            "nothing was written: the JTA transaction of the caller can only be rolled back", e);
      }
    }

    private static End end(int status) {
      return switch (status) {
        case Status.STATUS_COMMITTED -> End.COMMITTED;
        case Status.STATUS_ROLLEDBACK -> End.ROLLED_BACK;
        default -> End.UNKNOWN;
      };
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
