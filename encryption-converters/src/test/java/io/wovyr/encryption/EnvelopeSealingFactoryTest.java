/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with the settings of a keystore is told when the store is opened. */
class EnvelopeSealingFactoryTest {
  private static final String STORE = "wovyr.storage.path";

  @TempDir private Path folder;

  private final EnvelopeSealingFactory factory = new EnvelopeSealingFactory();

  private Path keystore() {
    Path file = folder.resolve("keys.p12");
    new KeystoreKeyProvider(KeystoreSettings.embedded(file)).prepare(true);
    return file;
  }

  private static Map<String, String> aliased(Path keystore, String alias) {
    return Map.of(KeystoreSettings.PATH, keystore.toString(), KeystoreSettings.ALIAS, alias);
  }

  @Test
  void anAliasThatIsNotInTheKeystoreIsRefusedAtOnce() {
    Path keystore = keystore();

    assertThatThrownBy(() -> factory.create(aliased(keystore, "wovyr-2")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll(
            keystore.toString(),
            "'wovyr-2' of " + KeystoreSettings.ALIAS,
            "[wovyr-1]",
            "name one of these",
            "add the key");
    assertThat(factory.create(aliased(keystore, "wovyr-1"))).isPresent();
  }

  /** It may come back, or be made at the first value: what is read without it goes on. */
  @Test
  void aKeystoreThatCannotBeOpenedNowIsToldAtItsFirstUse() throws IOException {
    Path keystore = keystore();
    Files.writeString(folder.resolve("keys.p12.password"), "another one");

    assertThat(factory.create(aliased(keystore, "wovyr-2"))).isPresent();
    assertThat(factory.create(aliased(folder.resolve("later.p12"), "wovyr-2"))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        KeystoreSettings.TYPE,
        KeystoreSettings.PASSWORD,
        KeystoreSettings.PASSWORD_ENVIRONMENT,
        KeystoreSettings.PASSWORD_FILE,
        KeystoreSettings.ALIAS,
        KeystoreSettings.CREATE
      })
  void settingsOfAKeystoreThatNobodyNamesAreRefused(String setting) {
    Map<String, String> ofServer = Map.of(setting, "value-CANARY");
    Map<String, String> ofFile = new HashMap<>(ofServer);
    ofFile.put(STORE, folder.resolve("orders.db").toString());

    for (Map<String, String> settings : List.of(ofServer, ofFile)) {
      assertThatThrownBy(() -> factory.create(settings))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContainingAll(
              setting + " needs " + KeystoreSettings.PATH, "missing", "<store>.keystore")
          .hasMessageNotContaining("CANARY");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aStoreInAFileNeedsNoSettingOfAKeystore() {
    assertThat(factory.create(Map.of(STORE, folder.resolve("orders.db").toString()))).isPresent();
    assertThat(factory.create(Map.of())).isEmpty();
  }
}
