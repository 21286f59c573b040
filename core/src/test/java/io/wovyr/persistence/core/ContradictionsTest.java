/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A builder and settings that disagree: nobody's values go elsewhere than they think. */
class ContradictionsTest {
  private final MemoryStorageProvider memory = new MemoryStorageProvider();

  private WovyrPersistence.Builder builder() {
    return WovyrPersistence.builder().provider(memory).setting("wovyr.sealing.provider", "none");
  }

  @Test
  void aSettingThatNamesAnotherStorageProviderIsRefused() {
    assertThatThrownBy(() -> builder().setting("wovyr.storage.provider", "oracle").build())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.storage.provider is 'oracle'")
        .hasMessageContaining("'" + memory.name() + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "envelope"})
  void aSettingThatNamesAnotherSealingProviderIsRefused(String named) {
    assertThatThrownBy(
            () ->
                WovyrPersistence.builder()
                    .provider(memory)
                    .sealing(new NeverUsed())
                    .setting("wovyr.sealing.provider", named)
                    .build())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.sealing.provider is '" + named + "'")
        .hasMessageContaining("'never-used'");
  }

  @Test
  void aSettingThatNamesTheProviderThatWasGivenIsTaken() {
    try (Persistence open = builder().setting("wovyr.storage.provider", memory.name()).build()) {
      assertThat(open.provider()).isEqualTo(memory.name());
    }
  }

  /** Has a name, and is asked for nothing else. */
  private static final class NeverUsed implements SealingProvider {
    @Override
    public String name() {
      return "never-used";
    }

    @Override
    public Sealed seal(Bytes plain, Binding binding) {
      throw new AssertionError("nothing is sealed here");
    }

    @Override
    public Bytes open(Sealed sealed, Binding binding) {
      throw new AssertionError("nothing is opened here");
    }
  }
}
