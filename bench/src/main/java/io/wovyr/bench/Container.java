/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.NamingManager;
import javax.sql.DataSource;
import org.postgresql.Driver;

/**
 * What a server has that deploys us: a transaction manager (Narayana), pooled DataSources that are
 * part of its transactions (Agroal), and JNDI to find them in. Thread-safe.
 */
final class Container implements AutoCloseable {
  private static final Map<String, DataSource> BOUND = new ConcurrentHashMap<>();

  private final List<AgroalDataSource> opened = new ArrayList<>();

  /**
   * @param directory where the transaction manager may keep what it has to remember
   */
  Container(Path directory) throws NamingException {
    for (String name : List.of("default", "communicationStore", "stateStore")) {
      BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, name)
          .setObjectStoreDir(directory.toString());
    }
    if (!NamingManager.hasInitialContextFactoryBuilder()) {
      NamingManager.setInitialContextFactoryBuilder(environment -> unused -> new Names());
    }
  }

  TransactionManager transactions() {
    return com.arjuna.ats.jta.TransactionManager.transactionManager();
  }

  /** A DataSource, bound to its name. */
  void dataSource(String name, String url, String user, String password, int size)
      throws SQLException {
    AgroalDataSource made =
        AgroalDataSource.from(
            new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(
                    pool ->
                        pool.maxSize(size)
                            .acquisitionTimeout(Duration.ofSeconds(10))
                            .transactionIntegration(
                                new NarayanaTransactionIntegration(
                                    transactions(), new TransactionSynchronizationRegistryImple()))
                            .connectionFactoryConfiguration(
                                factory ->
                                    factory
                                        .connectionProviderClass(Driver.class)
                                        .jdbcUrl(url)
                                        .principal(new NamePrincipal(user))
                                        .credential(new SimplePassword(password)))));
    opened.add(made);
    BOUND.put(name, made);
  }

  /** What is bound to a name. */
  DataSource bound(String name) {
    return Known.of(BOUND, name);
  }

  @Override
  public void close() {
    opened.forEach(AgroalDataSource::close);
    BOUND.values().removeAll(opened);
  }

  /** What JNDI answers. */
  private static final class Names extends InitialContext {
    Names() throws NamingException {
      super(true);
    }

    @Override
    public Object lookup(String name) throws NamingException {
      DataSource found = BOUND.get(name);
      if (found == null) {
        throw new NameNotFoundException(name);
      }
      return found;
    }

    @Override
    protected Context getDefaultInitCtx() throws NamingException {
      throw new NamingException("only names are looked up");
    }
  }
}
