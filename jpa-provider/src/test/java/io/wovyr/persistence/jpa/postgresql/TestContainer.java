/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.NamingManager;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.xa.PGXADataSource;

/**
 * What a server has that deploys us: a transaction manager (Narayana), pooled DataSources that are
 * part of its transactions (Agroal), and JNDI to find them in.
 */
public final class TestContainer implements AutoCloseable {
  private static final Map<String, Object> BOUND = new ConcurrentHashMap<>();
  private static boolean prepared;

  private final List<AgroalDataSource> opened = new ArrayList<>();

  /** A container of this JVM. */
  public TestContainer() {
    prepare();
  }

  private static synchronized void prepare() {
    if (prepared) {
      return;
    }
    prepared = true;
    try {
      NamingManager.setInitialContextFactoryBuilder(environment -> unused -> new Bound());
      Path store = Files.createTempDirectory("wovyr-narayana");
      for (String name : new String[] {"default", "communicationStore", "stateStore"}) {
        BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, name)
            .setObjectStoreDir(store.toString());
      }
      BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
          .setObjectStoreDir(store.toString());
    } catch (NamingException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whose transactions its DataSources are part of. */
  public TransactionManager transactions() {
    return com.arjuna.ats.jta.TransactionManager.transactionManager();
  }

  /** Binds anything. */
  void bind(String name, Object value) {
    BOUND.put(name, value);
  }

  /** What is bound. */
  public DataSource bound(String name) {
    return (DataSource) Objects.requireNonNull(BOUND.get(name));
  }

  /** A DataSource of one role, {@code runtime}, {@code system} or {@code purge}, one phase only. */
  public AgroalDataSource dataSource(
      String name, PostgresServer.Database database, String role, int size) {
    return dataSource(name, database.url(), "wovyr_test_" + role, "test", size, Driver.class);
  }

  /** As {@link #dataSource(String, PostgresServer.Database, String, int)}, two phases (XA). */
  public AgroalDataSource xaDataSource(
      String name, PostgresServer.Database database, String role, int size) {
    return dataSource(
        name, database.url(), "wovyr_test_" + role, "test", size, PGXADataSource.class);
  }

  /** Any DataSource. */
  AgroalDataSource dataSource(
      String name, String url, String user, String password, int size, Class<?> driver) {
    try {
      AgroalDataSource made =
          AgroalDataSource.from(
              new AgroalDataSourceConfigurationSupplier()
                  .connectionPoolConfiguration(
                      pool ->
                          pool.maxSize(size)
                              .acquisitionTimeout(Duration.ofSeconds(10))
                              .transactionIntegration(
                                  new NarayanaTransactionIntegration(
                                      transactions(),
                                      new TransactionSynchronizationRegistryImple()))
                              .connectionFactoryConfiguration(
                                  factory ->
                                      factory
                                          .connectionProviderClass(driver)
                                          .jdbcUrl(url)
                                          .principal(new NamePrincipal(user))
                                          .credential(new SimplePassword(password)))));
      opened.add(made);
      bind(name, made);
      return made;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A DataSource that knows nothing of transactions of the container. */
  DataSource withoutJta(PostgresServer.Database database, String role) {
    PGSimpleDataSource made = new PGSimpleDataSource();
    made.setURL(database.url());
    made.setUser("wovyr_test_" + role);
    made.setPassword("test");
    return made;
  }

  /** Settings of a store over DataSources of all three roles. */
  public Map<String, String> settings(PostgresServer.Database database, int size) {
    return settings(database.url(), size);
  }

  /** As {@link #settings(PostgresServer.Database, int)}, for another process. */
  public Map<String, String> settings(String url, int size) {
    String prefix = "java:/" + url.replaceAll("[^a-z0-9_]", "") + "/";
    for (String role : new String[] {"runtime", "system", "purge"}) {
      int most = role.equals("runtime") ? size : 3;
      dataSource(prefix + role, url, "wovyr_test_" + role, "test", most, Driver.class);
    }
    return Map.of(
        "datasource",
        prefix + "runtime",
        "system-datasource",
        prefix + "system",
        "purge-datasource",
        prefix + "purge");
  }

  @Override
  public void close() {
    opened.forEach(AgroalDataSource::close);
    BOUND.values().removeAll(opened);
  }

  /** What JNDI answers. */
  private static final class Bound extends InitialContext {
    Bound() throws NamingException {
      super(true);
    }

    @Override
    public Object lookup(String name) throws NamingException {
      Object found = BOUND.get(name);
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
