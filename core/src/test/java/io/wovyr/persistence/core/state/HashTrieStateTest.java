/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import static io.wovyr.persistence.core.state.StateEvents.event;
import static io.wovyr.persistence.core.state.StateEvents.put;
import static io.wovyr.persistence.core.state.StateEvents.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.state.WorkflowState.Leaf;
import io.wovyr.persistence.state.WorkflowState.Opener;
import io.wovyr.persistence.state.WorkflowState.Origin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HashTrieStateTest {
  private final PayloadSealer sealer =
      new PayloadSealer(Optional.empty(), PayloadSealer.newRandom());
  private final Opener opener =
      leaf -> sealer.open(leaf.payload(), binding(leaf.origin().eventId()));

  private static Binding binding(UUID eventId) {
    return new Binding("acme", "workflow_event", "changes[0]", eventId, KeyScope.DATA);
  }

  private StoredPayload value(String text) {
    return sealer.seal(Payload.text(text), binding(new UUID(0, 0)));
  }

  private static WorkflowState folded(WorkflowEvent... events) {
    WorkflowState state = HashTrieState.empty();
    for (WorkflowEvent event : events) {
      state = state.apply(event);
    }
    return state;
  }

  @Test
  void theEmptyStateHoldsNothing() {
    WorkflowState empty = HashTrieState.empty();
    assertThat(empty.size()).isZero();
    assertThat(empty.get(Section.VARIABLES, "total")).isEmpty();
    empty.forEach((key, leaf) -> assertThat(key).isNull());
    assertThat(empty.apply(event(1, remove(Section.VARIABLES, "total"))).hash())
        .isEqualTo(empty.hash());
  }

  @Test
  void aPutIsThereAndSaysWhereItCameFrom() {
    StoredPayload own = value("own");
    StoredPayload shared = value("shared");
    WorkflowEvent event =
        event(
            5,
            Optional.of(shared),
            List.of(
                put(Section.WORKFLOW, "step", own),
                new StateChange.Put(
                    Section.VARIABLES, "reply", new StateChange.Value.EventPayload()),
                put(Section.VARIABLES, "other", own)));
    WorkflowState state = folded(event);
    assertThat(state.size()).isEqualTo(3);
    assertThat(state.get(Section.WORKFLOW, "step"))
        .contains(new Leaf(own, new Origin(event.executionId(), event.id(), "changes[0]", 5)));
    assertThat(state.get(Section.VARIABLES, "reply"))
        .contains(new Leaf(shared, new Origin(event.executionId(), event.id(), "payload", 5)));
    assertThat(state.get(Section.VARIABLES, "other"))
        .contains(new Leaf(own, new Origin(event.executionId(), event.id(), "changes[2]", 5)));
    assertThat(state.get(Section.WORKFLOW, "reply")).isEmpty();
  }

  @Test
  void originsOfManyChangesCountOn() {
    List<StateChange> changes =
        IntStream.range(0, 100)
            .mapToObj(i -> put(Section.VARIABLES, "key-" + i, value("v")))
            .toList();
    WorkflowState state = folded(event(1, Optional.empty(), changes));
    for (int i = 0; i < 100; i++) {
      assertThat(state.get(Section.VARIABLES, "key-" + i).orElseThrow().origin().attributePath())
          .isEqualTo("changes[" + i + "]");
    }
  }

  @Test
  void changesOfOneEventApplyInOrder() {
    StateChange put = put(Section.VARIABLES, "total", value("1"));
    StateChange remove = remove(Section.VARIABLES, "total");
    assertThat(folded(event(1, put, remove)).size()).isZero();
    assertThat(folded(event(1, remove, put)).size()).isEqualTo(1);
    StoredPayload last = value("2");
    assertThat(
            folded(event(1, put, put(Section.VARIABLES, "total", last)))
                .get(Section.VARIABLES, "total")
                .orElseThrow()
                .payload())
        .isEqualTo(last);
  }

  @Test
  void anEventThatPutsAPayloadItDoesNotHaveIsNamed() {
    WorkflowEvent broken =
        event(
            3,
            new StateChange.Put(Section.VARIABLES, "total", new StateChange.Value.EventPayload()));
    assertThatThrownBy(() -> HashTrieState.empty().apply(broken))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining(broken.id().toString());
  }

  @Test
  void everyRandomHistoryLeadsToTheTreeOfItsContents() {
    for (int seed = 0; seed < 200; seed++) {
      RandomHistory history = new RandomHistory(seed);
      history.run(40);
    }
  }

  @Test
  void keysWhosePlacesCollideAreKeptApart() {
    // The real places do not collide within anybody's reach: these agree in all digits, in all but
    // the last, in all but the first, or in half of them.
    List<ToLongFunction<WorkflowState.Key>> weakPlacements =
        List.of(
            key -> 0L,
            key -> key.name().hashCode() & 3L,
            key -> (long) key.name().hashCode() << 60,
            key -> key.name().hashCode() & 0x0303_0303L);
    for (int i = 0; i < weakPlacements.size(); i++) {
      for (int seed = 0; seed < 25; seed++) {
        new RandomHistory(seed, weakPlacements.get(i)).run(40);
      }
    }
  }

  @Test
  void theOrderOfPutsDoesNotMatter() {
    Random random = new Random(11);
    List<WorkflowEvent> events = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      events.add(event(i + 1, put(Section.VARIABLES, "key-" + i, value("v" + i))));
    }
    StateHash expected = folded(events.toArray(WorkflowEvent[]::new)).hash();
    for (int round = 0; round < 5; round++) {
      Collections.shuffle(events, random);
      assertThat(folded(events.toArray(WorkflowEvent[]::new)).hash()).isEqualTo(expected);
    }
  }

  @Test
  void whatWasRemovedLeavesNoTrace() {
    StoredPayload stays = value("stays");
    WorkflowState never = folded(event(1, put(Section.VARIABLES, "stays", stays)));
    WorkflowState state = never;
    for (int i = 0; i < 300; i++) {
      state = state.apply(event(2 + i, put(Section.VARIABLES, "goes-" + i, value("x"))));
    }
    assertThat(state.hash()).isNotEqualTo(never.hash());
    for (int i = 0; i < 300; i++) {
      state = state.apply(event(400 + i, remove(Section.VARIABLES, "goes-" + i)));
    }
    assertThat(state.hash()).isEqualTo(never.hash());
    assertThat(state.apply(event(999, remove(Section.VARIABLES, "stays"))).hash())
        .isEqualTo(HashTrieState.empty().hash());
  }

  @Test
  void putRemovePutEqualsPut() {
    StoredPayload payload = value("v");
    StateChange put = put(Section.VARIABLES, "total", payload);
    StateChange remove = remove(Section.VARIABLES, "total");
    assertThat(folded(event(1, put), event(2, remove), event(3, put)).hash())
        .isEqualTo(folded(event(1, put)).hash());
  }

  @Test
  void aRemovedKeyIsNeitherAnEmptyNorANullValue() {
    WorkflowState removed =
        folded(
            event(1, put(Section.VARIABLES, "total", value("1"))),
            event(2, remove(Section.VARIABLES, "total")));
    WorkflowState empty = folded(event(1, put(Section.VARIABLES, "total", value(""))));
    WorkflowState nothing =
        folded(
            event(
                1,
                put(
                    Section.VARIABLES,
                    "total",
                    sealer.seal(Payload.json("null"), binding(new UUID(0, 0))))));
    assertThat(removed.size()).isZero();
    assertThat(empty.size()).isEqualTo(1);
    assertThat(List.of(removed.hash(), empty.hash(), nothing.hash())).doesNotHaveDuplicates();
    assertThat(
            List.of(
                removed.contentHash(opener),
                empty.contentHash(opener),
                nothing.contentHash(opener)))
        .doesNotHaveDuplicates();
  }

  @Test
  void twoRunsThatDidTheSameDifferInStateHashButNotInContentHash() {
    WorkflowState one = folded(event(1, put(Section.VARIABLES, "total", value("17"))));
    WorkflowState other = folded(event(1, put(Section.VARIABLES, "total", value("17"))));
    assertThat(one.hash()).isNotEqualTo(other.hash());
    assertThat(one.contentHash(opener)).isEqualTo(other.contentHash(opener));
    WorkflowState different = folded(event(1, put(Section.VARIABLES, "total", value("18"))));
    assertThat(different.contentHash(opener)).isNotEqualTo(one.contentHash(opener));
  }

  @Test
  void nothingButKeysAndValuesEntersTheHashes() {
    StoredPayload payload = value("17");
    List<StateChange> changes = List.of(put(Section.VARIABLES, "total", payload));
    WorkflowState one = folded(event(1, Optional.empty(), changes));
    WorkflowEvent elsewhere =
        new WorkflowEvent(
            new RecordHeader(
                new UUID(8, 8),
                "other",
                7,
                Instant.EPOCH,
                Instant.EPOCH,
                "eve",
                2,
                1,
                1,
                Bytes.EMPTY),
            new UUID(9, 9),
            99,
            "Renamed",
            Optional.of(new UUID(1, 1)),
            Optional.of(new UUID(2, 2)),
            Optional.of("dedupe"),
            77,
            new UUID(3, 3),
            Optional.of(value("business payload")),
            changes);
    WorkflowState other = folded(elsewhere);
    assertThat(other.hash()).isEqualTo(one.hash());
    assertThat(other.contentHash(opener)).isEqualTo(one.contentHash(opener));
  }

  @Test
  void theStateHashSurvivesTheShreddingOfValuesAndTheContentHashRefuses() {
    StoredPayload payload = value("17");
    StoredPayload shredded =
        new StoredPayload(
            payload.contentType(),
            payload.sealing(),
            payload.compression(),
            payload.keyId(),
            payload.commitment(),
            payload.length(),
            new StoredPayload.Body.Inline(Bytes.EMPTY));
    WorkflowState before = folded(event(1, put(Section.VARIABLES, "total", payload)));
    WorkflowState after = folded(event(1, put(Section.VARIABLES, "total", shredded)));
    assertThat(after.hash()).isEqualTo(before.hash());
    assertThatThrownBy(() -> after.contentHash(opener)).isInstanceOf(Corrupt.class);
  }

  @Test
  void sectionsAreKeptApart() {
    StoredPayload payload = value("v");
    WorkflowState one = folded(event(1, put(Section.WORKFLOW, "a", payload)));
    WorkflowState other = folded(event(1, put(Section.VARIABLES, "a", payload)));
    assertThat(one.hash()).isNotEqualTo(other.hash());
    assertThat(one.contentHash(opener)).isNotEqualTo(other.contentHash(opener));
  }

  @Test
  void olderStatesStayAsTheyWere() {
    List<WorkflowState> states = new ArrayList<>(List.of(HashTrieState.empty()));
    List<StateHash> hashes = new ArrayList<>(List.of(HashTrieState.empty().hash()));
    Random random = new Random(5);
    for (int i = 1; i <= 400; i++) {
      String key = "key-" + random.nextInt(40);
      StateChange change =
          random.nextInt(3) == 0
              ? remove(Section.VARIABLES, key)
              : put(Section.VARIABLES, key, value("v" + i));
      states.add(states.get(i - 1).apply(event(i, change)));
      hashes.add(states.get(i).hash());
    }
    List<WorkflowState> rebuilt = new ArrayList<>();
    for (WorkflowState state : states) {
      List<StateChange> changes = new ArrayList<>();
      state.forEach((key, leaf) -> changes.add(put(key.section(), key.name(), leaf.payload())));
      rebuilt.add(folded(event(1, Optional.empty(), changes)));
    }
    assertThat(rebuilt.stream().map(WorkflowState::hash)).isEqualTo(hashes);
  }

  @Test
  void threadsMayShareAState() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 50; round++) {
        List<StateChange> changes =
            IntStream.range(0, 200)
                .mapToObj(i -> put(Section.VARIABLES, "key-" + i, value("v")))
                .toList();
        WorkflowState shared = folded(event(1, Optional.empty(), changes));
        StateHash expected = folded(event(1, Optional.empty(), changes)).hash();
        Callable<StateHash> asked = shared::hash;
        for (Future<StateHash> hash : pool.invokeAll(Collections.nCopies(4, asked))) {
          assertThat(hash.get()).isEqualTo(expected);
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("C049: NUL in a key is refused at entry, in a value it comes back")
  void nulInKeysIsRefusedAndInValuesKept() {
    assertThatThrownBy(
            () -> NewEvent.of("Changed").put(Section.VARIABLES, "ab\u0000cd", Payload.text("v")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> NewEvent.of("Changed").remove(Section.VARIABLES, "ab\u0000cd"))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> NewEvent.of("Changed").putPayload(Section.VARIABLES, "ab\u0000cd"))
        .isInstanceOf(InvalidInput.class);
    WorkflowState state = folded(event(1, put(Section.VARIABLES, "text", value("ab\u0000cd"))));
    assertThat(opener.open(state.get(Section.VARIABLES, "text").orElseThrow()))
        .isEqualTo(Payload.text("ab\u0000cd"));
    assertThat(state.contentHash(opener))
        .isNotEqualTo(
            folded(event(1, put(Section.VARIABLES, "text", value("ab")))).contentHash(opener));
  }

  @Test
  void nothingPrintsTheContent() {
    WorkflowState state = folded(event(1, put(Section.VARIABLES, "pin", value("4111"))));
    assertThat(state.toString()).isEqualTo("HashTrieState[1 keys]");
    assertThat(state.get(Section.VARIABLES, "pin").toString()).doesNotContain("4111");
  }
}
