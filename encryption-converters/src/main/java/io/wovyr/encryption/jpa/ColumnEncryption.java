/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the converters of this package encrypt with. Thread-safe.
 *
 * <p>A converter looks for it when it is first used: in CDI, where there is a container that has
 * one as a bean (of scope {@code @Singleton} or {@code @Dependent}); else among those that were
 * {@linkplain #register registered}. Without one every read and write fails; nothing is ever stored
 * in clear.
 *
 * <h2>Security</h2>
 *
 * <p>A column value is bound to tenant, kind of converter and, where the converter was given one,
 * name of the column. It is not bound to its row, which a converter does not know: whoever may
 * write to the database can exchange the values of two rows of a column, and put an old value back.
 *
 * @since 0.1
 */
public final class ColumnEncryption {
  /** Tenant of an application that has only one. */
  public static final String DEFAULT_TENANT = "application";

  private static final String RECORD_TYPE = "column";
  private static final UUID NO_RECORD = new UUID(0, 0);
  private static final Map<ClassLoader, ColumnEncryption> REGISTERED = new WeakHashMap<>();

  /** First byte of what another provider than the envelope's sealed; no envelope begins so. */
  private static final byte OTHER_CODEC = 0;

  private final SealingProvider sealing;
  private final Supplier<String> tenant;

  private ColumnEncryption(SealingProvider sealing, Supplier<String> tenant) {
    this.sealing = sealing;
    this.tenant = tenant;
  }

  /** Encrypts for one tenant, {@link #DEFAULT_TENANT}. */
  public static ColumnEncryption with(SealingProvider sealing) {
    return new ColumnEncryption(sealing, () -> DEFAULT_TENANT);
  }

  /**
   * Encrypts for several tenants, each under data keys of its own.
   *
   * @param tenant asked at each read and write, on the thread that reads or writes; throws when
   *     there is none
   */
  public static ColumnEncryption with(SealingProvider sealing, Supplier<String> tenant) {
    return new ColumnEncryption(sealing, tenant);
  }

  /**
   * Makes this the one that converters find where there is no CDI, for everything that this copy of
   * the library serves: call it once, before the first entity is read or written.
   *
   * @return closes the registration
   * @throws IllegalStateException when there is one already
   */
  public Registration register() {
    return register(ColumnEncryption.class.getClassLoader());
  }

  /**
   * As {@link #register()}, for one application of several that share this copy of the library.
   * Converters find the one of the context class loader of their thread, or of its nearest parent.
   *
   * @param application its class loader; the registration keeps it alive until it is closed
   * @throws IllegalStateException when there is one already
   */
  public Registration register(ClassLoader application) {
    synchronized (REGISTERED) {
      if (REGISTERED.putIfAbsent(application, this) != null) {
        throw new IllegalStateException(
            "a column encryption is registered already: close it first");
      }
    }
    return () -> {
      synchronized (REGISTERED) {
        REGISTERED.remove(application, this);
      }
    };
  }

  /** Ends with {@link #close()}; a second call does nothing. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    /** Converters that were not used yet find it no more. */
    @Override
    void close();
  }

  /**
   * The one that converters find here.
   *
   * @throws Unavailable when there is none
   */
  static ColumnEncryption find() {
    return inContainer()
        .or(ColumnEncryption::registered)
        .orElseThrow(
            () ->
                new Unavailable(
                    "there is no column encryption: make a CDI bean of type ColumnEncryption, or"
                        + " call ColumnEncryption.register() before the first entity is used",
                    null));
  }

  /** The bytes to store. */
  byte[] seal(byte[] plain, String path) {
    Sealed sealed = sealing.seal(Bytes.wrap(plain), place(path));
    byte[] bytes = sealed.bytes().unsafeArray();
    if (sealed.codec() == EnvelopeSealing.CODEC) {
      return bytes;
    }
    byte[] keyId = sealed.keyId().orElse("").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 + Short.BYTES + keyId.length + bytes.length)
        .put(OTHER_CODEC)
        .put((byte) sealed.codec())
        .putShort((short) keyId.length)
        .put(keyId)
        .put(bytes)
        .array();
  }

  /** The bytes that were given to {@link #seal}. */
  byte[] open(byte[] stored, String path) {
    Sealed sealed =
        stored.length > 0 && stored[0] == OTHER_CODEC
            ? otherCodec(stored, path)
            : new Sealed(EnvelopeSealing.CODEC, Optional.empty(), Bytes.wrap(stored));
    return sealing.open(sealed, place(path)).unsafeArray();
  }

  private static Sealed otherCodec(byte[] stored, String path) {
    try {
      ByteBuffer in = ByteBuffer.wrap(stored, 1, stored.length - 1);
      int codec = Byte.toUnsignedInt(in.get());
      byte[] keyId = new byte[Math.min(Short.toUnsignedInt(in.getShort()), stored.length)];
      in.get(keyId);
      byte[] bytes = new byte[in.remaining()];
      in.get(bytes);
      return new Sealed(
          codec,
          Optional.of(new String(keyId, StandardCharsets.UTF_8)).filter(id -> !id.isEmpty()),
          Bytes.wrap(bytes));
    } catch (BufferUnderflowException e) {
      throw new Corrupt("a value of column " + path + " is cut to " + stored.length + " bytes", e);
    }
  }

  /**
   * Has ready what sealing for the tenant of now needs, its first data key included: for whoever
   * then seals within a transaction, where nothing else should wait for the store of the keys.
   *
   * @throws Unavailable when there is no key now
   * @throws io.wovyr.persistence.PersistenceException.UnknownKey when the tenant's data key is
   *     wrapped by a key that is not here
   */
  public void prepare() {
    sealing.seal(Bytes.EMPTY, place("prepare"));
  }

  private Binding place(String path) {
    return new Binding(tenant.get(), RECORD_TYPE, path, NO_RECORD, KeyScope.DATA);
  }

  private static Optional<ColumnEncryption> inContainer() {
    try {
      return Container.find();
    } catch (NoClassDefFoundError | IllegalStateException e) {
      // No CDI on the class path, or no container that runs.
      return Optional.empty();
    }
  }

  private static Optional<ColumnEncryption> registered() {
    synchronized (REGISTERED) {
      @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
      while (loader != null) {
        ColumnEncryption found = REGISTERED.get(loader);
        if (found != null) {
          return Optional.of(found);
        }
        loader = loader.getParent();
      }
      return Optional.ofNullable(REGISTERED.get(ColumnEncryption.class.getClassLoader()));
    }
  }
}
