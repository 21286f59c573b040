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
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code wovyr.payload.compress-from} does to a value that is stored. */
class CompressFromTest {
  private static final int LENGTH = 1_500;
  private static final Payload INPUT = Payload.text("a".repeat(LENGTH));

  private static int compressionWith(Map<String, String> settings) {
    try (Persistence persistence =
        WovyrPersistence.builder()
            .provider(new MemoryStorageProvider())
            .setting("wovyr.sealing.provider", "none")
            .settings(settings)
            .build()) {
      Repositories work = persistence.as(Caller.of("acme", "somebody", Role.WRITER));
      UUID id = UUID.randomUUID();
      work.executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id).withInput(INPUT))
          .orThrow();
      WorkflowExecution found = work.executions().find(id).orElseThrow();
      assertThat(work.executions().input(found)).contains(INPUT);
      return found.input().map(StoredPayload::compression).orElseThrow();
    }
  }

  private static Map<String, String> from(int length) {
    return Map.of("wovyr.payload.compress-from", Integer.toString(length));
  }

  @Test
  void valuesOfThatLengthOnAreCompressedAndShorterOnesAreNot() {
    assertThat(compressionWith(Map.of())).as("1024, by default").isEqualTo(1);
    assertThat(compressionWith(from(LENGTH))).isEqualTo(1);
    assertThat(compressionWith(from(LENGTH + 1))).isEqualTo(StoredPayload.UNCOMPRESSED);
  }

  @Test
  void aLengthBelowOneIsRefusedByName() {
    assertThatThrownBy(() -> compressionWith(from(0)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.payload.compress-from");
  }
}
