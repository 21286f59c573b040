/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers give is checked where they give it, before anything happens. */
class CallersInputTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "acme", "Acme GmbH & Co", "tenant-1", "a$", "\u00e4"})
  void aTenantIdIsAName(String id) {
    assertThat(new TenantId(id)).hasToString(id);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "ab\u0000cd"})
  @DisplayName("C049: a missing tenant id, or one with NUL, is refused at entry")
  void aTenantIdThatIsNoNameIsRefused(String id) {
    assertThatThrownBy(() -> new TenantId(id)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void aTenantIdHasAtMostAHundredCharacters() {
    assertThat(new TenantId("x".repeat(100)).value()).hasSize(100);
    assertThatThrownBy(() -> new TenantId("x".repeat(101))).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$system", "$", "$other"})
  void noCallerCanHaveAReservedTenant(String id) {
    assertThatThrownBy(() -> new TenantId(id))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("reserved");
    assertThatThrownBy(() -> Caller.of(id, "ada")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> Scope.tenant(id)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void theSystemsOwnScopeIsTheReservedTenant() {
    assertThat(new Scope.System("takeover").tenantId()).isEqualTo("$system");
  }

  @Test
  void aCallerHasATenantAndAnActor() {
    assertThatThrownBy(() -> Caller.of("acme", "")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> Caller.of("acme", "ad\u0000a")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new Caller(null, "ada", java.util.Set.of()))
        .isInstanceOf(InvalidInput.class);
    assertThat(Caller.of("acme", "ada", Role.READER).roles()).containsExactly(Role.READER);
  }

  @Test
  @DisplayName("C049: names of every kind refuse NUL where they are given")
  void namesOfEveryKindRefuseNul() {
    String nul = "ab\u0000cd";
    NewEvent event = NewEvent.of("Changed");
    NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1));
    List<ThrowingCallable> uses =
        List.of(
            () -> NewEvent.of(nul),
            () -> event.put(Section.VARIABLES, nul, Payload.text("v")),
            () -> event.putPayload(Section.VARIABLES, nul),
            () -> event.remove(Section.VARIABLES, nul),
            () -> Append.signal(nul),
            () -> DefinitionRef.of(nul, 1),
            () -> new DefinitionRef("order", 1, nul),
            () -> execution.withWorkflowId(nul),
            () -> execution.withSearchAttribute(nul, "v"),
            () -> execution.withSearchAttribute("customer", nul),
            () -> new CommitReference(nul),
            () -> Payload.of(nul, new byte[0]));
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(InvalidInput.class).hasMessageContaining("U+0000");
    }
  }

  @Test
  void aDefinitionVersionCountsFromOne() {
    assertThatThrownBy(() -> DefinitionRef.of("order", 0)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void changedCopiesLeaveTheOriginalAlone() {
    NewEvent event = NewEvent.of("Changed");
    NewEvent changed =
        event.put(Section.VARIABLES, "a", Payload.text("1")).remove(Section.RETRIES, "b");
    assertThat(event.changes()).isEmpty();
    assertThat(changed.changes()).hasSize(2);
    NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1));
    NewExecution more = execution.withSearchAttribute("c", "7").withSearchAttribute("c", "8");
    assertThat(execution.searchAttributes()).isEmpty();
    assertThat(more.searchAttributes()).containsExactly("c=7", "c=8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"order@1", "order@", "@1", "order@-1"})
  void theNameOfADefinitionToStoreHasNoAtSign(String name) {
    assertThatThrownBy(() -> NewDefinition.of(name, Payload.text("body")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("no @")
        .hasMessageContaining(name);
  }

  @Test
  void nothingPrintsAPayload() {
    Payload secret = Payload.text("4111");
    assertThat(secret.toString()).doesNotContain("4111");
    assertThat(secret.content().toString()).isEqualTo("4 bytes");
    assertThat(NewEvent.of("Paid").withPayload(secret).put(Section.VARIABLES, "pin", secret))
        .asString()
        .doesNotContain("4111");
    assertThat(NewExecution.of(DefinitionRef.of("order", 1)).withInput(secret))
        .asString()
        .doesNotContain("4111");
  }
}
