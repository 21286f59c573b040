/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.core.payload.FormatDocuments;
import io.wovyr.persistence.core.state.ReferenceForm.Item;
import io.wovyr.persistence.core.state.StateVectors.Vector;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.state.WorkflowState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code docs/format/state.md}, its vectors, a second implementation and ours say the same. */
class CanonicalFormTest {
  private static WorkflowState stateOf(List<Item> items) {
    WorkflowState state = HashTrieState.empty();
    long sequence = 0;
    for (Item item : items) {
      state = state.apply(StateEvents.event(++sequence, StateEvents.put(item)));
    }
    return state;
  }

  @TestFactory
  List<DynamicTest> theCommittedVectorsHold() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Vector vector : StateVectors.read()) {
      tests.add(DynamicTest.dynamicTest(vector.name(), () -> holds(vector)));
    }
    assertThat(tests).hasSize(9);
    return tests;
  }

  private static void holds(Vector vector) {
    List<Item> items = vector.items();
    assertThat(items.stream().map(Item::place).map(ReferenceForm::hex)).isEqualTo(vector.places());
    assertThat(items.stream().map(Item::leafHash).map(ReferenceForm::hex))
        .isEqualTo(vector.leafHashes());
    assertThat(ReferenceForm.stateHash(items)).isEqualTo(vector.stateHash());
    assertThat(ReferenceForm.contentHash(items)).isEqualTo(vector.contentHash());
    WorkflowState state = stateOf(items);
    assertThat(state.hash()).hasToString("1:" + vector.stateHash());
    assertThat(state.contentHash(StateEvents::open)).hasToString("1:" + vector.contentHash());
  }

  @Test
  void hashesAreStampedWithTheirForm() {
    WorkflowState state = HashTrieState.empty();
    assertThat(state.hash().canonicalForm()).isEqualTo(StateHash.CANONICAL_FORM).isEqualTo(1);
    assertThat(state.contentHash(StateEvents::open).canonicalForm()).isEqualTo(1);
    assertThat(state.hash()).isNotEqualTo(state.contentHash(StateEvents::open));
  }

  @Test
  void theVectorsInTheDocumentHold() {
    List<String> rows =
        FormatDocuments.lines("state.md").stream()
            .filter(line -> line.matches(".*`[0-9a-f]{64}`.*"))
            .toList();
    assertThat(rows).hasSize(5);
    for (String row : rows) {
      String[] cells = row.split("\\|", -1);
      WorkflowState state = stateOf(itemsIn(cells[1]));
      assertThat("`" + HexFormat.of().formatHex(state.hash().sha256().toByteArray()) + "`")
          .isEqualTo(cells[2].trim());
      byte[] content = state.contentHash(StateEvents::open).sha256().toByteArray();
      assertThat("`" + HexFormat.of().formatHex(content) + "`").isEqualTo(cells[3].trim());
    }
  }

  /** Entries as the document writes them: (3, `total`, `17`). */
  private static List<Item> itemsIn(String cell) {
    List<Item> items = new ArrayList<>();
    Matcher entry = Pattern.compile("\\((\\d), `([^`]+)`, (?:`([^`]+)`|empty)\\)").matcher(cell);
    while (entry.find()) {
      String value = entry.group(3) == null ? "" : entry.group(3);
      items.add(
          new Item(
              Integer.parseInt(entry.group(1)),
              entry.group(2),
              new byte[32],
              "text/plain",
              value.getBytes(StandardCharsets.UTF_8)));
    }
    return items;
  }
}
