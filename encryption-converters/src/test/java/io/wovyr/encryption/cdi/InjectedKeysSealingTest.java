/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.EnvelopeSealingFactory;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.encryption.key.MemoryDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose keys wrap the data keys in a container. */
class InjectedKeysSealingTest {
  private static final String STORE = "wovyr.storage.path";
  private static final String KEYS = EnvelopeSealingFactory.KEYS;

  @TempDir private Path folder;

  /** A key service of the application's own, which hides nothing. */
  @ApplicationScoped
  static class Vault implements KeyProvider {
    @Override
    public String name() {
      return "vault";
    }

    @Override
    public String location() {
      return "vault.example.com";
    }

    @Override
    public void prepare(boolean storeIsNew) {
      // It is there.
    }

    @Override
    public Wrapped wrap(Bytes dataKey, Place place) {
      return new Wrapped(name() + "-key", dataKey);
    }

    @Override
    public Bytes unwrap(Wrapped wrapped, Place place) {
      return wrapped.bytes();
    }
  }

  /** Another one. */
  @Dependent
  static class Safe extends Vault {
    @Override
    public String name() {
      return "safe";
    }
  }

  /** Keystores that the application has for columns of its own. */
  @ApplicationScoped
  static class OwnKeystores {
    @Produces
    KeyProvider cards() {
      return ofAFile("cards.p12");
    }

    @Produces
    KeyProvider letters() {
      return ofAFile("letters.p12");
    }

    private static KeyProvider ofAFile(String name) {
      return new KeystoreKeyProvider(KeystoreSettings.embedded(Path.of("not-there", name)));
    }
  }

  /** The key that wrapped the data key of what was sealed. */
  private static String wrappedBy(Map<String, String> settings, Class<?>... beans) {
    try (WeldContainer container =
        new Weld()
            .disableDiscovery()
            .addBeanClass(InjectedKeysSealing.class)
            .addBeanClasses(beans)
            .initialize()) {
      MemoryDataKeyStore store = new MemoryDataKeyStore();
      Optional<SealingProvider> made =
          container.select(InjectedKeysSealing.class).get().create(settings);
      SealingProvider sealing = made.orElseThrow().over(store);
      assertThat(sealing.name()).isEqualTo(EnvelopeSealing.NAME);
      Binding place = new Binding("acme", "event", "payload", UUID.randomUUID(), KeyScope.DATA);
      Bytes note = Bytes.utf8("a note");
      assertThat(sealing.open(sealing.seal(note, place), place)).isEqualTo(note);
      List<WrappedDataKey> keys = store.list("acme");
      return keys.get(0).wrappingKeyId();
    }
  }

  private Map<String, String> inAFile() {
    return Map.of(STORE, folder.resolve("orders.db").toString());
  }

  private Map<String, String> withKeystore(String... wanted) {
    Path file = folder.resolve("keys.p12");
    if (!file.toFile().exists()) {
      new KeystoreKeyProvider(KeystoreSettings.embedded(file)).prepare(true);
    }
    return wanted.length == 0
        ? Map.of(KeystoreSettings.PATH, file.toString())
        : Map.of(KeystoreSettings.PATH, file.toString(), KEYS, wanted[0]);
  }

  @Test
  void withoutABeanTheKeystoreWraps() {
    assertThat(wrappedBy(inAFile())).startsWith("wovyr-1");
    assertThat(wrappedBy(withKeystore())).startsWith("wovyr-1");
    assertThat(wrappedBy(withKeystore("keystore"))).startsWith("wovyr-1");
  }

  @Test
  void theApplicationsBeanWrapsAndNoKeystoreIsMade() {
    assertThat(wrappedBy(inAFile(), Vault.class)).isEqualTo("vault-key");
    assertThat(wrappedBy(Map.of(), Safe.class)).isEqualTo("safe-key");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theSettingChoosesAmongSeveralAndTheKeystore() {
    assertThat(wrappedBy(withKeystore("vault"), Vault.class, Safe.class)).isEqualTo("vault-key");
    assertThat(wrappedBy(withKeystore("safe"), Vault.class, Safe.class)).isEqualTo("safe-key");
    assertThat(wrappedBy(withKeystore("keystore"), Vault.class)).startsWith("wovyr-1");
  }

  @Test
  void severalWithoutAChoiceAreRefusedAndNamed() {
    assertThatThrownBy(() -> wrappedBy(inAFile(), Vault.class, Safe.class))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("set wovyr.sealing.keys to one of [keystore, safe, vault]");
    assertThatThrownBy(() -> wrappedBy(withKeystore(), Vault.class))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("set wovyr.sealing.keys to one of [keystore, vault]");
  }

  @Test
  void keystoresThatAreBeansAreNotTakenForTheOneInTheSettings() {
    assertThat(wrappedBy(withKeystore(), OwnKeystores.class)).startsWith("wovyr-1");
    assertThat(wrappedBy(withKeystore("keystore"), OwnKeystores.class)).startsWith("wovyr-1");
    assertThat(wrappedBy(inAFile(), OwnKeystores.class, Vault.class)).isEqualTo("vault-key");
  }

  @Test
  void settingsOfAKeystoreWithoutItsPathAreRefusedBesideABeanToo() {
    assertThatThrownBy(
            () -> wrappedBy(Map.of("wovyr.sealing.keystore.alias", "orders-1"), Vault.class))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.sealing.keystore.path");
  }

  @Test
  void oneThatIsMissingIsRefusedAndTheChoicesAreNamed() {
    assertThatThrownBy(() -> wrappedBy(withKeystore("kms"), Vault.class))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("no key provider is called 'kms'; found: [keystore, vault]");
  }

  @Test
  void outsideOfAContainerThereIsNoneToChoose() {
    EnvelopeSealingFactory factory = new EnvelopeSealingFactory();

    assertThatThrownBy(() -> factory.create(withKeystore("vault")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.sealing.keys is 'vault'");
    assertThat(factory.create(withKeystore("keystore"))).isPresent();
  }
}
