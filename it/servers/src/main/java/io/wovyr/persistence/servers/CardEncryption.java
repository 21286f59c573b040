/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.encryption.key.MemoryDataKeyStore;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** The key service of the application, in its WAR: what the converters of the library find. */
@Dependent
public class CardEncryption {
  @Produces
  @Singleton
  ColumnEncryption encryption() {
    try {
      KeystoreSettings settings =
          KeystoreSettings.embedded(Files.createTempDirectory("cards").resolve("cards.p12"));
      return ColumnEncryption.with(
          EnvelopeSealing.with(new KeystoreKeyProvider(settings)).over(new MemoryDataKeyStore()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
