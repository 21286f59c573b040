/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import static io.wovyr.persistence.core.state.StateEvents.EXECUTION;
import static io.wovyr.persistence.core.state.StateEvents.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.core.state.ReferenceForm.Item;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.state.WorkflowState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReplayTest {
  /** Puts its number into the state, so that the state says which events made it. */
  private static WorkflowEvent numbered(long sequence) {
    return event(sequence, StateEvents.put(item("event-" + sequence, sequence)));
  }

  private static Item item(String key, long length) {
    return new Item(
        Section.VARIABLES.code(), key, new byte[32], "text/plain", new byte[(int) length]);
  }

  private static List<WorkflowEvent> history(long... sequences) {
    return Arrays.stream(sequences).mapToObj(ReplayTest::numbered).toList();
  }

  private static WorkflowState replayed(long... sequences) {
    return Replay.fold(EXECUTION, HashTrieState.empty(), 0, history(sequences));
  }

  @Test
  void replayGivesWhatApplyingOneByOneGives() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<WorkflowEvent> events = new ArrayList<>();
      WorkflowState expected = HashTrieState.empty();
      for (int sequence = 1; sequence <= 200; sequence++) {
        String key = "key-" + random.nextInt(20);
        WorkflowEvent next =
            random.nextInt(3) == 0
                ? event(sequence, StateEvents.remove(Section.VARIABLES, key))
                : event(sequence, StateEvents.put(item(key, random.nextInt(9))));
        events.add(next);
        expected = expected.apply(next);
        if (random.nextInt(20) == 0) {
          WorkflowState from =
              Replay.fold(EXECUTION, HashTrieState.empty(), 0, events.subList(0, sequence / 2));
          WorkflowState state =
              Replay.fold(EXECUTION, from, sequence / 2, events.subList(sequence / 2, sequence));
          assertThat(state.hash()).isEqualTo(expected.hash());
          assertThat(contents(state)).isEqualTo(contents(expected));
        }
      }
    }
  }

  private static List<Object> contents(WorkflowState state) {
    List<Object> contents = new ArrayList<>();
    state.forEach((key, leaf) -> contents.add(List.of(key, leaf)));
    return contents;
  }

  @Test
  void noEventsLeaveTheStateAsItIs() {
    WorkflowState from = replayed(1, 2);
    assertThat(Replay.fold(EXECUTION, from, 2, List.of())).isSameAs(from);
  }

  @Test
  void anEventOfAnotherExecutionIsRefused() {
    assertThatThrownBy(() -> Replay.fold(new UUID(1, 1), HashTrieState.empty(), 0, history(1)))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining(EXECUTION.toString());
  }

  @Nested
  @DisplayName("C005: replay starts strictly after the cursor")
  class AfterTheCursor {
    private final List<WorkflowEvent> six =
        List.of(summand(1), summand(2), summand(3), summand(4), summand(5), summand(6));

    /** Event n adds 2^(n-1). */
    private WorkflowEvent summand(long sequence) {
      return event(sequence, StateEvents.put(item("summand", 1L << (sequence - 1))));
    }

    private long sum(long from, long cursor, List<WorkflowEvent> events) {
      return ((Sum) Replay.fold(EXECUTION, new Sum(from), cursor, events)).total;
    }

    @Test
    void sumsComeOutRightFromEveryCursor() {
      assertThat(sum(0, 0, six)).isEqualTo(63);
      assertThat(sum(15, 4, six.subList(4, 6))).isEqualTo(63);
      assertThat(sum(63, 6, List.of())).isEqualTo(63);
    }

    @Test
    void theEventAtTheCursorIsNotAppliedAgain() {
      assertThat(sum(15, 4, six.subList(3, 6))).isEqualTo(63);
      assertThat(sum(15, 4, six)).isEqualTo(63);
      assertThat(sum(63, 6, six)).isEqualTo(63);
    }

    @Test
    void theTrieBeginsAfterTheCursorToo() {
      WorkflowState state = Replay.fold(EXECUTION, HashTrieState.empty(), 4, history(3, 4, 5, 6));
      assertThat(state.size()).isEqualTo(2);
      assertThat(state.get(Section.VARIABLES, "event-4")).isEmpty();
      assertThat(state.get(Section.VARIABLES, "event-5")).isPresent();
    }
  }

  @Nested
  @DisplayName("C012: a history with a gap or a double is refused, never guessed at")
  class Contiguity {
    private void refused(String what, long sequence, long cursor, long... sequences) {
      for (WorkflowState from : List.of(HashTrieState.empty(), new Sum(0))) {
        BrokenHistory broken =
            catchThrowableOfType(
                BrokenHistory.class,
                () -> Replay.fold(EXECUTION, from, cursor, history(sequences)));
        assertThat(broken)
            .hasMessageContaining(EXECUTION.toString())
            .hasMessageEndingWith(what + " " + sequence);
        assertThat(broken.executionId()).isEqualTo(EXECUTION);
        assertThat(broken.sequence()).isEqualTo(sequence);
      }
    }

    @Test
    void aMissingEventIsNamed() {
      refused("missing", 3, 0, 1, 2, 4);
      refused("missing", 1, 0, 2, 3);
      refused("missing", 5, 4, 6);
      refused("missing", 5, 4, 3, 4, 6);
    }

    @Test
    void aDoubleEventIsNamed() {
      refused("duplicate", 3, 0, 1, 2, 3, 3, 4);
      refused("duplicate", 1, 0, 1, 1);
      refused("duplicate", 4, 4, 5, 4);
    }

    @Test
    void anEndThatIsMissingIsNoticedWhenTheEndIsKnown() {
      BrokenHistory broken =
          catchThrowableOfType(
              BrokenHistory.class,
              () -> Replay.foldThrough(EXECUTION, HashTrieState.empty(), 0, 4, history(1, 2, 3)));
      assertThat(broken.sequence()).isEqualTo(4);
    }

    @Test
    void aDoubleOfTheLastEventIsNoticed() {
      assertThatThrownBy(
              () -> Replay.foldThrough(EXECUTION, HashTrieState.empty(), 0, 2, history(1, 2, 2)))
          .isInstanceOf(BrokenHistory.class)
          .hasMessageEndingWith("duplicate 2");
    }
  }

  @Nested
  class ToAnEarlierEvent {
    @Test
    void laterEventsAreLeftAlone() {
      WorkflowState state =
          Replay.foldThrough(EXECUTION, HashTrieState.empty(), 0, 2, history(1, 2, 3, 4));
      assertThat(state.hash()).isEqualTo(replayed(1, 2).hash());
    }

    @Test
    void beforeTheFirstEventThereIsTheEmptyState() {
      WorkflowState state =
          Replay.foldThrough(EXECUTION, HashTrieState.empty(), 0, 0, history(1, 2));
      assertThat(state.size()).isZero();
    }

    @Test
    void replayDoesNotGoBack() {
      assertThatThrownBy(() -> Replay.foldThrough(EXECUTION, replayed(1, 2), 2, 1, history(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A state that is a sum, so that an event applied twice shows. */
  private static final class Sum implements WorkflowState {
    private final long total;

    Sum(long total) {
      this.total = total;
    }

    @Override
    public WorkflowState apply(WorkflowEvent event) {
      WorkflowState put = HashTrieState.empty().apply(event);
      List<Long> added = new ArrayList<>();
      put.forEach((key, leaf) -> added.add(leaf.payload().length()));
      return new Sum(total + added.get(0));
    }

    @Override
    public Optional<Leaf> get(Section section, String key) {
      return Optional.empty();
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public void forEach(BiConsumer<Key, Leaf> visitor) {}

    @Override
    public StateHash hash() {
      return HashTrieState.empty().hash();
    }

    @Override
    public StateHash contentHash(Opener opener) {
      return HashTrieState.empty().contentHash(opener);
    }
  }
}
