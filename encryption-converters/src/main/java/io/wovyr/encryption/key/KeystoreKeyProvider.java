/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Wraps data keys by an AES-256 key in a PKCS#12 or BCFKS keystore file. The file is opened on
 * first use, and again when a data key names a wrapping key that it did not have then. Older
 * wrapping keys stay in the file for as long as data keys name them. Thread-safe.
 *
 * @since 0.1
 */
public final class KeystoreKeyProvider implements KeyProvider {
  /** Name in settings. */
  public static final String NAME = "keystore";

  private final KeystoreSettings settings;
  private final KeystoreFile file;
  private final SecureRandom random = new SecureRandom();
  private volatile @Nullable Map<String, WrappingKey> keys;

  /** A provider over the keystore of these settings; nothing is opened or made yet. */
  public KeystoreKeyProvider(KeystoreSettings settings) {
    this.settings = settings;
    this.file = new KeystoreFile(settings);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String location() {
    return settings.type() + " keystore " + settings.path().toAbsolutePath();
  }

  @Override
  public void prepare(boolean storeIsNew) {
    if (keys == null && !file.exists()) {
      if (!settings.create() || !storeIsNew) {
        NoSuchFileException cause = new NoSuchFileException(settings.path().toString());
        throw storeIsNew ? file.neverMade(cause) : file.missing(cause);
      }
      file.create(random);
    }
    current();
  }

  /**
   * Looks for the key of {@link KeystoreSettings#ALIAS}, when one is named and the keystore opens.
   * A keystore that is missing or does not open is told at its first use: it may come back
   * meanwhile, or be made then.
   *
   * @throws InvalidInput when it is not there, naming those that are
   */
  public void checkAlias() {
    if (settings.alias().isEmpty() || !file.exists()) {
      return;
    }
    try {
      opened();
    } catch (Unavailable e) {
      return;
    }
    current();
  }

  @Override
  public Wrapped wrap(Bytes dataKey, Place place) {
    WrappingKey key = current();
    return new Wrapped(key.id(), key.wrap(dataKey, place, random));
  }

  @Override
  public Bytes unwrap(Wrapped wrapped, Place place) {
    String id = wrapped.wrappingKeyId();
    WrappingKey key =
        find(opened(), id)
            .or(() -> find(openAgain(), id))
            .orElseThrow(
                () ->
                    new UnknownKey(
                        id,
                        "data key "
                            + place.dataKeyId()
                            + " is wrapped by key "
                            + id
                            + ", which is not in the "
                            + location()));
    return key.unwrap(wrapped.bytes(), place);
  }

  private WrappingKey current() {
    Map<String, WrappingKey> all = opened();
    String alias =
        settings
            .alias()
            .orElseGet(
                () -> {
                  if (all.size() != 1) {
                    throw new InvalidInput(
                        "%s has %d AES-256 keys %s: name the one to use by %s"
                            .formatted(
                                location(), all.size(), all.keySet(), KeystoreSettings.ALIAS));
                  }
                  return all.keySet().iterator().next();
                });
    WrappingKey key = all.get(alias);
    if (key == null) {
      throw new InvalidInput(
          "%s has no AES-256 key under the alias '%s' of %s, but under %s: name one of these, or add the key to the keystore"
              .formatted(location(), alias, KeystoreSettings.ALIAS, all.keySet()));
    }
    return key;
  }

  private Map<String, WrappingKey> opened() {
    Map<String, WrappingKey> known = keys;
    return known != null ? known : openAgain();
  }

  private Map<String, WrappingKey> openAgain() {
    Map<String, WrappingKey> read = file.read();
    keys = read;
    return read;
  }

  private static Optional<WrappingKey> find(Map<String, WrappingKey> keys, String id) {
    return keys.values().stream().filter(key -> key.id().equals(id)).findFirst();
  }
}
