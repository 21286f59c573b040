/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Storage;

/** The conformance kit over the provider on a FAKE of the client: no cluster is involved. */
class FakedFoundationDbStorageIT extends StorageContract {
  @Override
  protected StorageUnderTest storageUnderTest() {
    FakeStore store = FakeStore.migrated();
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "foundationdb-fake";
      }

      @Override
      public int rounds() {
        return Math.min(StorageUnderTest.super.rounds(), 200);
      }

      @Override
      public Storage open() {
        return store.open();
      }
    };
  }
}
