/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing sensitive is stored in clear unless somebody says so. No sealing provider is here. */
class SealingChoiceTest {
  private static final NewExecution WITHOUT = NewExecution.of(DefinitionRef.of("order", 1));

  private static Persistence open(Optional<String> provider) {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder().provider(new MemoryStorageProvider());
    provider.ifPresent(name -> builder.setting("wovyr.sealing.provider", name));
    return builder.build();
  }

  @Test
  void whereNothingSealsSensitiveValuesAreRefusedAndTheRestGoesOn() {
    try (Persistence persistence = open(Optional.empty())) {
      Repositories orders = persistence.as(Caller.of("acme", "test", Role.WRITER));
      NewExecution sensitive = WITHOUT.withInput(Payload.text("EUR 42"));
      assertThatThrownBy(() -> orders.executions().create(sensitive))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("wovyr-encryption-converters")
          .hasMessageContaining("wovyr.sealing.provider")
          .hasMessageNotContaining("EUR");
      assertThat(orders.executions().list(Optional.empty(), 10, Optional.empty()).items())
          .isEmpty();
    }
  }

  @Test
  void whoAsksForNothingGetsNothing() {
    try (Persistence persistence = open(Optional.of("none"))) {
      Repositories orders = persistence.as(Caller.of("acme", "test", Role.WRITER));
      NewExecution sensitive = WITHOUT.withInput(Payload.text("EUR 42"));
      assertThat(orders.executions().create(sensitive).isCommitted()).isTrue();
    }
  }

  @Test
  void oneThatIsNotHereIsNamed() {
    assertThatThrownBy(() -> open(Optional.of("envelope")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("envelope");
  }

  @Test
  void whatSealsIsChosenBeforeTheStoreIsOpened() {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new NeverOpened())
            .setting("wovyr.sealing.provider", "envelope");

    assertThatThrownBy(builder::build).isInstanceOf(InvalidInput.class);
  }

  /** Whatever it opened would stay open. */
  private static final class NeverOpened implements StorageProvider {
    @Override
    public String name() {
      return "never-opened";
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public Storage open(Map<String, String> settings) {
      throw new AssertionError("opened, and nobody would close it");
    }
  }
}
