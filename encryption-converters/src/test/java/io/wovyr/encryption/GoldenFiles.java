/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystorePassword;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * What is in {@code golden/sealing-1} and {@code golden/sealing-2}: keystores, wrapped data keys
 * and sealed values of each version, which were stored once and must stay readable for ever. {@link
 * #main} writes the values that are missing; it never writes one again.
 */
final class GoldenFiles {
  static final String TENANT = "acme \u00e4\uD83D\uDE00";
  static final String PASSWORD = "golden password";
  static final String KEYSTORE_KEY =
      "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f";
  static final UUID ORIGIN = UUID.fromString("01950000-0000-7000-8000-000000000001");
  static final Map<KeyScope, UUID> KEY_IDS =
      Map.of(
          KeyScope.DATA, UUID.fromString("01950000-0000-7000-8000-0000000000d1"),
          KeyScope.SECRET, UUID.fromString("01950000-0000-7000-8000-0000000000d2"));

  private GoldenFiles() {}

  /** A value and where it belongs. */
  record Value(Bytes plain, Binding place) {}

  static Map<String, Value> values() {
    Map<String, Value> values = new LinkedHashMap<>();
    String text = "golden ab\u0000cd";
    String large = "0123456789abcdef".repeat(250);
    values.put("sealing-1/text.sealed", value(text, "payload", KeyScope.DATA));
    values.put("sealing-1/empty.sealed", value("", "changes[2]", KeyScope.DATA));
    values.put("sealing-1/long.sealed", value(large, "payload", KeyScope.DATA));
    values.put("sealing-1/secret.sealed", value("golden secret", "value", KeyScope.SECRET));
    String execution = ORIGIN.toString();
    values.put("sealing-2/text.sealed", keyed(text, "workflow_event", "payload", execution, "7"));
    values.put("sealing-2/empty.sealed", keyed("", "workflow_event", "changes[2]", execution, "8"));
    values.put("sealing-2/long.sealed", keyed(large, "activity", "result", execution, "\u00e4"));
    values.put(
        "sealing-2/secret.sealed", keyed("golden secret", "secret", "value", "card-api", "1"));
    return values;
  }

  static byte[] dataKey(KeyScope scope) {
    byte[] key = new byte[32];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (i + (scope == KeyScope.DATA ? 0 : 0x80));
    }
    return key;
  }

  /** Keystores and data keys of all versions. */
  static Path folder() {
    try {
      return Path.of(GoldenFiles.class.getResource("/golden/sealing-1").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Path golden() {
    return folder().getParent();
  }

  /** A keystore of these files; {@code p12} or {@code bcfks}. */
  static KeyProvider keystore(Path folder, String ending) {
    Path file = folder.resolve("keystore." + ending);
    return new KeystoreKeyProvider(
        new KeystoreSettings(
            file,
            ending.equals("p12") ? KeystoreSettings.PKCS12 : KeystoreSettings.BCFKS,
            KeystorePassword.of(PASSWORD),
            Optional.of("wovyr-1"),
            false));
  }

  private static Value value(String text, String path, KeyScope scope) {
    return new Value(Bytes.utf8(text), new Binding(TENANT, "workflow_event", path, ORIGIN, scope));
  }

  private static Value keyed(String text, String type, String path, String... key) {
    KeyScope scope = type.equals("secret") ? KeyScope.SECRET : KeyScope.DATA;
    return new Value(
        Bytes.utf8(text), new Binding(TENANT, type, List.of(key), path, ORIGIN, scope));
  }

  /** Writes the files that are not there; the argument is the folder {@code golden}. */
  public static void main(String[] arguments) throws Exception {
    Path golden = Path.of(arguments[0]);
    Path folder = Files.createDirectories(golden.resolve("sealing-1"));
    if (Files.notExists(folder.resolve("keystore.p12"))) {
      writeKeys(folder);
    }
    EnvelopeSealing sealing =
        EnvelopeSealing.with(keystore(folder, "p12"))
            .over(new FileDataKeyStore(folder.resolve("datakeys")));
    for (Map.Entry<String, Value> value : values().entrySet()) {
      Path file = golden.resolve(value.getKey());
      if (Files.notExists(file)) {
        Files.createDirectories(file.getParent());
        byte[] sealed =
            sealing.seal(value.getValue().plain(), value.getValue().place()).bytes().toByteArray();
        Files.write(file, sealed);
      }
    }
  }

  private static void writeKeys(Path folder) throws Exception {
    writeKeystore(folder.resolve("keystore.p12"), KeyStore.getInstance("PKCS12"));
    writeKeystore(
        folder.resolve("keystore.bcfks"),
        KeyStore.getInstance("BCFKS", new BouncyCastleProvider()));
    KeyProvider keys = keystore(folder, "p12");
    FileDataKeyStore store = new FileDataKeyStore(folder.resolve("datakeys"));
    for (KeyScope scope : KeyScope.values()) {
      KeyProvider.Wrapped wrapped =
          keys.wrap(
              Bytes.wrap(dataKey(scope)), new KeyProvider.Place(TENANT, scope, KEY_IDS.get(scope)));
      Files.write(folder.resolve(scope + ".wrapped"), wrapped.bytes().toByteArray());
      store.create(
          new WrappedDataKey(
              TENANT,
              scope,
              1,
              KEY_IDS.get(scope),
              wrapped.wrappingKeyId(),
              wrapped.bytes(),
              Instant.parse("2026-11-30T00:00:00Z")));
    }
  }

  private static void writeKeystore(Path file, KeyStore store)
      throws IOException, GeneralSecurityException {
    char[] password = PASSWORD.toCharArray();
    store.load(null, password);
    store.setEntry(
        "wovyr-1",
        new KeyStore.SecretKeyEntry(
            new SecretKeySpec(HexFormat.of().parseHex(KEYSTORE_KEY), "AES")),
        new KeyStore.PasswordProtection(password));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
  }
}
