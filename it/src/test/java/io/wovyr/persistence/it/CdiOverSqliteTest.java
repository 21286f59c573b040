/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application on Weld SE gets its persistence over SQLite from its settings alone. */
final class CdiOverSqliteTest {
  private static final String PROVIDER = "wovyr.storage.provider";
  private static final String PATH = "wovyr.storage.path";

  @TempDir Path directory;

  /** A bean of the application. */
  @ApplicationScoped
  static class Orders {
    @Inject Persistence persistence;

    void start(UUID id) {
      as().executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    }

    void start(UUID id, String input) {
      as().executions()
          .create(
              NewExecution.of(DefinitionRef.of("order", 1))
                  .withId(id)
                  .withInput(Payload.text(input)))
          .orThrow();
    }

    String input(UUID id) {
      Executions executions = as().executions();
      Payload input = executions.input(executions.find(id).orElseThrow()).orElseThrow();
      return new String(input.content().toByteArray(), StandardCharsets.UTF_8);
    }

    boolean isThere(UUID id) {
      return as().executions().find(id).isPresent();
    }

    private io.wovyr.persistence.Repositories as() {
      return persistence.as(Caller.of("acme", "orders", Role.READER, Role.WRITER));
    }
  }

  /** A key service of the application's own, which hides nothing. */
  @ApplicationScoped
  static class OwnKeys implements KeyProvider {
    @Override
    public String name() {
      return "own";
    }

    @Override
    public String location() {
      return "nowhere";
    }

    @Override
    public void prepare(boolean storeIsNew) {
      // It is there.
    }

    @Override
    public Wrapped wrap(Bytes dataKey, Place place) {
      return new Wrapped("own-1", dataKey);
    }

    @Override
    public Bytes unwrap(Wrapped wrapped, Place place) {
      return wrapped.bytes();
    }
  }

  @AfterEach
  void forgetTheSettings() {
    System.clearProperty(PROVIDER);
    System.clearProperty(PATH);
  }

  @Test
  void persistenceIsInjectedAndClosedWithTheApplication() {
    String file = SqliteFile.migrated(directory.resolve("orders.db"));
    System.setProperty(PROVIDER, "sqlite");
    System.setProperty(PATH, file);
    UUID id = UUID.randomUUID();

    try (SeContainer container = start()) {
      container.select(Orders.class).get().start(id);
    }
    try (SeContainer container = start()) {
      assertThat(container.select(Orders.class).get().isThere(id)).isTrue();
      assertThat(container.select(Persistence.class).get().provider()).isEqualTo("sqlite");
    }
  }

  @Test
  void theStartNamesTheStoresThereAreToChooseFrom() {
    // Names of system properties are read once for all applications of a class loader.
    System.setProperty(PATH, directory.resolve("none.db").toString());
    assertThatThrownBy(() -> start().close())
        .hasStackTraceContaining("wovyr.storage.provider")
        .hasStackTraceContaining("[dynamodb, foundationdb, postgresql, rocksdb, sqlite]");
  }

  /** An application that injects none of it is started without any settings. */
  @Test
  void whoDoesNotUseItNeedsNoSettings() {
    System.setProperty(PATH, directory.resolve("none.db").toString());
    try (SeContainer container = SeContainerInitializer.newInstance().initialize()) {
      assertThat(container.select(StorageProvider.class).stream().map(StorageProvider::name))
          .containsExactlyInAnyOrder("dynamodb", "foundationdb", "postgresql", "rocksdb", "sqlite");
    }
  }

  @Test
  void theApplicationsOwnKeysWrapTheDataKeys() {
    String file = SqliteFile.migrated(directory.resolve("orders.db"));
    System.setProperty(PROVIDER, "sqlite");
    System.setProperty(PATH, file);
    UUID id = UUID.randomUUID();

    try (SeContainer container = start(OwnKeys.class)) {
      container.select(Orders.class).get().start(id, "two apples");
      assertThat(container.select(DataKeyStore.class).get().list("acme"))
          .extracting(WrappedDataKey::wrappingKeyId)
          .containsOnly("own-1");
    }
    try (SeContainer container = start(OwnKeys.class)) {
      assertThat(container.select(Orders.class).get().input(id)).isEqualTo("two apples");
    }
    assertThat(directory.resolve("orders.db.keystore")).doesNotExist();
    try (SeContainer container = start()) {
      Orders orders = container.select(Orders.class).get();
      assertThatThrownBy(() -> orders.input(id))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("orders.db.keystore is missing");
    }
  }

  private static SeContainer start(Class<?>... beans) {
    return SeContainerInitializer.newInstance()
        .addBeanClasses(Orders.class)
        .addBeanClasses(beans)
        .initialize();
  }
}
