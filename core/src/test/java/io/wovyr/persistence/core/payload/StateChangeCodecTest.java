/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.StateChange.Value;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateChangeCodecTest {
  private final PayloadSealer sealer =
      new PayloadSealer(Optional.empty(), PayloadSealer.newRandom());
  private final List<StateChange> everyKind =
      GoldenFiles.everyKindOfChange(sealer.seal(Payload.text("value"), GoldenFiles.PLACE));

  @Test
  void changesComeBackInOrder() {
    assertThat(StateChangeCodec.decode(StateChangeCodec.encode(everyKind))).isEqualTo(everyKind);
    assertThat(StateChangeCodec.decode(StateChangeCodec.encode(List.of()))).isEmpty();
  }

  @Test
  void theExampleInTheDocumentHolds() {
    List<StateChange> changes =
        List.of(
            new StateChange.Put(Section.VARIABLES, "total", new Value.EventPayload()),
            new StateChange.Remove(Section.RETRIES, "charge"));
    Bytes example = Bytes.wrap(FormatDocuments.example("state-changes.md"));
    assertThat(StateChangeCodec.encode(changes)).isEqualTo(example);
    assertThat(StateChangeCodec.decode(example)).isEqualTo(changes);
  }

  @Test
  void theSectionsInTheDocumentAreTheOnesThereAre() {
    List<String> documented =
        FormatDocuments.lines("state-changes.md").stream()
            .filter(line -> line.matches("\\| [A-Z_]+ \\| \\d+ \\|"))
            .toList();
    assertThat(Arrays.stream(Section.values()).map(s -> "| " + s + " | " + s.code() + " |"))
        .isEqualTo(documented);
  }

  @Test
  void everyCutIsNoticed() {
    byte[] whole = StateChangeCodec.encode(everyKind).toByteArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> StateChangeCodec.decode(cut)).isInstanceOf(Corrupt.class);
    }
  }

  @Test
  void anythingAfterTheLastChangeIsNoticed() {
    for (List<StateChange> changes : List.of(everyKind, List.<StateChange>of())) {
      byte[] whole = StateChangeCodec.encode(changes).toByteArray();
      Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
      assertThatThrownBy(() -> StateChangeCodec.decode(longer)).isInstanceOf(Corrupt.class);
    }
  }

  @Test
  void noChangedByteLeadsToAnotherException() {
    byte[] whole = StateChangeCodec.encode(everyKind).toByteArray();
    Random random = new Random(42);
    for (int round = 0; round < 20_000; round++) {
      byte[] changed = whole.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      Throwable thrown = catchThrowable(() -> StateChangeCodec.decode(Bytes.wrap(changed)));
      if (thrown != null) {
        assertThat(thrown).isInstanceOfAny(Corrupt.class, UnsupportedVersion.class);
      }
    }
  }

  @Test
  @DisplayName("C032: a layout, section or kind of a newer node is refused")
  void whatANewerNodeWroteIsRefused() {
    refused(new byte[] {2, 0, 0, 0, 0}, "layout 2");
    refused(new byte[] {1, 0, 0, 0, 1, 9, 3, 0, 1, 'k'}, "kind of change 9");
    refused(new byte[] {1, 0, 0, 0, 1, 2, 99, 0, 1, 'k'}, "section 99");
    refused(new byte[] {1, 0, 0, 0, 1, 1, 3, 0, 1, 'k', 7}, "kind of value 7");
  }

  @Test
  void aLayoutBelowTheFirstIsDamageAndNoNewerVersion() {
    for (int length : new int[] {1, 5, 60}) {
      assertThatThrownBy(() -> StateChangeCodec.decode(Bytes.wrap(new byte[length])))
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining("layout 0");
    }
  }

  private static void refused(byte[] bytes, String what) {
    assertThatThrownBy(() -> StateChangeCodec.decode(Bytes.wrap(bytes)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(what);
  }

  @Test
  void hostileLengthsTakeNoMemory() {
    byte[] manyChanges = {1, 0x7f, -1, -1, -1, 1, 3, 0, 1, 'k', 2};
    byte[] longValue = {1, 0, 0, 0, 1, 1, 3, 0, 1, 'k', 1, 0x7f, -1, -1, -1};
    byte[] negativeValue = {1, 0, 0, 0, 1, 1, 3, 0, 1, 'k', 1, -1, -1, -1, -1};
    for (byte[] hostile : List.of(manyChanges, longValue, negativeValue)) {
      assertThatThrownBy(() -> StateChangeCodec.decode(Bytes.wrap(hostile)))
          .isInstanceOf(Corrupt.class);
    }
  }

  @Test
  void aKeyThatIsNotUtf8IsCorrupt() {
    byte[] bytes = {1, 0, 0, 0, 1, 2, 3, 0, 1, (byte) 0xff};
    assertThatThrownBy(() -> StateChangeCodec.decode(Bytes.wrap(bytes)))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("UTF-8");
    List<StateChange> replacement =
        List.of(new StateChange.Remove(Section.VARIABLES, "really \uFFFD"));
    assertThat(StateChangeCodec.decode(StateChangeCodec.encode(replacement)))
        .isEqualTo(replacement);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab\u0000cd", "", " ", "half \uD800"})
  @DisplayName("C049: a key that stores would not keep alike is refused")
  void keysAreNames(String key) {
    List<StateChange> changes = new ArrayList<>(everyKind);
    changes.add(new StateChange.Remove(Section.VARIABLES, key));
    assertThatThrownBy(() -> StateChangeCodec.encode(changes))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("state key");
  }

  @Test
  void aDamagedValueInsideIsCorrupt() {
    StoredPayload value = sealer.seal(Payload.text("v"), GoldenFiles.PLACE);
    byte[] whole =
        StateChangeCodec.encode(
                List.of(new StateChange.Put(Section.VARIABLES, "k", new Value.Own(value))))
            .toByteArray();
    int layoutOfValue = 5 + 2 + 2 + 1 + 1 + 4;
    assertThat(whole[layoutOfValue]).isEqualTo((byte) StoredPayload.LAYOUT);
    whole[layoutOfValue] = 9;
    assertThatThrownBy(() -> StateChangeCodec.decode(Bytes.wrap(whole)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("payload layout 9");
  }
}
