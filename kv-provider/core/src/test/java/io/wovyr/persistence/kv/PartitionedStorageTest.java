/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;

/** The record layer keeps every contract on an engine that can as little as a hosted table. */
class PartitionedStorageTest extends StorageContract {
  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  @Override
  protected StorageUnderTest storageUnderTest() {
    PartitionedMemory.Table table = new PartitionedMemory.Table(4);
    KvStore.create(new PartitionedMemory(table), soon());
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "partitioned-memory";
      }

      @Override
      public int rounds() {
        return Math.min(StorageUnderTest.super.rounds(), 200);
      }

      @Override
      public Storage open() {
        return KvStore.open(new PartitionedMemory(table), soon());
      }
    };
  }
}
