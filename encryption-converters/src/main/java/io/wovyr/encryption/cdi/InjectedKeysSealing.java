/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.cdi;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.EnvelopeSealingFactory;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.settings.spi.Setting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@link EnvelopeSealing} in a container: over the application's own {@link KeyProvider}, if it has
 * a bean of that type, else over a keystore as everywhere. Of several, a keystore that the settings
 * name among them, {@value EnvelopeSealingFactory#KEYS} chooses. Thread-safe.
 *
 * @since 0.1
 */
@ApplicationScoped
public class InjectedKeysSealing implements SealingFactory {
  @Inject @Any Instance<KeyProvider> beans;

  private final EnvelopeSealingFactory overKeystore = new EnvelopeSealingFactory();

  /** For the container. */
  public InjectedKeysSealing() {}

  @Override
  public String name() {
    return EnvelopeSealing.NAME;
  }

  /**
   * @throws InvalidInput when the one that is asked for is not there, or several are and none is
   *     asked for, naming them; or for a setting of the keystore that is wrong
   */
  @Override
  public Optional<SealingProvider> create(Map<String, String> settings) {
    KeystoreSettings.checkNoneWithoutPath(settings);
    SortedMap<String, KeyProvider> own = byName();
    String wanted = settings.get(EnvelopeSealingFactory.KEYS);
    if (wanted == null) {
      boolean keystoreToo = settings.containsKey(KeystoreSettings.PATH);
      if (own.size() > 1 || (own.size() == 1 && keystoreToo)) {
        throw new InvalidInput(
            "set %s to one of %s".formatted(EnvelopeSealingFactory.KEYS, choices(own)));
      }
      return own.isEmpty()
          ? overKeystore.create(settings)
          : Optional.of(EnvelopeSealing.with(own.values().iterator().next()));
    }
    KeyProvider chosen = own.get(wanted);
    if (chosen != null) {
      return Optional.of(EnvelopeSealing.with(chosen));
    }
    if (wanted.equals(KeystoreKeyProvider.NAME)) {
      return overKeystore.create(settings);
    }
    throw new InvalidInput(
        "no key provider is called '%s'; found: %s".formatted(wanted, choices(own)));
  }

  /** A keystore may always be named: that of a store in a file lies beside it. */
  private static SortedSet<String> choices(SortedMap<String, KeyProvider> own) {
    SortedSet<String> names = new TreeSet<>(own.keySet());
    names.add(KeystoreKeyProvider.NAME);
    return names;
  }

  /** Keystores are chosen by their settings: those that are beans are for the application's use. */
  private SortedMap<String, KeyProvider> byName() {
    SortedMap<String, KeyProvider> found = new TreeMap<>();
    for (KeyProvider bean : beans) {
      String name = bean.name();
      if (!name.equals(KeystoreKeyProvider.NAME) && found.putIfAbsent(name, bean) != null) {
        throw new InvalidInput(
            "two beans are key providers called '%s': each needs a name of its own"
                .formatted(name));
      }
    }
    return found;
  }

  @Override
  public String howToConfigure() {
    return overKeystore.howToConfigure() + ", or offer a bean of type KeyProvider";
  }

  @Override
  public List<Setting> settings() {
    return overKeystore.settings();
  }
}
