/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks at the data keys of a tenant and tries each one, for an operator's eyes. Shows ids only.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class KeyChecks {
  private final KeyProvider provider;
  private final DataKeyStore store;

  /** Checks of the keys in {@code store}, wrapped by {@code provider}. */
  public KeyChecks(KeyProvider provider, DataKeyStore store) {
    this.provider = provider;
    this.store = store;
  }

  /**
   * The data keys of a tenant by scope and number, none of them opened.
   *
   * @throws Unavailable when the store cannot be read
   */
  public List<Listed> list(String tenantId) {
    return store.list(tenantId).stream().map(Listed::of).toList();
  }

  /**
   * Opens every data key of a tenant, and says which do not open and why.
   *
   * @throws Unavailable when the store cannot be read; a key that cannot be had now is a finding
   */
  public List<Checked> check(String tenantId) {
    return store.list(tenantId).stream().map(this::checked).toList();
  }

  private Checked checked(WrappedDataKey key) {
    try {
      provider.unwrap(
          new KeyProvider.Wrapped(key.wrappingKeyId(), key.wrapped()),
          new KeyProvider.Place(key.tenantId(), key.scope(), key.id()));
      return new Checked(Listed.of(key), Finding.OPENS, Optional.empty());
    } catch (UnknownKey e) {
      return found(key, Finding.WRAPPING_KEY_MISSING, e);
    } catch (Corrupt e) {
      return found(key, Finding.DAMAGED, e);
    } catch (UnsupportedVersion e) {
      return found(key, Finding.TOO_NEW, e);
    } catch (Unavailable e) {
      return found(key, Finding.UNAVAILABLE, e);
    }
  }

  private static Checked found(WrappedDataKey key, Finding finding, RuntimeException e) {
    return new Checked(Listed.of(key), finding, Optional.ofNullable(e.getMessage()));
  }

  /** A data key without its bytes. */
  public record Listed(
      KeyScope scope, int number, UUID id, String wrappingKeyId, Instant createdAt) {
    static Listed of(WrappedDataKey key) {
      return new Listed(key.scope(), key.number(), key.id(), key.wrappingKeyId(), key.createdAt());
    }
  }

  /**
   * A data key and what was found.
   *
   * @param detail what a person may do, when it does not open
   */
  public record Checked(Listed key, Finding finding, Optional<String> detail) {}

  /** What became of opening a data key. */
  public enum Finding {
    /** It opens. */
    OPENS,
    /** The key that wraps it is not here. */
    WRAPPING_KEY_MISSING,
    /** It was changed, cut, or moved from another tenant or scope. */
    DAMAGED,
    /** It was wrapped by a newer version. */
    TOO_NEW,
    /** The wrapping key cannot be had now. */
    UNAVAILABLE
  }
}
