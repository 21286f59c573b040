/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.settings.spi.Setting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * What the application's columns are encrypted with: the keystore of {@code
 * wovyr.sealing.keystore.*}, and the data keys that the store has for each tenant. The converters
 * find the bean by its type.
 */
@ApplicationScoped
class Columns {
  @Inject Config config;
  @Inject DataKeyStore dataKeys;
  @Inject Repositories repositories;

  @Produces
  @Singleton
  ColumnEncryption encryption() {
    return ColumnEncryption.with(
        EnvelopeSealing.with(new KeystoreKeyProvider(keystore())).over(dataKeys),
        () -> repositories.caller().tenant().value());
  }

  private KeystoreSettings keystore() {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : KeystoreSettings.declared()) {
      config
          .getOptionalValue(setting.name(), String.class)
          .ifPresent(value -> settings.put(setting.name(), value));
    }
    return KeystoreSettings.from(settings);
  }
}
