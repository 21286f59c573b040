/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several copies of this provider in one JVM, as after redeploying an application. */
class ReloadTest {
  @TempDir Path directory;

  /** Loads the provider and RocksDB itself anew; the api is shared, as by a server. */
  private static final class Application extends URLClassLoader {
    Application() throws IOException {
      super(classPath(), ReloadTest.class.getClassLoader());
    }

    private static URL[] classPath() throws IOException {
      List<URL> urls = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("org.rocksdb.") && !name.startsWith("io.wovyr.persistence.kv.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        return found != null ? found : findClass(name);
      }
    }

    StorageProvider provider() throws ReflectiveOperationException {
      return (StorageProvider)
          loadClass(RocksDbStorageProvider.class.getName()).getDeclaredConstructor().newInstance();
    }
  }

  @Test
  @DisplayName(
      "C112: two class loaders of one JVM work with RocksDB, one after the other on a store")
  void c112TwoClassLoadersOfOneJvmWork() throws Exception {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    Row row = TestRows.head(UUID.randomUUID());
    for (int deployment = 0; deployment < 3; deployment++) {
      try (Application application = new Application()) {
        StorageProvider provider = application.provider();
        assertThat(provider.getClass()).isNotEqualTo(RocksDbStorageProvider.class);
        try (Storage storage = provider.open(store.settings())) {
          Row head = TestRows.head(UUID.randomUUID());
          storage.commit(TestRows.batch(new Mutation.Insert(head)), TestRows.deadline());
          assertThat(TestRows.stored(storage, head.key())).contains(head);
          assertThatThrownBy(store::open)
              .as("RocksDB's own lock would let it in")
              .isInstanceOf(Unavailable.class)
              .hasMessageContaining("another application of this process");
        }
      }
      try (Storage storage = store.open()) {
        storage.commit(TestRows.batch(new Mutation.Insert(row)), TestRows.deadline());
        assertThat(TestRows.stored(storage, row.key())).contains(row);
      }
    }
  }

  @Test
  @DisplayName("C112: no file of a closed store stays open")
  void c112NoFileOfAClosedStoreStaysOpen() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    boolean possible = Files.exists(descriptors);
    if (!possible) {
      System.out.println("NOT RUN: no file of a closed store stays open: needs /proc/self/fd");
    }
    assumeTrue(possible, "a system that shows open files");
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    try (Storage one = store.open();
        Storage other = store.open()) {
      one.close();
      assertThat(open(descriptors, store.path())).as("the other handle has it").isNotEmpty();
    }
    assertThat(open(descriptors, store.path())).isEmpty();
  }

  private static List<String> open(Path descriptors, Path store) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> links = Files.list(descriptors)) {
      for (Path link : links.toList()) {
        try {
          String target = Files.readSymbolicLink(link).toString();
          if (target.startsWith(store.toString())) {
            found.add(target);
          }
        } catch (IOException e) {
          // Closed meanwhile.
        }
      }
    }
    return found;
  }
}
