/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * How the kit reaches the store it tests: the one thing an author of a provider writes. Only {@link
 * #provider()} and {@link #open()} must be there; each other method opens the way to contracts that
 * are reported as NOT RUN without it.
 *
 * @since 0.1
 */
public interface StorageUnderTest extends AutoCloseable {
  /** Name of this system property: rounds of a full race; 2,000 where it is not set. */
  String ROUNDS = "wovyr.kit.rounds";

  /** Name of the provider in the report: lower case, such as {@code sqlite}. */
  String provider();

  /**
   * Another handle of the store under test, the same store at every call. It is migrated, and it is
   * empty at the first call, or shared with others who use another {@link #tenantPrefix()}.
   */
  Storage open();

  /**
   * Begins the names of all tenants of this run, so that one server can serve many runs: at most 20
   * characters. The kit makes its tenants unique behind it by itself.
   */
  default String tenantPrefix() {
    return "";
  }

  /** How long the kit waits for what must come true before it says that it does not. */
  default Duration patience() {
    return Duration.ofSeconds(60);
  }

  /** Rounds of a full race. Change it by the system property {@link #ROUNDS}. */
  default int rounds() {
    return Integer.getInteger(ROUNDS, 2_000);
  }

  /**
   * How another process opens the same store: needed for the contracts of {@link
   * Capability#MULTI_PROCESS}. The kit starts a JVM of its own with this JVM's class path.
   */
  default Optional<OtherProcess> otherProcess() {
    return Optional.empty();
  }

  /**
   * Makes every writer of a row wait until the answer is closed, as another client's lock on it
   * would (more rows may be locked with it, even the whole store). Needed for the contracts of what
   * is judged after waiting.
   */
  default Optional<RowLock> lock(Scope scope, Key key) {
    return Optional.empty();
  }

  /**
   * Lets so much time pass on the store's clock. Waits, unless it is overridden for a clock that
   * can be moved.
   */
  default void passTime(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Removes what {@link #open()} made. Called once, after all handles are closed. */
  @Override
  default void close() {}

  /**
   * See {@link #otherProcess()}.
   *
   * @param provider has a public constructor without parameters
   * @param settings handed to {@link StorageProvider#open}
   */
  record OtherProcess(Class<? extends StorageProvider> provider, Map<String, String> settings) {
    public OtherProcess {
      settings = Map.copyOf(settings);
    }
  }

  /**
   * JTA transactions of a caller, and a table of his own in them. Needed for the contracts of
   * {@link Capability#JTA}.
   */
  default Optional<Jta> jta() {
    return Optional.empty();
  }

  /** See {@link #jta()}. Transactions are those of the calling thread. */
  interface Jta {
    /** Begins one. */
    void begin();

    /** Commits it. */
    void commit();

    /** Rolls it back, also when it is marked for it. */
    void rollback();

    /** Marks it: it can only be rolled back. */
    void setRollbackOnly();

    /** Writes a row of the caller's own, in the transaction. */
    void write(UUID id);

    /** Whether such a row is there, for those who are in no transaction. */
    boolean isWritten(UUID id);
  }

  /** See {@link #lock}. */
  interface RowLock extends AutoCloseable {
    /** Lets the writers go on. */
    @Override
    void close();
  }
}
