/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.encryption.key.MemoryDataKeyStore;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C065: converters find their keys with and without CDI, and store nothing without. */
class FindingTheEncryptionTest {
  @TempDir static Path folder;

  @Test
  @DisplayName("C065: without a column encryption the first write fails and nothing is stored")
  void failsClosed() throws Exception {
    try (PatientDatabase database = new PatientDatabase(folder.resolve("closed.db"))) {
      assertThatThrownBy(() -> save(database, "Ada"))
          .hasRootCauseInstanceOf(Unavailable.class)
          .hasRootCauseMessage(
              "there is no column encryption: make a CDI bean of type ColumnEncryption, or call"
                  + " ColumnEncryption.register() before the first entity is used");
      assertThat(database.rawValues()).isEmpty();
      try (var registration = encryption("closed").register()) {
        save(database, "Ada");
        assertThat(database.find(1).name).isEqualTo("Ada");
      }
    }
  }

  @Test
  @DisplayName("C065: without CDI the registered one serves, from the first action on")
  void findsTheRegisteredOne() {
    try (var registration = encryption("plain").register();
        PatientDatabase database = new PatientDatabase(folder.resolve("plain.db"))) {
      save(database, "Ada");
      assertThat(database.find(1).name).isEqualTo("Ada");
    }
  }

  @Test
  @DisplayName("C065: with CDI the bean serves, from the first action on")
  void findsTheBean() {
    try (WeldContainer container =
            new Weld().disableDiscovery().addBeanClass(Producer.class).initialize();
        PatientDatabase database = new PatientDatabase(folder.resolve("cdi.db"))) {
      assertThat(container.isRunning()).isTrue();
      save(database, "Ada");
      assertThat(database.find(1).name).isEqualTo("Ada");
    }
    try (PatientDatabase database = new PatientDatabase(folder.resolve("cdi.db"))) {
      assertThatThrownBy(() -> database.find(1)).hasRootCauseInstanceOf(Unavailable.class);
    }
  }

  @Test
  void aContainerWithoutTheBeanLeavesItToTheRegisteredOne() {
    try (WeldContainer container =
            new Weld().disableDiscovery().addBeanClass(Other.class).initialize();
        var registration = encryption("other").register()) {
      assertThat(container.isRunning()).isTrue();
      EncryptedString converter = new EncryptedString();
      assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn("Ada")))
          .isEqualTo("Ada");
    }
  }

  @Test
  void applicationsThatShareTheLibraryHaveEachTheirOwn() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader one = new URLClassLoader(new URL[0], before);
        URLClassLoader other = new URLClassLoader(new URL[0], before);
        var first = encryption("one").register(one);
        var second = encryption("two").register(other)) {
      byte[] stored = in(one, () -> new EncryptedString().convertToDatabaseColumn("Ada"));
      assertThat(in(one, () -> new EncryptedString().convertToEntityAttribute(stored)))
          .isEqualTo("Ada");
      assertThatThrownBy(
              () -> in(other, () -> new EncryptedString().convertToEntityAttribute(stored)))
          .isInstanceOf(UnknownKey.class);
      assertThatThrownBy(() -> new EncryptedString().convertToDatabaseColumn("Ada"))
          .isInstanceOf(Unavailable.class);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static <T> T in(ClassLoader loader, java.util.function.Supplier<T> work) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      return work.get();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static void save(PatientDatabase database, String name) {
    Patient patient = new Patient();
    patient.id = 1;
    patient.name = name;
    database.inTransaction(entities -> entities.persist(patient));
  }

  private static ColumnEncryption encryption(String name) {
    return ColumnEncryption.with(
        EnvelopeSealing.with(
                new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve(name + ".p12"))))
            .over(new MemoryDataKeyStore()));
  }

  /** What an application writes. */
  static class Producer {
    @Produces
    @Singleton
    ColumnEncryption encryption() {
      return FindingTheEncryptionTest.encryption("cdi");
    }
  }

  /** A bean of something else. */
  static class Other {}
}
