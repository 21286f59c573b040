/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and makes the keystore file. Stateless but for its settings; thread-safe. */
final class KeystoreFile {
  private static final Logger LOG = LoggerFactory.getLogger(KeystoreFile.class);
  private static final String FIRST_ALIAS = "wovyr-1";
  private static final int PASSWORD_BYTES = 32;

  private final KeystoreSettings settings;

  KeystoreFile(KeystoreSettings settings) {
    this.settings = settings;
  }

  boolean exists() {
    return Files.exists(settings.path());
  }

  /**
   * Its AES-256 keys by alias.
   *
   * @throws Unavailable when it is missing or does not open
   */
  Map<String, WrappingKey> read() {
    Path path = settings.path();
    char[] password = null;
    try (InputStream in = Files.newInputStream(path)) {
      password = settings.password().read();
      warnIfOpenToOthers(path);
      return keysOf(newStore(), in, password);
    } catch (NoSuchFileException e) {
      throw missing(e);
    } catch (IOException e) {
      throw new Unavailable("keystore " + path + " does not open: " + reason(e), e);
    } catch (UnrecoverableKeyException e) {
      throw new Unavailable("keystore " + path + " has a key under another password", e);
    } catch (GeneralSecurityException e) {
      throw new Unavailable("keystore " + path + " does not open: it is damaged", e);
    } finally {
      wipe(password);
    }
  }

  /**
   * Makes the keystore with one fresh key, unless another process was first.
   *
   * @throws Unavailable when it cannot be written
   */
  void create(SecureRandom random) {
    char[] password = null;
    byte[] secret = new byte[WrappingKey.KEY_BYTES];
    try {
      createPasswordFile(random);
      password = settings.password().read();
      random.nextBytes(secret);
      KeyStore store = newStore();
      store.load(null, password);
      store.setEntry(
          settings.alias().orElse(FIRST_ALIAS),
          new KeyStore.SecretKeyEntry(new SecretKeySpec(secret, "AES")),
          new KeyStore.PasswordProtection(password));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      store.store(out, password);
      if (OwnerOnlyFiles.create(settings.path(), out.toByteArray())) {
        LOG.warn(
            "WOVYR-0201 made the keystore {} (its password: {}). Without both nothing that was"
                + " sealed can ever be read: keep a copy of each, apart from the data",
            settings.path().toAbsolutePath(),
            settings.password());
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new Unavailable(
          "keystore %s cannot be made (%s): check that its directory is there and may be written, and that the disk is not full"
              .formatted(settings.path(), whyNotMade(e)),
          e);
    } finally {
      wipe(password);
      Arrays.fill(secret, (byte) 0);
    }
  }

  Unavailable missing(IOException cause) {
    return new Unavailable(
        "keystore "
            + settings.path().toAbsolutePath()
            + " is missing: put it back, or name another by "
            + KeystoreSettings.PATH,
        cause);
  }

  /** It is missing, and nothing was sealed by it yet. */
  Unavailable neverMade(IOException cause) {
    return new Unavailable(
        "keystore %s is missing, and the store has no data key yet: make one with 'wovyr keys create', have it made by %s=true, put it back, or name another by %s"
            .formatted(
                settings.path().toAbsolutePath(), KeystoreSettings.CREATE, KeystoreSettings.PATH),
        cause);
  }

  private void createPasswordFile(SecureRandom random) throws IOException {
    if (settings.password().file().isPresent()) {
      byte[] drawn = new byte[PASSWORD_BYTES];
      random.nextBytes(drawn);
      byte[] text =
          (Base64.getUrlEncoder().withoutPadding().encodeToString(drawn) + "\n")
              .getBytes(StandardCharsets.US_ASCII);
      OwnerOnlyFiles.create(settings.password().file().get(), text);
    }
  }

  private KeyStore newStore() throws GeneralSecurityException {
    if (settings.type().equals(KeystoreSettings.PKCS12)) {
      return KeyStore.getInstance(KeystoreSettings.PKCS12);
    }
    try {
      return BouncyCastle.newStore();
    } catch (NoClassDefFoundError e) {
      throw new InvalidInput(
          "a BCFKS keystore needs Bouncy Castle: add org.bouncycastle:bcprov-jdk18on");
    }
  }

  /** Bouncy Castle's parser stumbles over some files, such as an empty one, instead of refusing. */
  private static Map<String, WrappingKey> keysOf(KeyStore store, InputStream in, char[] password)
      throws IOException, GeneralSecurityException {
    try {
      store.load(in, password);
      return keysOf(store, password);
    } catch (RuntimeException e) {
      throw new IOException("malformed", e);
    }
  }

  private static Map<String, WrappingKey> keysOf(KeyStore store, char[] password)
      throws GeneralSecurityException {
    Map<String, WrappingKey> keys = new TreeMap<>();
    for (String alias : Collections.list(store.aliases())) {
      Key key = store.isKeyEntry(alias) ? store.getKey(alias, password) : null;
      byte[] secret = key == null ? null : key.getEncoded();
      if (key != null && key.getAlgorithm().equals("AES") && secret != null) {
        if (secret.length == WrappingKey.KEY_BYTES) {
          keys.put(alias, WrappingKey.of(alias, secret));
        }
        Arrays.fill(secret, (byte) 0);
      }
    }
    return keys;
  }

  private static String whyNotMade(Exception e) {
    return e instanceof IOException file
        ? FileReasons.withPath(file)
        : String.valueOf(e.getMessage());
  }

  private static String reason(IOException e) {
    boolean password =
        e.getCause() instanceof UnrecoverableKeyException
            || String.valueOf(e.getMessage()).contains("MAC calculation failed");
    return password
        ? "wrong password, or it is damaged"
        : e instanceof FileSystemException
            ? FileReasons.of(e)
            : "it is damaged, of another type, or cannot be read";
  }

  private static void warnIfOpenToOthers(Path path) throws IOException {
    if (OwnerOnlyFiles.isOpenToOthers(path)) {
      LOG.warn("WOVYR-0202 others than its owner may use the keystore {}: chmod 600 it", path);
    }
  }

  private static void wipe(char @org.jspecify.annotations.Nullable [] password) {
    if (password != null) {
      Arrays.fill(password, '\0');
    }
  }

  /** A class of its own, so that nobody without Bouncy Castle has to load it. */
  private static final class BouncyCastle {
    static KeyStore newStore() throws GeneralSecurityException {
      return KeyStore.getInstance(KeystoreSettings.BCFKS, new BouncyCastleProvider());
    }
  }
}
