/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Makes the table, and the store in it. Each step is a write on the condition that it was not made,
 * so that several may try at once.
 */
final class DynamoDbMigrator implements Migrator {
  private static final String TABLE_STEP = "1-table";
  private static final String STORE_STEP = "2-store";

  /** A table is there within seconds as a rule. */
  private static final Duration MAKING = Duration.ofMinutes(3);

  @Override
  public Status status(Map<String, String> settings) {
    DynamoDbSettings read = DynamoDbSettings.of(settings);
    try (DynamoDbEngine engine = engine(read)) {
      return status(engine, Deadline.after(DynamoDbStorageProvider.OPENING));
    }
  }

  private static DynamoDbEngine engine(DynamoDbSettings settings) {
    return new DynamoDbEngine(Tables.open(settings, List.of()), settings.shards());
  }

  private static Status status(DynamoDbEngine engine, Deadline deadline) {
    Optional<TableDescription> table = describe(engine.table(), deadline);
    if (table.isEmpty()) {
      return new Status(false, 0, KvStore.SCHEMA_VERSION, List.of(TABLE_STEP, STORE_STEP));
    }
    refuseOther(engine.table(), table.get());
    if (table.get().tableStatus() == TableStatus.CREATING) {
      return new Status(false, 0, KvStore.SCHEMA_VERSION, List.of(STORE_STEP));
    }
    boolean controlled = engine.control().exists(deadline);
    Optional<KvStore> found = KvStore.find(engine, deadline);
    found.ifPresent(store -> store.refuseNewer(engine.description()));
    if (!controlled && found.isEmpty()) {
      refuseFull(engine.table(), deadline);
    }
    boolean whole = controlled && found.isPresent();
    return new Status(
        whole,
        whole ? found.get().identity().schemaVersion() : 0,
        KvStore.SCHEMA_VERSION,
        whole ? List.of() : List.of(STORE_STEP));
  }

  private static Optional<TableDescription> describe(Table table, Deadline deadline) {
    try {
      return Optional.of(
          table
              .send(
                  deadline,
                  bounds ->
                      table
                          .client()
                          .describeTable(
                              describe ->
                                  describe.tableName(table.name()).overrideConfiguration(bounds)))
              .table());
    } catch (Unavailable e) {
      if (e.getCause() instanceof ResourceNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static void refuseOther(Table table, TableDescription found) {
    List<String> keys = new ArrayList<>();
    found.keySchema().forEach(key -> keys.add(key.attributeName() + " " + key.keyType()));
    boolean binary =
        found.attributeDefinitions().stream()
            .filter(
                one ->
                    one.attributeName().equals(Items.PARTITION)
                        || one.attributeName().equals(Items.SORT))
            .allMatch(one -> one.attributeType() == ScalarAttributeType.B);
    if (!binary || !keys.equals(List.of("p HASH", "k RANGE"))) {
      throw notOurs(table);
    }
  }

  private static void refuseFull(Table table, Deadline deadline) {
    boolean empty =
        table
            .send(
                deadline,
                bounds ->
                    table
                        .client()
                        .scan(
                            scan ->
                                scan.tableName(table.name())
                                    .limit(1)
                                    .consistentRead(true)
                                    .overrideConfiguration(bounds)))
            .items()
            .isEmpty();
    if (!empty) {
      throw notOurs(table);
    }
  }

  private static InvalidInput notOurs(Table table) {
    return new InvalidInput(
        "the DynamoDB table %s is there and is not a store of this kind: name another table"
            .formatted(table.name()));
  }

  @Override
  public Status migrate(Map<String, String> settings, Consumer<String> progress) {
    DynamoDbSettings read = DynamoDbSettings.of(settings);
    Deadline deadline = Deadline.after(MAKING);
    try (DynamoDbEngine engine = engine(read)) {
      Status before = status(engine, deadline);
      if (before.pending().contains(TABLE_STEP) && create(engine.table(), deadline)) {
        progress.accept("applied " + TABLE_STEP);
      }
      if (!before.pending().isEmpty()) {
        awaitActive(engine.table(), deadline);
        if (read.pointInTimeRecovery()) {
          keepPast(engine.table(), deadline);
          progress.accept("switched point-in-time recovery on");
        }
        engine.control().create(deadline);
        KvStore.create(engine, deadline);
        progress.accept("applied " + STORE_STEP);
      }
      return status(engine, deadline);
    }
  }

  /** False when somebody else just did. */
  private static boolean create(Table table, Deadline deadline) {
    CreateTableRequest request =
        CreateTableRequest.builder()
            .tableName(table.name())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .keySchema(key(Items.PARTITION, KeyType.HASH), key(Items.SORT, KeyType.RANGE))
            .attributeDefinitions(binary(Items.PARTITION), binary(Items.SORT))
            .build();
    try {
      table.send(
          deadline,
          bounds ->
              table
                  .client()
                  .createTable(request.toBuilder().overrideConfiguration(bounds).build()));
      return true;
    } catch (Unavailable e) {
      if (e.getCause() instanceof ResourceInUseException) {
        return false;
      }
      throw e;
    }
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private static AttributeDefinition binary(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.B)
        .build();
  }

  private static void awaitActive(Table table, Deadline deadline) {
    Backoff backoff = new Backoff(deadline);
    while (!describe(table, deadline)
        .filter(found -> found.tableStatus() == TableStatus.ACTIVE)
        .isPresent()) {
      if (!backoff.await()) {
        throw new Unavailable(
            "the DynamoDB table %s is not active yet: run this again".formatted(table.name()),
            null);
      }
    }
  }

  private static void keepPast(Table table, Deadline deadline) {
    table.send(
        deadline,
        bounds ->
            table
                .client()
                .updateContinuousBackups(
                    update ->
                        update
                            .tableName(table.name())
                            .pointInTimeRecoverySpecification(
                                past -> past.pointInTimeRecoveryEnabled(true))
                            .overrideConfiguration(bounds)));
  }
}
