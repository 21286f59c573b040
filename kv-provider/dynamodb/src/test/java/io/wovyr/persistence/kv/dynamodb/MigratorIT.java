/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Migrator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** Making tables, and leaving those alone that are somebody else's. */
class MigratorIT {
  private static DynoxideServer server;

  private final DynamoDbStorageProvider provider = new DynamoDbStorageProvider();
  private final Migrator migrator = provider.migrator();

  @BeforeAll
  static void startAServer() {
    server = DynoxideServer.start();
  }

  @AfterAll
  static void stopTheServer() {
    if (server != null) {
      server.close();
    }
  }

  private static Table table(Map<String, String> settings) {
    return Tables.open(DynamoDbSettings.of(settings), List.of());
  }

  @Test
  void makesTheTableAndTheStoreOnce() {
    Map<String, String> settings = server.freshTable();
    assertThat(migrator.status(settings).exists()).isFalse();
    assertThat(migrator.status(settings).pending()).containsExactly("1-table", "2-store");
    assertThatThrownBy(() -> provider.open(settings))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr migrate up --provider dynamodb");
    List<String> told = new ArrayList<>();
    assertThat(migrator.migrate(settings, told::add).pending()).isEmpty();
    assertThat(told).containsExactly("applied 1-table", "applied 2-store");
    assertThat(migrator.migrate(settings, told::add).exists()).isTrue();
    assertThat(told).hasSize(2);
    provider.open(settings).close();
  }

  @Test
  void aKilledMigrationIsFinished() {
    Map<String, String> settings = server.freshStore();
    try (Table table = table(settings)) {
      table
          .client()
          .deleteItem(
              delete ->
                  delete
                      .tableName(table.name())
                      .key(Items.key(io.wovyr.persistence.kv.KvStore.recordPlace())));
    }
    assertThat(migrator.status(settings).pending()).containsExactly("2-store");
    migrator.migrate(settings, step -> {});
    provider.open(settings).close();
  }

  @Test
  void aTableOfOtherKeysIsRefused() {
    Map<String, String> settings = server.freshTable();
    try (Table table = table(settings)) {
      table
          .client()
          .createTable(
              create ->
                  create
                      .tableName(table.name())
                      .billingMode("PAY_PER_REQUEST")
                      .keySchema(
                          KeySchemaElement.builder().attributeName("id").keyType("HASH").build())
                      .attributeDefinitions(
                          AttributeDefinition.builder()
                              .attributeName("id")
                              .attributeType("S")
                              .build()));
    }
    assertThatThrownBy(() -> migrator.migrate(settings, step -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("name another table");
  }

  @Test
  void aTableThatHoldsSomethingElseIsRefused() {
    Map<String, String> settings = server.freshStore();
    try (Table table = table(settings)) {
      // Somebody else's item in the place of ours.
      for (Map<String, AttributeValue> item :
          table.client().scan(scan -> scan.tableName(table.name())).items()) {
        table
            .client()
            .deleteItem(
                delete ->
                    delete
                        .tableName(table.name())
                        .key(
                            Map.of(
                                Items.PARTITION,
                                item.get(Items.PARTITION),
                                Items.SORT,
                                item.get(Items.SORT))));
      }
      table
          .client()
          .putItem(
              put ->
                  put.tableName(table.name())
                      .item(
                          Map.of(
                              Items.PARTITION, Items.binary(new byte[] {9}),
                              Items.SORT, Items.binary(new byte[] {9}))));
    }
    assertThatThrownBy(() -> migrator.migrate(settings, step -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("name another table");
  }

  @Test
  void aNewerLayoutIsLeftAlone() {
    Map<String, String> settings = server.freshStore();
    try (Table table = table(settings)) {
      table
          .client()
          .updateItem(
              update ->
                  update
                      .tableName(table.name())
                      .key(
                          Map.of(
                              Items.PARTITION, Items.binary(new byte[] {(byte) 0xf0}),
                              Items.SORT, Items.binary(new byte[] {1})))
                      .updateExpression("SET y = :y")
                      .expressionAttributeValues(Map.of(":y", Items.number(Control.LAYOUT + 1L))));
    }
    assertThatThrownBy(() -> provider.open(settings)).isInstanceOf(UnsupportedVersion.class);
    assertThatThrownBy(() -> migrator.migrate(settings, step -> {}))
        .isInstanceOf(UnsupportedVersion.class);
  }

  @Test
  void healthTellsOfATableThatIsGone() {
    Map<String, String> settings = server.freshStore();
    try (var storage = provider.open(settings);
        Table table = table(settings)) {
      assertThat(storage.health().writable()).isTrue();
      table.client().deleteTable(delete -> delete.tableName(table.name()));
      assertThat(storage.health().writable()).isFalse();
      assertThat(storage.health().problem()).isPresent();
      assertThatThrownBy(() -> storage.commit(TestRows.batch(), deadline()))
          .isInstanceOf(Unavailable.class);
    }
  }
}
