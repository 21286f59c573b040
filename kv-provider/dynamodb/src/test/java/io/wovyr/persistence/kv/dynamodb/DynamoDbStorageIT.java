/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Map;
import java.util.Optional;

/** The conformance kit over DynamoDB, in the {@link Weather} of a hosted table. */
class DynamoDbStorageIT extends StorageContract {
  @Override
  protected StorageUnderTest storageUnderTest() {
    TestTable table = TestTable.fresh();
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "dynamodb";
      }

      @Override
      public int rounds() {
        return Math.min(StorageUnderTest.super.rounds(), 100);
      }

      @Override
      public Storage open() {
        return table.open(new Weather(1));
      }

      @Override
      public Optional<OtherProcess> otherProcess() {
        Map<String, String> settings = table.settings();
        return Optional.of(new OtherProcess(DynamoDbStorageProvider.class, settings));
      }

      @Override
      public void close() {
        table.close();
      }
    };
  }
}
