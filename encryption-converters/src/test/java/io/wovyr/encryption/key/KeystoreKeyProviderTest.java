/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.encryption.key.KeyProvider.Place;
import io.wovyr.encryption.key.KeyProvider.Wrapped;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeystoreKeyProviderTest {
  private static final Place PLACE = new Place("acme", KeyScope.DATA, new UUID(1, 2));
  private static final Bytes DATA_KEY = Bytes.utf8("0123456789abcdef0123456789abcdef");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"keys.p12", "keys.bcfks"})
  void makesAKeystoreOnFirstUseThatLaterProcessesOpen(String name) throws IOException {
    Path file = folder.resolve("made/" + name);
    Wrapped wrapped = made(file).wrap(DATA_KEY, PLACE);

    KeystoreKeyProvider later = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
    assertThat(later.unwrap(wrapped, PLACE)).isEqualTo(DATA_KEY);
    assertThat(wrapped.wrappingKeyId()).matches("wovyr-1:[0-9a-f]{16}");
    try (var files = Files.list(file.getParent())) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(name, name + ".password");
    }
  }

  @Test
  void whatItMakesIsForItsOwnerOnly() throws IOException {
    needsPermissions();
    Path file = folder.resolve("keys.p12");
    made(file);
    for (String name : List.of("keys.p12", "keys.p12.password")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void saysWhereTheKeystoreIsAndNeverThePassword() throws IOException {
    Path file = folder.resolve("keys.p12");
    List<String> log = logged(() -> made(file));
    String password = Files.readString(folder.resolve("keys.p12.password")).strip();
    assertThat(log).hasSize(1);
    assertThat(log.get(0))
        .contains("WOVYR-0201", file.toAbsolutePath().toString(), "keep a copy")
        .doesNotContain(password);
    assertThat(KeystorePassword.of("pass-CANARY").toString()).doesNotContain("CANARY");
    assertThat(
            new KeystoreSettings(
                    file, "PKCS12", KeystorePassword.of("pass-CANARY"), Optional.empty(), false)
                .toString())
        .doesNotContain("CANARY");
  }

  @Test
  void warnsOfAKeystoreThatOthersMayRead() throws IOException {
    needsPermissions();
    Path file = folder.resolve("keys.p12");
    made(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    KeystoreKeyProvider provider = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
    assertThat(logged(() -> provider.prepare(false))).anyMatch(line -> line.contains("WOVYR-0202"));
  }

  @Test
  void aMissingKeystoreOfAStoreWithDataIsNeverMadeAnew() {
    Path file = folder.resolve("keys.p12");
    KeystoreKeyProvider provider = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
    assertThatThrownBy(() -> provider.prepare(false))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("missing")
        .hasMessageNotContaining("create");
    Wrapped wrapped = new Wrapped("wovyr-1:0000000000000000", DATA_KEY);
    assertThatThrownBy(() -> provider.unwrap(wrapped, PLACE)).isInstanceOf(Unavailable.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void noKeystoreIsMadeUnlessAskedFor() {
    Path file = folder.resolve("keys.p12");
    KeystoreKeyProvider provider =
        new KeystoreKeyProvider(
            KeystoreSettings.from(Map.of(KeystoreSettings.PATH, file.toString())));
    assertThatThrownBy(() -> provider.prepare(true))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(KeystoreSettings.CREATE + "=true")
        .hasMessageContaining("wovyr keys create")
        .hasMessageContaining(KeystoreSettings.PATH);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"keys.p12", "keys.bcfks"})
  void aWrongPasswordIsCalledSo(String name) {
    Path file = folder.resolve(name);
    Wrapped wrapped = made(file).wrap(DATA_KEY, PLACE);
    KeystoreKeyProvider wrong =
        new KeystoreKeyProvider(
            KeystoreSettings.from(
                Map.of(
                    KeystoreSettings.PATH,
                    file.toString(),
                    KeystoreSettings.PASSWORD,
                    "pass-CANARY")));
    Throwable thrown = catchThrowable(() -> wrong.unwrap(wrapped, PLACE));
    assertThat(thrown)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("wrong password");
    assertThat(thrown).hasStackTraceContaining("keystore");
    assertThat(String.valueOf(thrown.getMessage())).doesNotContain("CANARY");
  }

  @ParameterizedTest
  @ValueSource(strings = {"keys.p12", "keys.bcfks"})
  void aDamagedKeystoreIsRefused(String name) throws IOException {
    Path file = folder.resolve(name);
    made(file);
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {0, 1, 2, bytes.length / 2, bytes.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(bytes, length));
      KeystoreKeyProvider provider = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
      assertThatThrownBy(() -> provider.prepare(false))
          .as("cut to %d bytes", length)
          .isInstanceOf(Unavailable.class)
          .hasMessageContainingAll(name, "damaged");
    }
  }

  @Test
  void anotherKeystoreIsNotTakenForDamage() {
    Wrapped wrapped = made(folder.resolve("one.p12")).wrap(DATA_KEY, PLACE);
    KeystoreKeyProvider other = made(folder.resolve("other.p12"));
    assertThatThrownBy(() -> other.unwrap(wrapped, PLACE))
        .isInstanceOf(UnknownKey.class)
        .hasMessageContaining(wrapped.wrappingKeyId())
        .hasMessageContaining(PLACE.dataKeyId().toString())
        .hasMessageContaining("other.p12");
  }

  @Test
  void aDataKeyOpensInItsPlaceOnly() {
    KeystoreKeyProvider provider = made(folder.resolve("keys.p12"));
    Wrapped wrapped = provider.wrap(DATA_KEY, PLACE);
    for (Place elsewhere :
        List.of(
            new Place("globex", KeyScope.DATA, PLACE.dataKeyId()),
            new Place("acme", KeyScope.SECRET, PLACE.dataKeyId()),
            new Place("acme", KeyScope.DATA, new UUID(1, 3)))) {
      assertThatThrownBy(() -> provider.unwrap(wrapped, elsewhere)).isInstanceOf(Corrupt.class);
    }
  }

  @Test
  void changedCutAndNewerWrappedKeysAreRefused() {
    KeystoreKeyProvider provider = made(folder.resolve("keys.p12"));
    Wrapped wrapped = provider.wrap(DATA_KEY, PLACE);
    for (int i = 1; i < wrapped.bytes().size(); i++) {
      byte[] changed = wrapped.bytes().toByteArray();
      changed[i] ^= 1;
      Wrapped tampered = new Wrapped(wrapped.wrappingKeyId(), Bytes.wrap(changed));
      assertThatThrownBy(() -> provider.unwrap(tampered, PLACE)).isInstanceOf(Corrupt.class);
      Wrapped cut =
          new Wrapped(wrapped.wrappingKeyId(), Bytes.wrap(java.util.Arrays.copyOf(changed, i)));
      assertThatThrownBy(() -> provider.unwrap(cut, PLACE)).isInstanceOf(Corrupt.class);
    }
    byte[] newer = wrapped.bytes().toByteArray();
    newer[0] = 2;
    Wrapped unknown = new Wrapped(wrapped.wrappingKeyId(), Bytes.wrap(newer));
    assertThatThrownBy(() -> provider.unwrap(unknown, PLACE))
        .isInstanceOf(UnsupportedVersion.class);
  }

  @Test
  void aKeyAddedToTheKeystoreIsFoundWithoutARestart() throws Exception {
    Path file = folder.resolve("keys.p12");
    KeystoreKeyProvider running = made(file);
    Wrapped old = running.wrap(DATA_KEY, PLACE);
    addKey(file, "PKCS12", "wovyr-2");
    KeystoreKeyProvider restarted =
        new KeystoreKeyProvider(
            KeystoreSettings.from(
                Map.of(KeystoreSettings.PATH, file.toString(), KeystoreSettings.ALIAS, "wovyr-2")));
    Wrapped fresh = restarted.wrap(DATA_KEY, PLACE);
    assertThat(fresh.wrappingKeyId()).startsWith("wovyr-2:");
    assertThat(running.unwrap(fresh, PLACE)).isEqualTo(DATA_KEY);
    assertThat(restarted.unwrap(old, PLACE)).isEqualTo(DATA_KEY);
    KeystoreKeyProvider undecided = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
    assertThatThrownBy(() -> undecided.wrap(DATA_KEY, PLACE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(KeystoreSettings.ALIAS)
        .hasMessageContaining("[wovyr-1, wovyr-2]");
    KeystoreKeyProvider mistaken =
        new KeystoreKeyProvider(
            KeystoreSettings.from(
                Map.of(KeystoreSettings.PATH, file.toString(), KeystoreSettings.ALIAS, "wovyr-3")));
    assertThatThrownBy(() -> mistaken.wrap(DATA_KEY, PLACE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("'wovyr-3' of " + KeystoreSettings.ALIAS)
        .hasMessageContaining("[wovyr-1, wovyr-2]");
  }

  @Test
  void ofManyThatMakeTheKeystoreAtOnceOneWinsAndAllUseIt() throws Exception {
    Path file = folder.resolve("keys.p12");
    int racers = 6;
    ExecutorService pool = Executors.newFixedThreadPool(racers);
    try {
      CyclicBarrier start = new CyclicBarrier(racers);
      List<Callable<Wrapped>> tasks = new ArrayList<>();
      for (int i = 0; i < racers; i++) {
        tasks.add(
            () -> {
              start.await();
              return made(file).wrap(DATA_KEY, PLACE);
            });
      }
      KeystoreKeyProvider later = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
      for (Future<Wrapped> wrapped : pool.invokeAll(tasks)) {
        assertThat(later.unwrap(wrapped.get(), PLACE)).isEqualTo(DATA_KEY);
      }
    } finally {
      pool.shutdownNow();
    }
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void passwordsComeFromOneSourceThatIsThere() {
    String path = folder.resolve("keys.p12").toString();
    assertThatThrownBy(
            () ->
                KeystoreSettings.from(
                    Map.of(
                        KeystoreSettings.PATH, path,
                        KeystoreSettings.PASSWORD, "x",
                        KeystoreSettings.PASSWORD_FILE, "y")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(KeystoreSettings.PASSWORD_FILE);
    assertThatThrownBy(() -> KeystoreSettings.from(Map.of()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(KeystoreSettings.PATH);
    assertThatThrownBy(() -> KeystorePassword.environment("WOVYR_NO_SUCH_VARIABLE").read())
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("WOVYR_NO_SUCH_VARIABLE");
    assertThatThrownBy(() -> KeystorePassword.file(folder.resolve("none")).read())
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("none");
  }

  @Test
  void checksSayWhichKeysOpenAndWhyOthersDoNot() {
    KeystoreKeyProvider provider = made(folder.resolve("keys.p12"));
    KeystoreKeyProvider stranger = made(folder.resolve("other.p12"));
    MemoryDataKeyStore store = new MemoryDataKeyStore();
    Wrapped good = provider.wrap(DATA_KEY, PLACE);
    store.create(key(1, good));
    store.create(key(2, stranger.wrap(DATA_KEY, PLACE)));
    store.create(key(3, new Wrapped(good.wrappingKeyId(), Bytes.wrap(new byte[61]))));
    KeyChecks checks = new KeyChecks(provider, store);
    assertThat(checks.list("acme")).extracting(KeyChecks.Listed::number).containsExactly(1, 2, 3);
    assertThat(checks.check("acme"))
        .extracting(KeyChecks.Checked::finding)
        .containsExactly(
            KeyChecks.Finding.OPENS,
            KeyChecks.Finding.WRAPPING_KEY_MISSING,
            KeyChecks.Finding.DAMAGED);
    assertThat(checks.check("globex")).isEmpty();
  }

  private static io.wovyr.persistence.sealing.spi.WrappedDataKey key(int number, Wrapped wrapped) {
    return new io.wovyr.persistence.sealing.spi.WrappedDataKey(
        "acme",
        KeyScope.DATA,
        number,
        PLACE.dataKeyId(),
        wrapped.wrappingKeyId(),
        wrapped.bytes(),
        java.time.Instant.EPOCH);
  }

  private static KeystoreKeyProvider made(Path file) {
    KeystoreKeyProvider provider = new KeystoreKeyProvider(KeystoreSettings.embedded(file));
    provider.prepare(true);
    return provider;
  }

  private static void addKey(Path file, String type, String alias) throws Exception {
    char[] password =
        Files.readString(file.resolveSibling(file.getFileName() + ".password"))
            .strip()
            .toCharArray();
    KeyStore store =
        type.equals("BCFKS")
            ? KeyStore.getInstance(type, new BouncyCastleProvider())
            : KeyStore.getInstance(type);
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
    }
    byte[] secret = new byte[32];
    secret[0] = 7;
    store.setEntry(
        alias,
        new KeyStore.SecretKeyEntry(new SecretKeySpec(secret, "AES")),
        new KeyStore.PasswordProtection(password));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    store.store(bytes, password);
    try (OutputStream out = Files.newOutputStream(file)) {
      bytes.writeTo(out);
    }
  }

  private static List<String> logged(Runnable action) {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger("io.wovyr.encryption.key");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            lines.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
    }
    return lines;
  }

  private void needsPermissions() throws IOException {
    boolean there = Files.getFileStore(folder).supportsFileAttributeView("posix");
    if (!there) {
      System.out.println("NOT RUN: owner-only files: this file system has no POSIX permissions");
    }
    assumeTrue(there, "no permissions");
  }
}
