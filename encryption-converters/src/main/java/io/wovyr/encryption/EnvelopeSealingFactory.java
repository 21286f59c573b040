/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.settings.spi.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes {@link EnvelopeSealing} over a keystore: the one of {@code wovyr.sealing.keystore.path};
 * for a store in a file, one beside it, made on first use; otherwise none.
 *
 * @since 0.1
 */
public final class EnvelopeSealingFactory implements SealingFactory {
  /** Which key provider wraps the data keys, where a container has several. */
  public static final String KEYS = "wovyr.sealing.keys";

  private static final String STORE_PATH = "wovyr.storage.path";

  /** For {@link java.util.ServiceLoader}. */
  public EnvelopeSealingFactory() {}

  @Override
  public String name() {
    return EnvelopeSealing.NAME;
  }

  @Override
  public Optional<SealingProvider> create(Map<String, String> settings) {
    Optional<KeystoreKeyProvider> keystore = keystore(settings);
    keystore.ifPresent(KeystoreKeyProvider::checkAlias);
    return keystore.map(EnvelopeSealing::with);
  }

  @Override
  public String howToConfigure() {
    return "set "
        + KeystoreSettings.PATH
        + " to the keystore that all nodes of the store share, made once by"
        + " 'wovyr keys create keys.p12'";
  }

  @Override
  public List<Setting> settings() {
    List<Setting> all = new ArrayList<>(KeystoreSettings.declared());
    all.add(
        new Setting(
            KEYS,
            "the only one",
            "name",
            "what wraps the data keys: `"
                + KeystoreKeyProvider.NAME
                + "`, or the name of a `KeyProvider` bean of the application"
                + " ([more](encryption.md#keys-of-your-own-in-a-container))",
            "sealing by `envelope`, in a container (CDI)"));
    return List.copyOf(all);
  }

  /**
   * What wraps the data keys of a store with these settings; empty when they do not say where the
   * keystore is, and the store is not in a file.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput naming the setting that is wrong
   */
  public static Optional<KeyProvider> keys(Map<String, String> settings) {
    return keystore(settings).map(KeyProvider.class::cast);
  }

  private static Optional<KeystoreKeyProvider> keystore(Map<String, String> settings) {
    String wanted = settings.getOrDefault(KEYS, KeystoreKeyProvider.NAME);
    if (!wanted.equals(KeystoreKeyProvider.NAME)) {
      throw new InvalidInput(
          "%s is '%s': there is no key provider of that name here, but %s; others are beans of a container"
              .formatted(KEYS, wanted, KeystoreKeyProvider.NAME));
    }
    KeystoreSettings.checkNoneWithoutPath(settings);
    if (settings.containsKey(KeystoreSettings.PATH)) {
      return Optional.of(new KeystoreKeyProvider(KeystoreSettings.from(settings)));
    }
    String store = settings.get(STORE_PATH);
    if (store == null || store.isBlank()) {
      return Optional.empty();
    }
    Path file = Path.of(store);
    Path keystore = file.resolveSibling(file.getFileName() + ".keystore");
    return Optional.of(new KeystoreKeyProvider(KeystoreSettings.embedded(keystore)));
  }
}
