/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.storage.spi.Storage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * A migrated store in a table of its own: on the endpoint of {@value DynoxideServer#ENDPOINT}, with
 * the credentials of the default chain, or else on a server of its own.
 */
record TestTable(@Nullable DynoxideServer server, Map<String, String> settings)
    implements AutoCloseable {
  static TestTable fresh() {
    String endpoint = System.getenv(DynoxideServer.ENDPOINT);
    if (endpoint == null) {
      return on(DynoxideServer.start());
    }
    Map<String, String> settings = new HashMap<>();
    settings.put("endpoint", endpoint);
    settings.put("table", "wovyr-test-" + UUID.randomUUID());
    settings.put("shards", "2");
    new DynamoDbStorageProvider().migrator().migrate(settings, step -> {});
    return new TestTable(null, settings);
  }

  static TestTable on(DynoxideServer server) {
    return new TestTable(server, server.freshStore());
  }

  Storage open(ExecutionInterceptor... interceptors) {
    return DynamoDbStorageProvider.open(settings, List.of(interceptors));
  }

  /** Requests beneath the store. */
  Table table() {
    return Tables.open(DynamoDbSettings.of(settings), List.of());
  }

  DynamoDbEngine engine(ExecutionInterceptor... interceptors) {
    DynamoDbSettings read = DynamoDbSettings.of(settings);
    return new DynamoDbEngine(Tables.open(read, List.of(interceptors)), read.shards());
  }

  @Override
  public void close() {
    if (server == null) {
      try (Table table = table()) {
        table.client().deleteTable(delete -> delete.tableName(table.name()));
      }
    } else {
      server.close();
    }
  }
}
