/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDataKeyStoreTest {
  @TempDir Path folder;

  @Test
  void givesBackWhatWasStoredInOrder() {
    FileDataKeyStore store = new FileDataKeyStore(folder.resolve("keys"));
    assertThat(store.isEmpty()).isTrue();
    assertThat(store.list("acme")).isEmpty();
    WrappedDataKey secret = key("acme", KeyScope.SECRET, 1);
    WrappedDataKey second = key("acme", KeyScope.DATA, 2);
    WrappedDataKey tenth = key("acme", KeyScope.DATA, 10);
    WrappedDataKey first = key("acme", KeyScope.DATA, 1);
    WrappedDataKey other = key("\u00e4 = \n../\uD83D\uDE00", KeyScope.DATA, 1);
    for (WrappedDataKey key : List.of(secret, second, tenth, first, other)) {
      assertThat(store.create(key)).isTrue();
    }
    FileDataKeyStore reopened = new FileDataKeyStore(folder.resolve("keys"));
    assertThat(reopened.isEmpty()).isFalse();
    assertThat(reopened.list("acme")).containsExactly(first, second, tenth, secret);
    assertThat(reopened.list(other.tenantId())).containsExactly(other);
    assertThat(reopened.list("ACME")).isEmpty();
  }

  @Test
  void exactlyOneOfEightThatStoreTheSameNumberAtOnceWins() throws Exception {
    int racers = 8;
    ExecutorService pool = Executors.newFixedThreadPool(racers);
    try {
      CyclicBarrier start = new CyclicBarrier(racers);
      List<WrappedDataKey> winners = new ArrayList<>();
      List<Callable<Boolean>> tasks = new ArrayList<>();
      List<WrappedDataKey> keys = new ArrayList<>();
      for (int i = 0; i < racers; i++) {
        WrappedDataKey key = key("acme", KeyScope.DATA, 1);
        keys.add(key);
        tasks.add(
            () -> {
              start.await();
              return new FileDataKeyStore(folder).create(key);
            });
      }
      List<Future<Boolean>> results = pool.invokeAll(tasks);
      for (int i = 0; i < racers; i++) {
        if (results.get(i).get()) {
          winners.add(keys.get(i));
        }
      }
      assertThat(winners).hasSize(1);
      assertThat(new FileDataKeyStore(folder).list("acme")).isEqualTo(winners);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void damagedAndNewerFilesAreRefusedByName() throws IOException {
    FileDataKeyStore store = new FileDataKeyStore(folder);
    store.create(key("acme", KeyScope.DATA, 1));
    Path file;
    try (var files = Files.list(folder)) {
      file = files.findFirst().orElseThrow();
    }
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.length() / 2));
    assertThatThrownBy(() -> store.list("acme"))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining(file.getFileName().toString());
    Files.writeString(file, text.replace("wovyr-data-key=1", "wovyr-data-key=2"));
    assertThatThrownBy(() -> store.list("acme")).isInstanceOf(UnsupportedVersion.class);
  }

  @Test
  void aFileThatIsNoTextAnyMoreIsDamagedWhereverThatIs() throws IOException {
    FileDataKeyStore store = new FileDataKeyStore(folder);
    store.create(key("acme", KeyScope.DATA, 1));
    Path file;
    try (var files = Files.list(folder)) {
      file = files.findFirst().orElseThrow();
    }
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= (byte) 0x80;
      Files.write(file, damaged);
      assertThatThrownBy(() -> store.list("acme"))
          .as("byte %d: waiting does not mend it", i)
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining(file.getFileName().toString());
    }
  }

  private static WrappedDataKey key(String tenant, KeyScope scope, int number) {
    return new WrappedDataKey(
        tenant,
        scope,
        number,
        UUID.randomUUID(),
        "k\u00e4y=1:00",
        Bytes.wrap(new byte[] {0, -1, 7}),
        Instant.parse("2026-02-03T04:05:06.987654Z"));
  }
}
