/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;

/**
 * The unwrapped data keys of a store, kept for a bounded time and number. Of processes that make a
 * tenant's first key at once one wins, and all use that one. Thread-safe.
 */
final class DataKeys {
  private final KeyProvider provider;
  private final DataKeyStore store;
  private final SecureRandom random;
  private final InstantSource clock;
  private final Cache<Id, DataKey> opened;

  DataKeys(
      KeyProvider provider,
      DataKeyStore store,
      SecureRandom random,
      InstantSource clock,
      int keptKeys,
      Duration keptFor) {
    this.provider = provider;
    this.store = store;
    this.random = random;
    this.clock = clock;
    this.opened =
        Caffeine.newBuilder()
            .maximumSize(keptKeys)
            .expireAfterWrite(keptFor)
            .executor(Runnable::run)
            .build();
  }

  /** The key that seals new values now; made when there is none. */
  DataKey current(String tenantId, KeyScope scope) {
    return unwrapped(newest(tenantId, scope).orElseGet(() -> createFirst(tenantId, scope)));
  }

  /**
   * The key of this id.
   *
   * @throws UnknownKey when the store has no such key of this tenant and scope
   */
  DataKey find(String tenantId, KeyScope scope, UUID id) {
    DataKey known = opened.getIfPresent(new Id(tenantId, scope, id));
    if (known != null) {
      return known;
    }
    return unwrapped(
        store.list(tenantId).stream()
            .filter(key -> key.scope() == scope && key.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new UnknownKey(
                        id.toString(),
                        "data key %s of scope %s is not in the store as one of this tenant"
                            .formatted(id, scope))));
  }

  private DataKey unwrapped(WrappedDataKey key) {
    Id id = new Id(key.tenantId(), key.scope(), key.id());
    DataKey known = opened.getIfPresent(id);
    if (known != null) {
      return known;
    }
    Bytes secret =
        provider.unwrap(
            new KeyProvider.Wrapped(key.wrappingKeyId(), key.wrapped()),
            new KeyProvider.Place(key.tenantId(), key.scope(), key.id()));
    DataKey fresh = new DataKey(key.id(), secret.toByteArray());
    opened.put(id, fresh);
    return fresh;
  }

  private Optional<WrappedDataKey> newest(String tenantId, KeyScope scope) {
    return store.list(tenantId).stream()
        .filter(key -> key.scope() == scope)
        .max(Comparator.comparingInt(WrappedDataKey::number));
  }

  private WrappedDataKey createFirst(String tenantId, KeyScope scope) {
    provider.prepare(store.isEmpty());
    byte[] secret = new byte[DataKey.BYTES];
    random.nextBytes(secret);
    UUID id = UUID.randomUUID();
    KeyProvider.Wrapped wrapped =
        provider.wrap(Bytes.wrap(secret), new KeyProvider.Place(tenantId, scope, id));
    WrappedDataKey key =
        new WrappedDataKey(
            tenantId, scope, 1, id, wrapped.wrappingKeyId(), wrapped.bytes(), clock.instant());
    try {
      if (store.create(key)) {
        return key;
      }
    } catch (OutcomeUnknown e) {
      return newest(tenantId, scope)
          .orElseThrow(
              () -> new Unavailable("a first data key of scope " + scope + " was not stored", e));
    }
    return newest(tenantId, scope)
        .orElseThrow(
            () ->
                new Unavailable(
                    "the store has a data key of scope " + scope + " and does not list it", null));
  }

  private record Id(String tenantId, KeyScope scope, UUID id) {}
}
