/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.core.contract.RepositoryContract;
import io.wovyr.persistence.core.contract.TestStore;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reported faults of stores on FoundationDB, through the repositories. */
abstract class FoundationDbFaults extends RepositoryContract {
  private static final Duration LONG = Duration.ofHours(25);
  private final Random random = new Random(7);

  FoundationDbFaults(TestStore.Factory stores) {
    super(stores);
  }

  private Payload noise(int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return Payload.of("application/octet-stream", noise);
  }

  private void append(UUID id, String name, Payload value) {
    committed(
        repositories().events().append(id, Append.signal(name), event(name).withPayload(value)));
  }

  private Payload payload(UUID id, long sequence) {
    WorkflowEvent event = repositories().events().find(id, sequence).orElseThrow();
    return repositories().events().payload(event).orElseThrow();
  }

  private int chunks() {
    return rawStorage()
        .scan(
            scope(),
            Scan.byKey(RecordTypes.CHUNK, java.util.List.of(), 100),
            ReadOptions.strong(Deadline.after(SOON)))
        .items()
        .size();
  }

  @Test
  @DisplayName(
      "C116: 150 kB and 12 MB come back equal; of a value whose writer died half way nothing is seen"
          + " and nothing stays")
  void largeValuesAreWrittenInSeveralTransactionsAndPublishedByTheLast() {
    UUID id = newExecution().id();
    Payload inline = noise(150_000);
    Payload large = noise(12_000_000);
    append(id, "Inline", inline);
    append(id, "Large", large);
    assertThat(payload(id, 2)).isEqualTo(inline);
    assertThat(payload(id, 3)).isEqualTo(large);
    int published = chunks();
    assertThat(published).isGreaterThan(8);

    int[] commits = {0};
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (++commits[0] > 2) {
                throw new IllegalStateException("the process is killed");
              }
              return store.commit(batches, deadline);
            });
    assertThatThrownBy(() -> append(id, "Killed", noise(12_000_000)))
        .isInstanceOf(IllegalStateException.class);
    node().probe().aroundCommit(Storage::commit);

    assertThat(chunks()).isGreaterThan(published);
    assertThat(history(id)).hasSize(3);
    assertThat(payload(id, 3)).isEqualTo(large);
    pass(LONG);
    while (node().persistence().system("contract").sweepLargeValues(1_000) > 0) {
      // Whatever expired.
    }
    assertThat(chunks()).isEqualTo(published);
    assertThat(payload(id, 3)).isEqualTo(large);
  }
}
