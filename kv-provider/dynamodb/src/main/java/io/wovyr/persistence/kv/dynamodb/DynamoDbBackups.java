/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Copies are DynamoDB's own matter; what they need of us is a new epoch. */
final class DynamoDbBackups implements Backups {
  @Override
  public Backup create(Map<String, String> settings, Path directory) {
    throw ofDynamoDb();
  }

  @Override
  public List<Backup> list(Path directory) {
    throw ofDynamoDb();
  }

  @Override
  public Backup verify(Path directory, long id) {
    throw ofDynamoDb();
  }

  @Override
  public StoreIdentity restore(Path directory, long id, Map<String, String> settings) {
    throw ofDynamoDb();
  }

  private static Rejected ofDynamoDb() {
    return new Rejected(
        "DynamoDB makes and restores backups of its tables itself: see docs/stores/dynamodb.md, and"
            + " run 'wovyr backup begin-epoch --provider dynamodb' on a table that was restored");
  }

  @Override
  public StoreIdentity beginEpoch(Map<String, String> settings) {
    DynamoDbSettings read = DynamoDbSettings.of(settings);
    try (DynamoDbEngine engine = new DynamoDbEngine(Tables.open(read, List.of()), read.shards())) {
      return KvStore.raiseEpoch(engine, Deadline.after(DynamoDbStorageProvider.OPENING)).identity();
    }
  }
}
