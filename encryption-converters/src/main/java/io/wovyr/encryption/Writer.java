/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Seals for one tenant and scope. Holds the working key of this process, and renews it when it has
 * reached its limit or the tenant has a newer data key. Thread-safe.
 */
final class Writer {
  private final DataKeys dataKeys;
  private final String tenantId;
  private final KeyScope scope;
  private final EnvelopeSealing.Settings settings;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile @Nullable Current current;

  Writer(DataKeys dataKeys, String tenantId, KeyScope scope, EnvelopeSealing.Settings settings) {
    this.dataKeys = dataKeys;
    this.tenantId = tenantId;
    this.scope = scope;
    this.settings = settings;
  }

  Sealed seal(Bytes plain, Binding binding) {
    while (true) {
      Current now = current;
      if (now == null || now.isStale(settings)) {
        now = renewed(now, false);
      }
      long use = now.key.take(plain.size());
      if (use >= 0) {
        byte[] header = now.key.header(SealedLayout.versionFor(binding));
        byte[] place = SealedLayout.associatedData(header, binding);
        return new Sealed(
            EnvelopeSealing.CODEC,
            now.keyId,
            Bytes.wrap(now.key.seal(header, plain.unsafeArray(), use, place)));
      }
      renewed(now, true);
    }
  }

  private Current renewed(@Nullable Current old, boolean spent) {
    renewing.lock();
    try {
      Current now = current;
      if (now != null && now != old) {
        return now;
      }
      DataKey dataKey = dataKeys.current(tenantId, scope);
      Current next =
          now != null && !spent && now.dataKeyId.equals(dataKey.id())
              ? now.checkedAgain()
              : Current.of(dataKey, settings);
      current = next;
      return next;
    } finally {
      renewing.unlock();
    }
  }

  /** A working key, and when it was known that its data key is the tenant's newest. */
  private static final class Current {
    private final UUID dataKeyId;
    private final Optional<String> keyId;
    private final WorkingKey key;
    private final long checkedNanos = System.nanoTime();

    private Current(UUID dataKeyId, Optional<String> keyId, WorkingKey key) {
      this.dataKeyId = dataKeyId;
      this.keyId = keyId;
      this.key = key;
    }

    static Current of(DataKey dataKey, EnvelopeSealing.Settings settings) {
      byte[] salt = new byte[SealedLayout.SALT_BYTES];
      settings.random().nextBytes(salt);
      return new Current(
          dataKey.id(),
          Optional.of(dataKey.id().toString()),
          WorkingKey.derive(dataKey.secret(), dataKey.id(), salt, settings.limit()));
    }

    Current checkedAgain() {
      return new Current(dataKeyId, keyId, key);
    }

    boolean isStale(EnvelopeSealing.Settings settings) {
      return System.nanoTime() - checkedNanos > settings.keptFor().toNanos();
    }
  }
}
