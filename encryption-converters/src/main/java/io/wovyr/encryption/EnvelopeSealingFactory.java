/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes {@link EnvelopeSealing} over a keystore: the one of {@code wovyr.sealing.keystore.path};
 * for a store in a file, one beside it, made on first use; otherwise none, with a warning.
 *
 * @since 0.1
 */
public final class EnvelopeSealingFactory implements SealingFactory {
  private static final Logger LOG = LoggerFactory.getLogger(EnvelopeSealingFactory.class);
  private static final String STORE_PATH = "wovyr.storage.path";

  /** For {@link java.util.ServiceLoader}. */
  public EnvelopeSealingFactory() {}

  @Override
  public String name() {
    return EnvelopeSealing.NAME;
  }

  @Override
  public Optional<SealingProvider> create(Map<String, String> settings) {
    if (settings.containsKey(KeystoreSettings.PATH)) {
      return Optional.of(over(KeystoreSettings.from(settings)));
    }
    String store = settings.get(STORE_PATH);
    if (store != null && !store.isBlank()) {
      Path file = Path.of(store);
      return Optional.of(
          over(KeystoreSettings.embedded(file.resolveSibling(file.getFileName() + ".keystore"))));
    }
    LOG.warn(
        "WOVYR-0203 sensitive values are stored in clear: set {}, or wovyr.sealing.provider to none",
        KeystoreSettings.PATH);
    return Optional.empty();
  }

  private static SealingProvider over(KeystoreSettings settings) {
    return EnvelopeSealing.with(new KeystoreKeyProvider(settings));
  }
}
