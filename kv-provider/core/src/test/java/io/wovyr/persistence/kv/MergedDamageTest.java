/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import static io.wovyr.persistence.kv.GoldenRows.SCOPE;
import static io.wovyr.persistence.kv.GoldenRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage that one batch of a call meets, while the others are written. */
class MergedDamageTest {
  private final PartitionedMemory.Table table = new PartitionedMemory.Table(4);
  private final Row taken = GoldenRows.row(RecordTypes.EXECUTION, 1, true);
  private Storage storage;

  @BeforeEach
  void damageAUniqueEntry() {
    KvStore.create(new PartitionedMemory(table), deadline());
    storage = KvStore.open(new PartitionedMemory(table), deadline());
    storage.commit(batch(taken), deadline());
    Object workflow = taken.get("liveWorkflowId");
    assertThat(workflow).isNotNull();
    IndexLayout index = TypeLayout.of(RecordTypes.EXECUTION).unique("live_workflow");
    table.damage(Layout.unique(SCOPE.tenantId(), RecordTypes.EXECUTION, index, List.of(workflow)));
  }

  private static Batch batch(Row row) {
    return new Batch(
        UUID.randomUUID(),
        1,
        SCOPE,
        Optional.empty(),
        List.of(new Mutation.Insert(row)),
        List.of());
  }

  /** Wants the unique entry that is damaged. */
  private Batch rival() {
    Row other = GoldenRows.row(RecordTypes.EXECUTION, 2, true);
    return batch(other.with("liveWorkflowId", taken.get("liveWorkflowId")));
  }

  @Test
  void aCallWhoseOtherBatchesAreWrittenDoesNotSayThatNothingWas() {
    Row fine = GoldenRows.event(1);
    Batch rival = rival();

    assertThatThrownBy(() -> storage.commit(List.of(batch(fine), rival), deadline()))
        .isInstanceOf(OutcomeUnknown.class)
        .hasMessageContaining(rival.commitId().toString())
        .hasCauseInstanceOf(Corrupt.class);

    assertThat(read(fine.key())).contains(fine);
    assertThat(read(Key.of(RecordTypes.EXECUTION, rival.mutations().get(0).key().values().get(0))))
        .isEmpty();
  }

  @Test
  void aloneItIsToldAsDamage() {
    assertThatThrownBy(() -> storage.commit(rival(), deadline())).isInstanceOf(Corrupt.class);
  }

  private Optional<Row> read(Key key) {
    return storage.read(SCOPE, List.of(key), ReadOptions.strong(deadline())).get(0);
  }
}
