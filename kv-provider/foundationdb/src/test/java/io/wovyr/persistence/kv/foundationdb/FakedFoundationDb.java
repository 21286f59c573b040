/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.storage.spi.Storage;
import java.util.function.Supplier;

/** The provider over a FAKE of the client, for the tests of other modules. */
public final class FakedFoundationDb {
  private FakedFoundationDb() {}

  /** A new store in a cluster of its own; what opens handles of it. */
  public static Supplier<Storage> store() {
    FakeStore store = FakeStore.migrated();
    return store::open;
  }
}
