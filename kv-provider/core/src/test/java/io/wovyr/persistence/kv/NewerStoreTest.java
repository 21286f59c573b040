/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import static io.wovyr.persistence.kv.GoldenRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Stored;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a newer version wrote is not changed by this one. */
class NewerStoreTest {
  private final PartitionedMemory.Table table = new PartitionedMemory.Table(4);
  private final Engine engine = new PartitionedMemory(table);

  @Test
  void noEpochIsBegunInAStoreOfANewerVersion() {
    KvStore.create(engine, deadline());
    Stored record = table.all().get(Layout.store());
    assertThat(record).isNotNull();
    byte[] newer = record.body().toByteArray();
    newer[0] = Layout.VERSION + 1;
    Stored stored = new Stored(record.version(), Bytes.wrap(newer));
    engine.write(
        List.of(new AtomicWrite(List.of(new Change.Put(Layout.store(), Condition.NONE, stored)))),
        deadline());

    assertThatThrownBy(() -> KvStore.raiseEpoch(engine, deadline()))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(engine.description());

    assertThat(table.all()).containsEntry(Layout.store(), stored);
  }
}
