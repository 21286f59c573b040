/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.MemoryDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/**
 * Seals values by AES-256-GCM under data keys of each tenant and scope, which a {@link KeyProvider}
 * wraps. The bytes are those of {@code docs/format/sealing.md}: they name their data key and need
 * nothing beside them but the key and the place. Thread-safe.
 *
 * <h2>Security</h2>
 *
 * <p>Confidentiality and authenticity (NIST SP 800-38D) of content and place: bytes that were
 * changed, cut, or moved to another tenant, record type, key, attribute, record or scope do not
 * open. Values of version 1, and columns, are not bound to a key. Length is not hidden. Each
 * process seals under working keys of its own, derived from the data key (RFC 5869), and renews
 * them long before the limits of GCM. A copy of a running process's memory (a machine snapshot
 * resumed twice) must not go on sealing: both would count from the same number.
 *
 * @since 0.1
 */
public final class EnvelopeSealing implements SealingProvider {
  /** Name in settings. */
  public static final String NAME = "envelope";

  /** Number of this format among the sealing codecs of {@code docs/format/payload.md}. */
  public static final int CODEC = 1;

  private static final int FIRST_CODEC = 1;

  private final Settings settings;
  private final DataKeys dataKeys;
  private final Cache<WriterId, Writer> writers;
  private final Cache<ReaderId, WorkingKey> readers;

  private EnvelopeSealing(Settings settings, DataKeyStore store) {
    this.settings = settings;
    this.dataKeys =
        new DataKeys(
            settings.keys(),
            store,
            settings.random(),
            settings.clock(),
            settings.keptKeys(),
            settings.keptFor());
    this.writers =
        Caffeine.newBuilder().maximumSize(settings.keptKeys()).executor(Runnable::run).build();
    this.readers =
        Caffeine.newBuilder()
            .maximumSize(settings.keptKeys())
            .expireAfterWrite(settings.keptFor())
            .executor(Runnable::run)
            .build();
  }

  /**
   * A provider that keeps its data keys in memory until {@link #over} gives it a store.
   *
   * @param keys wraps the data keys
   */
  public static EnvelopeSealing with(KeyProvider keys) {
    return new EnvelopeSealing(Settings.standard(keys), new MemoryDataKeyStore());
  }

  /** For tests: other limits and clocks. */
  static EnvelopeSealing with(Settings settings, DataKeyStore store) {
    return new EnvelopeSealing(settings, store);
  }

  /** A provider with the same wrapping keys and its data keys in {@code store}. */
  @Override
  public EnvelopeSealing over(DataKeyStore store) {
    return new EnvelopeSealing(settings, store);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Sealed seal(Bytes plain, Binding binding) {
    Writer writer =
        writers.get(new WriterId(binding.tenantId(), binding.scope()), id -> newWriter(id));
    return writer.seal(plain, binding);
  }

  @Override
  public Bytes open(Sealed sealed, Binding binding) {
    String where = Failures.where(binding, sealed.keyId());
    if (sealed.codec() < FIRST_CODEC) {
      throw new Corrupt(where + " does not open: codec " + sealed.codec() + " never sealed", null);
    }
    if (sealed.codec() != CODEC) {
      throw new UnsupportedVersion(
          where + " is sealed by codec " + sealed.codec() + ", unknown here");
    }
    byte[] bytes = sealed.bytes().unsafeArray();
    requireReadable(bytes, where);
    ReaderId id = readerId(bytes, binding);
    if (sealed.keyId().isPresent() && !sealed.keyId().get().equals(id.dataKeyId().toString())) {
      throw Failures.corrupt(
          binding, id.dataKeyId(), "its envelope names another key, " + sealed.keyId().get(), null);
    }
    WorkingKey key = readers.getIfPresent(id);
    if (key == null) {
      key = deriveToRead(id, bytes, binding);
    }
    try {
      return Bytes.wrap(key.open(bytes, SealedLayout.associatedData(bytes, binding)));
    } catch (GeneralSecurityException e) {
      throw Failures.corrupt(
          binding, id.dataKeyId(), "it was changed, or belongs to another place", e);
    }
  }

  private WorkingKey deriveToRead(ReaderId id, byte[] sealed, Binding binding) {
    DataKey dataKey;
    Optional<String> dataKeyId = Optional.of(id.dataKeyId().toString());
    try {
      dataKey = dataKeys.find(id.tenantId(), id.scope(), id.dataKeyId());
    } catch (UnknownKey e) {
      throw new UnknownKey(
          e.keyId(), Failures.where(binding, dataKeyId) + " does not open: " + e.getMessage());
    } catch (Unavailable e) {
      throw new Unavailable(
          Failures.where(binding, dataKeyId) + " does not open now: " + e.getMessage(), e);
    }
    byte[] salt = new byte[SealedLayout.SALT_BYTES];
    System.arraycopy(
        sealed, SealedLayout.KEY_BYTES - salt.length, salt, 0, SealedLayout.SALT_BYTES);
    WorkingKey key = WorkingKey.derive(dataKey.secret(), dataKey.id(), salt, settings.limit());
    readers.put(id, key);
    return key;
  }

  private static void requireReadable(byte[] bytes, String where) {
    if (bytes.length == 0) {
      throw new Corrupt(where + " does not open: it is empty", null);
    }
    int version = Byte.toUnsignedInt(bytes[0]);
    if (version > SealedLayout.NEWEST) {
      throw new UnsupportedVersion(
          where
              + " is sealed in version "
              + version
              + ", not known here (highest: "
              + SealedLayout.NEWEST
              + ")");
    }
    if (version < SealedLayout.WITHOUT_KEY) {
      throw new Corrupt(
          where + " does not open: no version " + version + " was ever written", null);
    }
    if (bytes.length < SealedLayout.OVERHEAD_BYTES) {
      throw new Corrupt(where + " does not open: it is cut to " + bytes.length + " bytes", null);
    }
  }

  private static ReaderId readerId(byte[] bytes, Binding binding) {
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, SealedLayout.KEY_BYTES - 1);
    return new ReaderId(
        binding.tenantId(),
        binding.scope(),
        new UUID(in.getLong(), in.getLong()),
        in.getLong(),
        in.getLong());
  }

  private Writer newWriter(WriterId id) {
    return new Writer(dataKeys, id.tenantId(), id.scope(), settings);
  }

  /** Who seals: a tenant's scope. */
  private record WriterId(String tenantId, KeyScope scope) {}

  /** What a value was sealed under: a data key and a salt, here as two halves. */
  private record ReaderId(
      String tenantId, KeyScope scope, UUID dataKeyId, long saltHigh, long saltLow) {}

  /**
   * @param keptKeys unwrapped data keys, and working keys, kept in memory
   * @param keptFor a key that is gone from its store stops being used after this time
   */
  record Settings(
      KeyProvider keys,
      SecureRandom random,
      InstantSource clock,
      WorkingKey.Limit limit,
      int keptKeys,
      Duration keptFor) {
    static Settings standard(KeyProvider keys) {
      return new Settings(
          keys,
          new SecureRandom(),
          InstantSource.system(),
          WorkingKey.Limit.STANDARD,
          10_000,
          Duration.ofMinutes(5));
    }

    Settings withLimit(WorkingKey.Limit other) {
      return new Settings(keys, random, clock, other, keptKeys, keptFor);
    }

    Settings withKept(int number, Duration time) {
      return new Settings(keys, random, clock, limit, number, time);
    }
  }
}
