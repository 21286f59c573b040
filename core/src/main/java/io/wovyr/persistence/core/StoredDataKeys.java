/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.core.mapping.DataKey;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Wrapped data keys as records of the store whose values they seal. Thread-safe. */
final class StoredDataKeys implements DataKeyStore {
  private static final String ACTOR = "wovyr";
  private static final int PAGE = 200;

  private final Engine engine;
  private final RecordMapper<DataKey> mapper = RecordMappers.of(DataKey.class);

  StoredDataKeys(Engine engine) {
    this.engine = engine;
  }

  @Override
  public List<WrappedDataKey> list(String tenantId) {
    Scope scope = Engine.scopeOf(tenantId, "data keys");
    List<WrappedDataKey> keys = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page =
          engine.scan(scope, Scan.byKey(RecordTypes.DATA_KEY, List.of(), PAGE).after(next));
      page.items().stream().map(mapper::fromRow).map(StoredDataKeys::wrapped).forEach(keys::add);
      next = page.next();
    } while (next.isPresent());
    return keys;
  }

  private static WrappedDataKey wrapped(DataKey key) {
    return new WrappedDataKey(
        key.header().tenantId(),
        key.scope(),
        key.number(),
        key.keyId(),
        key.wrappingKeyId(),
        key.wrapped(),
        key.header().createdAt());
  }

  @Override
  public boolean create(WrappedDataKey key) {
    Scope scope = Engine.scopeOf(key.tenantId(), "data keys");
    DataKey record =
        new DataKey(
            engine.newHeader(Engine.newId(), scope, ACTOR, RecordTypes.DATA_KEY),
            key.scope(),
            key.number(),
            key.id(),
            key.wrappingKeyId(),
            key.wrapped());
    Batch batch =
        new Batch(
            Engine.newId(),
            engine.epoch(),
            scope,
            Optional.empty(),
            List.of(new Mutation.Insert(mapper.toRow(record))),
            List.of());
    return engine.storage().commit(batch, engine.commitDeadline())
        instanceof CommitOutcome.Committed;
  }

  @Override
  public boolean isEmpty() {
    Scan any = Scan.byPath(RecordTypes.DATA_KEY, "by_wrapping_key", List.of(), 1);
    try {
      return engine
          .reading(
              options -> engine.storage().scanSystem(new Scope.System("data keys"), any, options))
          .items()
          .isEmpty();
    } catch (Rejected e) {
      // No login of the system role: a store that several may share, so no key is made by itself.
      return false;
    }
  }
}
