/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static io.wovyr.persistence.kv.foundationdb.TestWrites.guarded;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.soon;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.step;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.writers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fate;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster that does not answer keeps nobody beyond the deadline. */
class DeadlinesTest {
  private static final Duration SHORT = Duration.ofMillis(80);
  private static final Duration BOUND = Duration.ofSeconds(4);

  private final FakeStore store = FakeStore.migrated();
  private final FakeFaults faults = store.cluster().faults;
  private final Engine engine = store.engine();
  private long begun;

  @BeforeEach
  void begin() {
    TestWrites.begin(engine, 1);
    begun = System.nanoTime();
  }

  @AfterEach
  void close() {
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
    faults.none();
    engine.close();
  }

  private void write() {
    engine.write(List.of(step(1, 1, 1)), Deadline.after(SHORT));
  }

  @Test
  void noReadVersionMeansNothingWritten() {
    faults.failReadVersions(FakeFaults.NO_ANSWER);
    assertThatThrownBy(this::write).isInstanceOf(Unavailable.class);
    faults.failReadVersions(FakeFaults.NO_ANSWER);
    assertThatThrownBy(() -> read(engine.view(Deadline.after(SHORT))))
        .isInstanceOf(Unavailable.class);
  }

  private static void read(View view) {
    try (view) {
      view.get(List.of(guarded(1)));
    }
  }

  @Test
  void noAnswerToAReadMeansNothingWritten() {
    faults.failReads(FakeFaults.NO_ANSWER);
    assertThatThrownBy(this::write).isInstanceOf(Unavailable.class);
    assertThat(writers(engine, 1)).isEmpty();
  }

  @Test
  void noAnswerToACommitLeavesTheOutcomeUnknown() {
    faults.failCommit(FakeFaults.NO_ANSWER, Fate.DELIVERED);
    assertThatThrownBy(this::write).isInstanceOf(OutcomeUnknown.class);
    assertThat(writers(engine, 1)).containsExactly(1);
  }

  @Test
  void aDeadlineThatIsOverWritesNothing() {
    assertThatThrownBy(() -> engine.write(List.of(step(1, 1, 1)), Deadline.after(Duration.ZERO)))
        .isInstanceOf(Unavailable.class);
    assertThat(writers(engine, 1)).isEmpty();
  }

  @Test
  void anInterruptEndsAWriteWithATrueAnswer() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> engine.write(List.of(step(1, 1, 1)), soon()))
        .isInstanceOf(Unavailable.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(writers(engine, 1)).isEmpty();
  }

  @Test
  void aClosedHandleSaysSo() {
    Engine closed = store.engine();
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.view(soon())).isInstanceOf(Unavailable.class);
    assertThatThrownBy(() -> closed.write(List.of(step(1, 1, 1)), soon()))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void healthSaysWhatIsWrong() {
    assertThat(engine.health().writable()).isTrue();
    faults.failReadVersions(1038);
    assertThat(engine.health().writable()).isFalse();
    faults.failReadVersions(1038);
    assertThat(engine.health().problem().orElseThrow()).contains("locked");
  }

  @Test
  void closingLeavesNoMarkersBehind() {
    int before = store.cluster().all().size();
    try (Engine other = store.engine()) {
      TestWrites.begin(other, 2);
      assertThat(store.cluster().all()).hasSize(before + 2);
    }
    assertThat(store.cluster().all()).hasSize(before + 1);
  }
}
