/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.core.state.ReferenceForm.Item;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.state.WorkflowState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A seeded history of puts and removes over a few keys, held beside a plain map: after every event
 * the state and the map must hold the same, and the hashes must be those of the reference form.
 */
final class RandomHistory {
  private static final List<Section> SECTIONS =
      List.of(Section.WORKFLOW, Section.ACTIVITIES, Section.VARIABLES);
  private static final String[] NAMES = {"a", "aa", "ab", "b", "\u00e4", "\uFF61", "\uD83D\uDE00"};

  private final long seed;
  private final Random random;
  private final Map<WorkflowState.Key, Item> model = new HashMap<>();
  private final Set<String> hashesSeen = new HashSet<>();
  private final Set<Map<WorkflowState.Key, StoredPayload>> contentsSeen = new HashSet<>();
  private final ReferenceForm.Places places;
  private WorkflowState state;

  /** In the canonical form. */
  RandomHistory(long seed) {
    this(seed, HashTrieState.empty(), Item::place);
  }

  /** With keys placed otherwise. */
  RandomHistory(long seed, ToLongFunction<WorkflowState.Key> placement) {
    this(
        seed,
        HashTrieState.emptyPlacedBy(placement),
        item -> ByteBuffer.allocate(8).putLong(placement.applyAsLong(keyOf(item))).array());
  }

  private RandomHistory(long seed, WorkflowState empty, ReferenceForm.Places places) {
    this.seed = seed;
    this.random = new Random(seed);
    this.state = empty;
    this.places = places;
  }

  void run(int events) {
    for (int sequence = 1; sequence <= events; sequence++) {
      List<StateChange> changes = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        changes.add(nextChange());
      }
      state = state.apply(StateEvents.event(sequence, Optional.empty(), changes));
      check();
    }
    assertThat(hashesSeen)
        .as("seed %d: one hash for each content", seed)
        .hasSameSizeAs(contentsSeen);
  }

  private StateChange nextChange() {
    Section section = SECTIONS.get(random.nextInt(SECTIONS.size()));
    String name = NAMES[random.nextInt(NAMES.length)] + random.nextInt(3);
    WorkflowState.Key key = new WorkflowState.Key(section, name);
    if (random.nextInt(5) < 2) {
      model.remove(key);
      return StateEvents.remove(section, name);
    }
    // Few values and salts, so that contents come again and hashes must be equal, too.
    Item item =
        new Item(
            section.code(),
            name,
            new byte[32],
            random.nextBoolean() ? "text/plain" : "application/json",
            new byte[random.nextInt(3)]);
    model.put(key, item);
    return StateEvents.put(item);
  }

  private void check() {
    assertThat(state.size()).isEqualTo(model.size());
    List<WorkflowState.Key> visited = new ArrayList<>();
    state.forEach(
        (key, leaf) -> {
          visited.add(key);
          assertThat(leaf.payload()).isEqualTo(StateEvents.stored(model.get(key)));
          assertThat(state.get(key.section(), key.name())).contains(leaf);
        });
    assertThat(visited)
        .containsExactlyInAnyOrderElementsOf(model.keySet())
        .isSortedAccordingTo(CanonicalOrder.INSTANCE);
    String hash = ReferenceForm.stateHash(model.values(), places);
    assertThat(state.hash()).as("seed %d", seed).hasToString("1:" + hash);
    assertThat(state.contentHash(StateEvents::open))
        .hasToString("1:" + ReferenceForm.contentHash(model.values()));
    hashesSeen.add(hash);
    Map<WorkflowState.Key, StoredPayload> contents = new HashMap<>();
    model.forEach((key, item) -> contents.put(key, StateEvents.stored(item)));
    contentsSeen.add(contents);
  }

  private static WorkflowState.Key keyOf(Item item) {
    return new WorkflowState.Key(Section.ofCode(item.section()).orElseThrow(), item.key());
  }
}
